// An address with a sign-in key, opened by somebody who is already signed in: the question, and what must remain unchanged
// until it is answered.

import type { Page } from 'playwright-core';

import { DEFAULT_SCOPES } from '../../../src/base/scopes.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { cardOf, DESK, everyView, signedIn, textOf, unless, type Check } from './acts.ts';
import type { CheckParts } from './acts.ts';
import { openWatched } from './browser.ts';
import type { Stage } from './stage.ts';

/** An organization name chosen by somebody who wants to inject code. */
const OTHER = '<img src=x onerror=alert(1)> & "Söhne"';
const QUESTION = 'dialog.question[open]';

async function keyOf({ service }: Stage, organization: string): Promise<string> {
  const request = { organization, note: 'console', scopes: DEFAULT_SCOPES };
  return (await issueKey(service.app.store.accounts, request, Date.now())).text;
}

const addressWith = ({ service }: Stage, key: string, path = '/console') =>
  `${service.url}${path}#key=${key}`;

const keptIn = (page: Page) => page.evaluate(() => localStorage.getItem('openshelf.session'));

/** Returns the public part of the key that a browser is signed in with. */
const keyIn = (kept: string | null) => (JSON.parse(kept ?? '{}') as { key?: string }).key;

/** Waits until the page shows who is signed in. */
const untilWho = (page: Page, organization: string) =>
  page.waitForFunction(
    (name) => document.querySelector('.who b')?.textContent === name,
    organization,
  );

/** Checks what must hold while the question is open. */
async function whileAsked(page: Page, kept: string | null, present: string) {
  const text = await textOf(page, QUESTION);
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  return [
    ...unless(text.includes(present) && text.includes(OTHER), `it says “${text}”`),
    ...unless(focused === `Stay with ${present}`, `the focus is on “${focused}”`),
    ...unless((await keptIn(page)) === kept, 'the sign-in was replaced before the answer'),
    ...unless(!page.url().includes('osk_'), `the address is ${page.url()}`),
    ...unless((await page.locator('dialog img').count()) === 0, 'a name became an element'),
  ];
}

const ASKED: Check = {
  name: 'an address of another organization asks first, naming both: Escape stays and keeps the page; the other answer switches',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, stage.known);
    const kept = await keptIn(page);
    const key = await keyOf(stage, OTHER);
    const asOther: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['authorization'] === `Bearer ${key}`) asOther.push(request.url());
    });
    const here = page.url();
    await page.goto(`${here}#key=${key}`);
    await page.waitForSelector(QUESTION);
    const found = await whileAsked(page, kept, 'test');
    await page.keyboard.press('Escape');
    await page.waitForSelector(QUESTION, { state: 'detached' });
    found.push(
      ...unless((await keptIn(page)) === kept, 'Escape switched'),
      ...unless((await page.locator('.card h1').count()) === 1, 'Escape took the card away'),
      ...unless(
        asOther.every((url) => url.endsWith('/v1/usage')),
        `asked with its key: ${asOther.join(' ')}`,
      ),
    );
    await page.goto(`${here}#key=${key}`);
    await page.click(`${QUESTION} [data-act="switch"]`);
    await untilWho(page, OTHER);
    found.push(
      ...unless(
        keyIn(await keptIn(page)) === key.slice(9, 17),
        'the key is not that of the address',
      ),
      ...(await watched.complaints()),
    );
    await watched.close();
    return found;
  },
};

