// npm run lab -- extension [--manifest PATH] [--shots DIR] [--timed]: the browser extension in a locally installed Chromium, which
// reads the pages of all simulated retailers under their own addresses, and with `--manifest` recorded ones. One line per check,
// followed by what failed; exit code 1 if anything did. `--timed`: the card appears within 1.5 s.

import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { isKnownSlug, KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { TABLES } from '../../src/data/maintenance/tables.ts';
import { runCommand } from '../../tests/support/command.ts';
import { plantedPage, plantsOf } from '../../tests/support/planted-pages.ts';
import { startService, type Service } from '../../tests/support/service.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { findChromium } from './console/browser.ts';
import { launchWithExtension, type ExtensionBrowser, type Look } from './extension/browser.ts';
import { behaviour, differences, refusals } from './extension/checks.ts';
import { isHtmlRow } from './parsing/feed.ts';
import { parseManifest } from './parsing/manifest.ts';

/** The headless shell loads no extension, and Google's own Chrome none from a folder. */
const NAMES = ['chromium', 'chromium-browser'];
const CARD_MS = 1_500;
/** Fewer than an organization may hand in in a minute. */
const OF_ONE = 50;

const { values } = parseArgs({
  options: {
    manifest: { type: 'string' },
    shots: { type: 'string' },
    timed: { type: 'boolean', default: false },
  },
});

type Given = { readonly url: string; readonly html: string | Buffer; readonly slug?: string };

/** Returns the page of a product at each retailer, as its simulated site sends it. */
async function simulatedPages({ sandbox }: Service): Promise<readonly Given[]> {
  const { url: urls } = sandbox.describe();
  return await Promise.all(
    KNOWN_SLUGS.map(async (slug) => {
      const url = urls[slug] ?? '';
      const { origin, pathname, search } = new URL(url);
      const response = await fetch(`${sandbox.origins[origin]}${pathname}${search}`);
      return { url, html: await response.text(), slug };
    }),
  );
}

function recordedPages(path: string): readonly Given[] {
  const { rows, problems } = parseManifest(readFileSync(path, 'utf8'));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return rows.flatMap(({ file, url, slug, reader, feed }) => {
    const html = readFileSync(resolve(dirname(path), file));
    if (url === null || reader !== 'product' || !isHtmlRow(html, feed)) return [];
    return [{ url, html, ...(isKnownSlug(slug) ? { slug } : {}) }];
  });
}

async function agreement(
  browser: ExtensionBrowser,
  service: Service,
  pages: readonly Given[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const times: number[] = [];
  for (const [at, given] of pages.entries()) {
    if (at % OF_ONE === 0) {
      const scopes = ['pages:submit'] as const;
      const organization = `reader of ${pages.length} from ${at}`;
      await browser.saveOptions(
        service.url,
        await service.newKey({ organization, note: null, scopes, throttlePerMinute: 600 }),
      );
    }
    const { hostname } = new URL(given.url);
    const reading = await browser.read(given).catch(String);
    if (typeof reading === 'string') {
      found.push(`${hostname}: ${reading}`);
      continue;
    }
    found.push(...differences(reading, given).map((each) => `${hostname}: ${each}`));
    await reading.page.close();
    if (!values.timed || reading.ms <= CARD_MS) {
      times.push(reading.ms);
      continue;
    }
    // The first pages load what reads them.
    const again = await browser.read(given);
    times.push(again.ms);
    await again.page.close();
  }
  times.sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)] ?? 0;
  const slowest = times.at(-1) ?? 0;
  const range = `${Math.round(middle)} ms in the middle, ${Math.round(slowest)} ms at most`;
  console.log(`       ${times.length} cards, ${range}`);
  const isLate = values.timed && slowest > CARD_MS;
  return isLate ? [...found, `a card took ${Math.round(slowest)} ms`] : found;
}

