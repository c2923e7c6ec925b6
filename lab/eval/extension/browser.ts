// A Chromium with the extension, pages that are shown under any address without a network, and the card as it stands in its closed
// shadow root. The protocol triggers the extension's action as a click does, so that it gets the rights of a click.

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as slept } from 'node:timers/promises';

import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright-core';

const EXTENSION = join(import.meta.dirname, '../../../extension');

/** The scheme and width of the window. */
export type Look = { readonly colorScheme: 'light' | 'dark'; readonly width: number };

type ShownPage = { readonly url: string; readonly html: string | Buffer };

/** What the card says. */
export type Card = {
  readonly heading: string;
  readonly status: string;
  /** Name, value and place of each row. */
  readonly rows: readonly (readonly [string, string, string])[];
  readonly links: readonly string[];
  readonly height: number;
};

export type Reading = {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly card: Card;
  /** The page as the extension found it. */
  readonly html: string;
  /** From the click to the complete card. */
  readonly ms: number;
};

export type ExtensionBrowser = AsyncDisposable & {
  readonly version: string;
  readonly context: BrowserContext;
  /** Saves address and key in the page of options; returns what it says. */
  readonly saveOptions: (address: string, key: string) => Promise<string>;
  /** Shows a page in a tab, clicks the action and waits for the card. The caller closes the tab. */
  readonly read: (shown: ShownPage) => Promise<Reading>;
};

/** `folder`: an empty one, for a copy that may contact this machine without a question, which nobody could answer here. */
export async function launchWithExtension(
  executablePath: string,
  folder: string,
  { colorScheme, width }: Look,
): Promise<ExtensionBrowser> {
  const copy = join(folder, 'extension');
  cpSync(EXTENSION, copy, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(EXTENSION, 'manifest.json'), 'utf8')) as object;
  const granted = { ...manifest, host_permissions: ['http://127.0.0.1/*'] };
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify(granted));
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    headless: false,
    locale: 'en-US',
    colorScheme,
    viewport: { width, height: 900 },
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      '--headless=new',
      `--disable-extensions-except=${copy}`,
      `--load-extension=${copy}`,
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      '--enable-unsafe-extension-debugging',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const { host: id } = new URL(worker.url());
  const browser = context.browser();
  if (browser === null) throw new Error('the browser cannot be asked');
  const root = await browser.newBrowserCDPSession();
  const click = async (address: string): Promise<void> => {
    const { targetInfos } = await root.send('Target.getTargets', { filter: [{ type: 'tab' }] });
    const targetId = targetInfos.find(({ url }) => url === address)?.targetId;
    // The protocol's types do not know the command yet.
    await root.send('Extensions.triggerAction' as never, { id, targetId } as never);
  };
  return {
    version: browser.version(),
    context,
    saveOptions: async (address, key) => {
      const options = await context.newPage();
      await options.goto(`chrome-extension://${id}/options.html`);
      await options.waitForSelector('button:enabled');
      await options.fill('#address', address);
      await options.fill('#key', key);
      await options.press('#key', 'Enter');
      await options.waitForSelector('[role="status"]:not(:empty)');
      const said = await options.innerText('[role="status"]');
      await options.close();
      return said;
    },
    read: async (shown) => {
      const page = await tabWith(context, shown);
      const html = await page.evaluate(() => document.documentElement.outerHTML);
      const cdp = await context.newCDPSession(page);
      const errors: string[] = [];
      page.on('pageerror', ({ stack = '' }) => stack.includes('card.js') && errors.push(stack));
      let startMs = performance.now();
      await click(page.url());
      const card = await shownCard(cdp, errors, async () => {
        // Now and then the browser takes the rights of a click back that follows a navigation at once, as no person's does.
        if (!(await worker.evaluate(TAKES_REFUSAL))) return;
        startMs = performance.now();
        await click(page.url());
      });
      return { page, cdp, card, html, ms: performance.now() - startMs };
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Runs in the extension: whether the page in front could not be read; the button then says nothing any more. */
const TAKES_REFUSAL = `(async () => {
  const [{ id: tabId }] = await chrome.tabs.query({ active: true });
  const isRefused = (await chrome.action.getTitle({ tabId })).startsWith('This page cannot be read');
  if (isRefused) await chrome.action.setTitle({ tabId, title: 'again' });
  return isRefused;
})()`;

/** Nothing but the page itself is loaded, and a script of it cannot lead elsewhere. */
async function tabWith(context: BrowserContext, { url, html }: ShownPage): Promise<Page> {
  const page = await context.newPage();
  let isShown = false;
  await page.route('**/*', async (route) => {
    if (!route.request().isNavigationRequest()) return await route.abort();
    if (isShown) return await route.fulfill({ status: 204 });
    isShown = true;
    return await route.fulfill({ contentType: 'text/html', body: html });
  });
  await page.goto(url, { waitUntil: 'commit' });
  // Sooner, the browser may count the page as a new one, for which the click gave no rights. Some recorded pages never load.
  await page.waitForLoadState('load', { timeout: 3_000 }).catch(() => undefined);
  return page;
}

/** Waits at most 20 s for a card that is complete. `errors`: of the extension in the page; `tryAgain` is called while there is none. */
async function shownCard(
  cdp: CDPSession,
  errors: readonly string[],
  tryAgain: () => Promise<void>,
): Promise<Card> {
  const untilMs = performance.now() + 20_000;
  for (;;) {
    const card = await cardIn(cdp);
    if (card !== null && card.status !== 'Reading this page…') return card;
    if (errors.length > 0) throw new Error(errors.join('\n'));
    if (performance.now() > untilMs) {
      throw new Error(card === null ? 'no card appeared' : 'the card still waits');
    }
    if (card === null) await tryAgain();
    await slept(10);
  }
}

/** Returns the card; null without one. Scripts of the page cannot see into it, the protocol can. */
export async function cardIn(cdp: CDPSession): Promise<Card | null> {
  const { root } = await cdp.send('DOM.getDocument', { depth: 0 });
  const selector = '[data-openshelf]';
  const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  if (nodeId === 0) return null;
  const { node } = await cdp.send('DOM.describeNode', { nodeId, depth: 1, pierce: true });
  const backendNodeId = node.shadowRoots?.[0]?.backendNodeId;
  if (backendNodeId === undefined) return null;
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId });
  const { result } = await cdp.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: String(cardOfRoot),
    returnByValue: true,
  });
  return result.value as Card;
}

/** Runs in the page. */
function cardOfRoot(this: ShadowRoot): Card {
  const words = (node: Element | null) => node?.textContent ?? '';
  return {
    heading: words(this.querySelector('h2')),
    status: words(this.querySelector('[role="status"]')),
    rows: [...this.querySelectorAll('tr')].map((row) => [
      words(row.querySelector('th')),
      row.querySelector('td')?.firstChild?.textContent ?? '',
      words(row.querySelector('small')),
    ]),
    links: [...this.querySelectorAll('a')].map(({ href }) => href),
    height: this.querySelector('section')?.getBoundingClientRect().height ?? 0,
  };
}
