// npm run lab -- console [--shots DIR] [--only PART] [--timed | --untimed]: a person's paths through the console, in a locally
// installed Chromium, against the simulated market. One line per check, followed by what failed; exit code 1 if anything did.
// `--timed`: only checks that have a time limit or are measured, which need the machine to themselves; `--untimed`: only the
// rest.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { findChromium, launch, SOUGHT } from './console/browser.ts';
import type { Check, CheckParts } from './console/acts.ts';
import { CHECKS } from './console/checks.ts';
import { measureBytes, measureCard, measureCpu } from './console/measures.ts';
import { openStage } from './console/stage.ts';

const { values } = parseArgs({
  options: {
    shots: { type: 'string' },
    only: { type: 'string' },
    timed: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
  },
});
if (values.timed && values.untimed) {
  console.error(
    '--timed and --untimed together leave nothing to check: use one of them, or neither',
  );
  process.exit(2);
}
const MEASURES = { bytes: measureBytes, card: measureCard, cpu: measureCpu };
/** Concurrent checks, each with a service and a page of its own: a single one leaves half of two processors idle. */
const AT_ONCE = 2;

function complaintOf(error: unknown): readonly string[] {
  return [String(error).slice(0, 600)];
}

async function main(): Promise<number> {
  const path = findChromium();
  if (path === null) {
    console.log(
      `The console was not tested: no Chromium on the PATH (looked for ${SOUGHT}; CHROMIUM names one)`,
    );
    return 0;
  }
  const { shots } = values;
  if (shots !== undefined) mkdirSync(shots, { recursive: true });
  const shot: CheckParts['shot'] = async (page, name) => {
    // Thousands of rows make no useful screenshot.
    const rows = await page.locator('tr').count();
    if (shots !== undefined)
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: rows < 200 });
  };
  let failed = 0;
  let version = '';
  const report = (name: string, found: readonly string[], startedMs: number) => {
    if (found.length > 0) failed += 1;
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${name}`);
    found.slice(0, 12).forEach((each) => console.log(`               ${each}`));
  };
  const wanted = values.only ?? '';
  const checks = CHECKS.filter((check) => check.name.includes(wanted));
  const timed = values.untimed ? [] : checks.filter(({ isTimed }) => isTimed === true);
  const others = values.timed ? [] : checks.filter(({ isTimed }) => isTimed !== true);
  const takeOneAfterTheOther = async (left: Check[]): Promise<void> => {
    await using stage = await openStage();
    await using browser = await launch(path);
    version = browser.version();
    for (let check = left.shift(); check !== undefined; check = left.shift()) {
      const startedMs = performance.now();
      const found = await check.run({ stage, browser, shot }).catch(complaintOf);
      report(check.name, found, startedMs);
      // An abandoned page would continue its work and slow down the following checks.
      await Promise.all(browser.contexts().map((context) => context.close()));
    }
  };
  const stages = Math.min(AT_ONCE, others.length);
  await Promise.all(Array.from({ length: stages }, () => takeOneAfterTheOther(others)));
  // Measured checks have the machine to themselves.
  if (timed.length > 0) await takeOneAfterTheOther(timed);
  const measures = values.untimed
    ? []
    : Object.entries(MEASURES).filter(([name]) => name.includes(wanted));
  if (measures.length > 0) {
    await using stage = await openStage();
    await using browser = await launch(path);
    version = browser.version();
    for (const [name, measure] of measures) {
      const startedMs = performance.now();
      const { sentence, found } = await measure({ stage, browser, shot }).catch(
        (error: unknown) => ({
          sentence: `${name} could not be measured`,
          found: complaintOf(error),
        }),
      );
      report(sentence, found, startedMs);
    }
  }
  console.log(
    `${version} at ${path}: ${failed === 0 ? 'everything holds' : `${failed} checks failed`}`,
  );
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