const LOADED: Check = {
  name: 'the question precedes the page that is opened with it; a reload and Back mean no, and find no key',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await signedIn(parts);
    const { page } = watched;
    const kept = await keptIn(page);
    const key = await keyOf(stage, OTHER);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(addressWith(stage, key, `/console/watches?from=letter`));
    await page.waitForSelector(QUESTION);
    const found = [
      ...(await whileAsked(page, kept, 'test')),
      ...unless(!asked.some((url) => url.includes('/v1/watches')), 'the page went on meanwhile'),
    ];
    await page.reload();
    await untilWho(page, 'test');
    found.push(
      ...unless((await page.locator('dialog').count()) === 0, 'it asks again after a reload'),
    );
    await page.goto(addressWith(stage, key));
    await page.waitForSelector(QUESTION);
    await page.goBack();
    await untilWho(page, 'test');
    await page.goForward();
    await untilWho(page, 'test');
    found.push(
      ...unless((await keptIn(page)) === kept, 'the sign-in was replaced'),
      ...unless((await page.locator('dialog').count()) === 0, 'Forward asks again'),
      ...(await watched.complaints()),
    );
    await watched.close();
    return found;
  },
};

const NO_KEYS: Check = {
  name: 'an address with a key that has expired, is unknown or is cut off changes nothing, and says so',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await signedIn(parts);
    const { page } = watched;
    const kept = await keptIn(page);
    const revoked = await keyOf(stage, OTHER);
    await stage.service.app.store.accounts.revokeKey(revoked.slice(9, 17), Date.now());
    const unknown = revoked.replace(/.$/, (letter) => (letter === 'a' ? 'b' : 'a'));
    const found: string[] = [];
    for (const [given, says] of [
      [revoked, 'has expired, or it was revoked'],
      [unknown, 'has expired, or it was revoked'],
      [revoked.slice(0, 30), 'a complete code'],
      ['', 'a complete code'],
    ] as const) {
      for (const path of ['/console', '/console/channels']) {
        await page.goto(addressWith(stage, given, path));
        await page.waitForSelector(QUESTION);
        const text = await textOf(page, QUESTION);
        found.push(
          ...unless(text.includes(says) && text.includes('signed in as test'), `“${text}”`),
          ...unless((await keptIn(page)) === kept, `${says}: the sign-in was replaced`),
          ...unless(!page.url().includes('#key'), `${says}: ${page.url()}`),
        );
        await page.keyboard.press('Enter');
        await page.waitForSelector(QUESTION, { state: 'detached' });
        await untilWho(page, 'test');
      }
    }
    await page.click('text=Sign out');
    for (const [given, says] of [
      [revoked, 'has expired'],
      ['osk_live_cut', 'a complete code'],
    ] as const) {
      await page.goto(addressWith(stage, given));
      await page.waitForFunction(
        (words) => document.querySelector('#key-problem')?.textContent.includes(words) === true,
        says,
      );
    }
    found.push(...unless((await keptIn(page)) === null, 'a key that signs nobody in is kept'));
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const SAME: Check = {
  name: 'another key of the same organization signs in without a question; a tab whose own sign-in has expired is not asked either',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await signedIn(parts);
    const { page } = watched;
    const found: string[] = [];
    for (const organization of ['test', OTHER]) {
      const key = await keyOf(stage, organization);
      await page.goto(addressWith(stage, key, '/console/watches'));
      await page.waitForFunction(
        (wanted) => localStorage.getItem('openshelf.session')?.includes(wanted) === true,
        key.slice(9, 17),
      );
      await untilWho(page, organization);
      found.push(
        ...unless((await page.locator('dialog').count()) === 0, `${organization}: it asks`),
      );
      await stage.service.app.store.accounts.revokeKey(key.slice(9, 17), Date.now());
      // Within half a second every process knows.
      const headers = { authorization: `Bearer ${key}` };
      while ((await fetch(`${stage.service.url}/v1/usage`, { headers })).status !== 401);
    }
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const TABS: Check = {
  name: 'all tabs of a browser have one sign-in: who stays changes none of them, who switches switches all',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await signedIn(parts);
    const { page } = watched;
    const kept = await keptIn(page);
    const key = await keyOf(stage, OTHER);
    const tab = await page.context().newPage();
    await tab.goto(addressWith(stage, key));
    await tab.waitForSelector(QUESTION);
    const found = [...(await whileAsked(tab, kept, 'test'))];
    await tab.keyboard.press('Enter');
    await untilWho(tab, 'test');
    found.push(...unless((await keptIn(page)) === kept, 'who stays is signed in otherwise'));
    await tab.goto('about:blank');
    await tab.goto(addressWith(stage, key));
    await tab.click(`${QUESTION} [data-act="switch"]`);
    await untilWho(tab, OTHER);
    await untilWho(page, OTHER);
    await tab.click('text=Sign out');
    await page.waitForSelector('#key-form:not([hidden])');
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const SLOW: Check = {
  name: 'over a slow network nothing is replaced and the address is clean meanwhile; the newest of several addresses wins',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await signedIn(parts);
    const { page } = watched;
    const kept = await keptIn(page);
    const key = await keyOf(stage, OTHER);
    const released = Promise.withResolvers<void>();
    await page.route('**/v1/usage', async (route) => {
      await released.promise;
      await route.continue().catch(() => undefined);
    });
    await page.goto(addressWith(stage, key, '/console/channels'));
    await page.waitForSelector('text=Checking the code');
    const found = [
      ...unless((await keptIn(page)) === kept, 'the sign-in was replaced before an answer'),
      ...unless(!page.url().includes('osk_'), `the address is ${page.url()}`),
    ];
    await page.goto(addressWith(stage, await keyOf(stage, 'Third'), '/console/channels'));
    released.resolve();
    await page.waitForSelector(QUESTION);
    const text = await textOf(page, QUESTION);
    const dialogs = await page.locator('dialog').count();
    found.push(
      ...unless(text.includes('Third') && !text.includes(OTHER), `it says “${text}”`),
      ...unless(dialogs === 1, `${dialogs} questions`),
    );
    await page.keyboard.press('Escape');
    await untilWho(page, 'test');
    found.push(...unless((await keptIn(page)) === kept, 'the sign-in was replaced'));
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const UNSTORED: Check = {
  name: 'without storage an address signs in for its page, and another one still asks',
  run: async (parts) => {
    const { stage } = parts;
    const watched = await openWatched(parts.browser, DESK, stage.service.url);
    const { page } = watched;
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(globalThis, name, {
          get: () => {
            throw new DOMException('storage is off', 'SecurityError');
          },
        });
      }
    });
    await page.goto(await stage.address());
    await untilWho(page, 'test');
    await page.goto(addressWith(stage, await keyOf(stage, OTHER)));
    await page.waitForSelector(QUESTION);
    await page.keyboard.press('Escape');
    await untilWho(page, 'test');
    await page.goto(addressWith(stage, await keyOf(stage, OTHER)));
    await page.click(`${QUESTION} [data-act="switch"]`);
    await untilWho(page, OTHER);
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form:not([hidden])');
    const found = await watched.complaints();
    await watched.close();
    return found;
  },
};

/** Asks with two names of the maximum length, and a page behind them. */
async function askWithLongNames({ stage }: CheckParts, page: Page): Promise<void> {
  const long = `${'Northern Lights Wholesale & Sons '.repeat(3)}GmbH`.slice(0, 100);
  await cardOf(page, stage.known);
  await page.goto(`${page.url()}#key=${await keyOf(stage, long)}`);
  await page.waitForSelector(QUESTION);
}

export const OFFER_CHECKS: readonly Check[] = [
  ASKED,
  LOADED,
  NO_KEYS,
  SAME,
  TABS,
  SLOW,
  UNSTORED,
  everyView('question', async (parts, { page }) => {
    await page.goto(`${page.url()}#key=${await keyOf(parts.stage, 'Kettle & Lantern Resale')}`);
    await page.waitForSelector(QUESTION);
  }),
  everyView('question-long', async (parts, { page }) => askWithLongNames(parts, page)),
  everyView('question-refused', async ({ stage }, { page }) => {
    await page.goto(addressWith(stage, 'osk_live_cut'));
    await page.waitForSelector(QUESTION);
  }),
];
