// A locally installed Chromium, and pages that record what a console must never do: request another origin, violate its own
// policy, throw.

import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

import { chromium, type Browser, type Page } from 'playwright-core';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Returns the path of a Chromium; null if none is on the `PATH`. CHROMIUM overrides it. */
export function findChromium(names: readonly string[] = NAMES): string | null {
  const given = process.env['CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(given === undefined ? [] : [given]), ...paths].find(isExecutable) ?? null;
}

/** What was looked for, for the message that none was found. */
export const SOUGHT = NAMES.join(', ');

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Scheme = 'light' | 'dark';
export type View = { readonly width: 390 | 1440; readonly scheme: Scheme };
export const VIEWS: readonly View[] = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
];

export type Watched = {
  readonly page: Page;
  /** Sentences about forbidden events. */
  readonly complaints: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

export function launch(path: string): Promise<Browser> {
  // As root, as in a container, Chromium starts only without its own sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: path, args });
}

/** Opens a page in a context of its own, watched from its first request on. `origin`: the only one that it may request. */
export async function openWatched(browser: Browser, view: View, origin: string): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: 900 },
    colorScheme: view.scheme,
    hasTouch: view.width === 390,
    acceptDownloads: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const noted: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (url.startsWith('blob:') || new URL(url).origin === origin) return;
    noted.push(`a request to another origin: ${url}`);
  });
  page.on('pageerror', (error) => noted.push(`an error in the page: ${error.message}`));
  page.on('dialog', (dialog) => {
    noted.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const kept: string[] = [];
    Object.assign(globalThis, { violations: kept });
    addEventListener('securitypolicyviolation', (event) => {
      kept.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return {
    page,
    complaints: async () => {
      const violations = await page.evaluate(() => {
        return (globalThis as unknown as { violations: string[] }).violations;
      });
      const cookies = await context.cookies();
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      return [
        ...noted,
        ...violations.map((each) => `the policy was broken: ${each}`),
        ...cookies
          .filter(
            ({ name, httpOnly, sameSite }) =>
              name !== 'openshelf' || !httpOnly || sameSite !== 'Strict',
          )
          .map(({ name }) => `a cookie was set: ${name}`),
        ...(width > 0 ? [`the page is ${width} px wider than the window`] : []),
      ];
    },
    close: () => context.close(),
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeResults = {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
};

/** Returns the serious and critical axe findings on a page in its current state. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async () => {
    return await (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run();
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `axe ${id}: ${nodes
          .slice(0, 3)
          .map(({ target }) => target.join(' '))
          .join(' | ')}`,
    );
}