/** Reads 20 pages with a name, a mail address, an order number and a token each, and looks for these everywhere. */
async function nothingKept(
  browser: ExtensionBrowser,
  service: Service,
  lines: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const key = { organization: 'planted', note: null, scopes: ['pages:submit'] } as const;
  await browser.saveOptions(service.url, await service.newKey(key));
  const numbers = Array.from({ length: 20 }, (_, at) => 10 + at);
  for (const at of numbers) {
    const { card, page } = await browser.read(plantedPage(at));
    if (card.heading !== `Desk lamp ${at}`) found.push(`page ${at}: ${card.status}`);
    await page.close();
  }
  const { dataDir, dataEnv } = service;
  const { sql } = service.app.store;
  const tables = await Promise.all(TABLES.map(({ name }) => sql.all(`select * from ${name}`)));
  const backup = await runCommand(['backup', join(dataDir, 'copy.db')], { env: dataEnv });
  if (backup.code !== 0) found.push(`no backup: ${backup.err.join()}`);
  const files = globSync('**/*', { cwd: dataDir, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)).toString('latin1'));
  const places = {
    database: JSON.stringify(tables),
    log: lines.join('\n'),
    files: files.join('\n'),
  };
  for (const planted of numbers.flatMap((at) => Object.values(plantsOf(at)))) {
    for (const [place, text] of Object.entries(places)) {
      if (text.includes(planted)) found.push(`${planted} is in the ${place}`);
    }
  }
  return found;
}

const LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 1_280 },
  { colorScheme: 'dark', width: 1_280 },
  { colorScheme: 'light', width: 360 },
];

async function takeShots(path: string, folder: string): Promise<void> {
  await using service = await startService({ withRetailers: true });
  mkdirSync(folder, { recursive: true });
  const pages = await simulatedPages(service);
  const key = { organization: 'shots', note: null, throttlePerMinute: 600 };
  const submits = await service.newKey({ ...key, scopes: ['pages:submit'] });
  for (const look of LOOKS) {
    using place = temporaryFolder();
    await using browser = await launchWithExtension(path, place.path, look);
    await browser.saveOptions(service.url, submits);
    for (const given of pages.slice(0, 2)) {
      const { page } = await browser.read(given);
      const name = `${given.slug}-${look.width}-${look.colorScheme}.png`;
      await page.screenshot({ path: join(folder, name) });
      await page.close();
    }
  }
}

async function runChecks(path: string): Promise<number> {
  const lines: string[] = [];
  await using service = await startService({
    withRetailers: true,
    logTo: (line) => lines.push(line),
  });
  using folder = temporaryFolder();
  await using browser = await launchWithExtension(path, folder.path, {
    colorScheme: 'light',
    width: 1_280,
  });
  const simulated = await simulatedPages(service);
  const recorded = values.manifest === undefined ? [] : recordedPages(values.manifest);
  const checks: readonly (readonly [string, () => Promise<readonly string[]>])[] = [
    [
      'the card shows of a page of each retailer what openshelf parse reads',
      () => agreement(browser, service, simulated),
    ],
    ...(recorded.length === 0
      ? []
      : [
          [
            'the card shows of recorded pages what openshelf parse reads',
            () => agreement(browser, service, recorded),
          ] as const,
        ]),
    ['the card says in plain words why a page was not read', () => refusals(browser, service)],
    [
      'the card is text, out of reach of the page, and usable by keyboard and screen reader',
      () => behaviour(browser),
    ],
    [
      'names, mail addresses, order numbers and tokens of 20 pages are kept nowhere',
      () => nothingKept(browser, service, lines),
    ],
  ];
  let failed = 0;
  for (const [name, check] of checks) {
    const found = await check().catch((error: unknown) => [String(error).slice(0, 600)]);
    if (found.length > 0) failed += 1;
    console.log(`${found.length === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    found.slice(0, 40).forEach((each) => console.log(`       ${each}`));
  }
  console.log(
    `${browser.version} at ${path}: ${failed === 0 ? 'everything holds' : `${failed} checks failed`}`,
  );
  return failed;
}

async function main(): Promise<number> {
  const path = findChromium(NAMES);
  if (path === null) {
    console.log(`The extension was not tested: no Chromium on the PATH (${NAMES.join(', ')})`);
    return process.env['CI'] === undefined ? 0 : 1;
  }
  const failed = await runChecks(path);
  if (values.shots !== undefined) await takeShots(path, values.shots);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
