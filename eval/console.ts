// npm run eval:console -- [--shots DIR] [--only PART]: a person's ways through the console, in a Chromium that is on this machine,
// against the simulated market. A line for each check, and below it what was not so; exit code 1 when there is anything.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';

import { findChromium, launch, SOUGHT } from './console-browser.ts';
import type { CheckParts } from './console-acts.ts';
import { CHECKS } from './console-checks.ts';
import { openStage } from './console-stage.ts';
import { consoleFiles } from '../src/package-files.ts';

const { values } = parseArgs({ options: { shots: { type: 'string' }, only: { type: 'string' } } });
const MOST_BYTES = 120 * 1_024;

/** Everything that a browser loads of the console, compressed. */
async function loadedBytes(url: string): Promise<number> {
  const page = await (await fetch(`${url}/console`)).text();
  const [folder = ''] = /\/console\/files\/[\w-]+/.exec(page) ?? [];
  const paths = ['/console', ...consoleFiles().map(({ name }) => `${folder}/${name}`)];
  let bytes = 0;
  for (const path of paths) {
    const { request } = await import('node:http');
    const body = await new Promise<Buffer>((resolve, reject) => {
      request(
        `${url}${path}`,
        { headers: { 'accept-encoding': 'br' }, agent: false },
        (response) => {
          void response
            .toArray()
            .then((pieces) => resolve(Buffer.concat(pieces as Buffer[])), reject);
        },
      )
        .on('error', reject)
        .end();
    });
    brotliDecompressSync(body);
    bytes += body.byteLength;
  }
  return bytes;
}

async function main(): Promise<number> {
  const path = findChromium();
  if (path === null) {
    console.log(
      `eval:console did not run: no Chromium on the PATH (looked for ${SOUGHT}; CHROMIUM names one)`,
    );
    return 0;
  }
  await using stage = await openStage();
  const browser = await launch(path);
  const { shots } = values;
  if (shots !== undefined) mkdirSync(shots, { recursive: true });
  const shot: CheckParts['shot'] = async (page, name) => {
    // Thousands of rows are no picture.
    const rows = await page.locator('tr').count();
    if (shots !== undefined)
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: rows < 200 });
  };
  let failed = 0;
  const report = (name: string, found: readonly string[], startedMs: number) => {
    if (found.length > 0) failed += 1;
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${name}`);
    found.slice(0, 12).forEach((each) => console.log(`               ${each}`));
  };
  const bytes = await loadedBytes(stage.service.url);
  const sentence = `all pages together ${(bytes / 1_024).toFixed(1)} KiB compressed`;
  report(sentence, bytes <= MOST_BYTES ? [] : ['more than 120 KiB'], performance.now());
  for (const { name, run } of CHECKS.filter((check) => check.name.includes(values.only ?? ''))) {
    const startedMs = performance.now();
    const found = await run({ stage, browser, shot }).catch((error: unknown) => [
      String(error).slice(0, 600),
    ]);
    report(name, found, startedMs);
  }
  await browser.close();
  console.log(
    `${browser.version()} at ${path}: ${failed === 0 ? 'everything holds' : `${failed} checks failed`}`,
  );
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
