// Failures: hostile texts, errors of each kind, expiring keys, a service that is temporarily unavailable.

import { FAULT_CODES } from '../../../src/base/fault.ts';
import { DEFAULT_SCOPES } from '../../../src/base/scopes.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { lastJson, runProgram, serveProgram } from '../../../tests/support/program.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';
import { cardOf, DESK, look, signedIn, textOf, unless, type Check } from './acts.ts';
import { openWatched } from './browser.ts';
import { HOSTILE, TITLES } from './stage.ts';

const TITLES_CHECK: Check = {
  name: 'hostile titles are texts: nothing runs, nothing turns around, nothing overflows',
  run: async (parts) => {
    const found: string[] = [];
    for (const view of [DESK, { width: 390, scheme: 'light' } as const]) {
      for (const path of Object.keys(TITLES)) {
        const watched = await signedIn(parts, view);
        const { page } = watched;
        await cardOf(page, `${HOSTILE}${path}`);
        const title = await textOf(page, 'h1');
        const marks = /[\u202a-\u202e\u2066-\u2069]/.test(title);
        const made = await page
          .locator('.card h1 :is(script, img), .card img:not(.picture img)')
          .count();
        found.push(
          ...unless(
            title.length > 0 && title.length <= 301,
            `${path}: a title of ${title.length} characters`,
          ),
          ...unless(!marks, `${path}: marks of direction in the title`),
          ...unless(made === 0, `${path}: the title became an element`),
          ...unless((await page.title()) !== 'owned', `${path}: a script ran`),
          ...(await watched.complaints()).map((each) => `${path}: ${each}`),
        );
        await parts.shot(page, `hostile${path.replace('/', '-')}-${view.width}`);
        await watched.close();
      }
    }
    return found;
  },
};

const ERRORS: Check = {
  name: 'each kind of error is explained in words: its title, what to do, and its code',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    const found: string[] = [];
    const signsOut = new Set(['missing_api_key', 'invalid_api_key', 'throttled', 'overloaded']);
    for (const code of FAULT_CODES.filter((each) => !signsOut.has(each))) {
      const detail = `What happened with ${code}, and what to do.`;
      const body = {
        type: 'x',
        title: `Title of ${code}`,
        status: 400,
        detail,
        code,
        error: detail,
      };
      await page.route('**/v1/products/**', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify(body),
        }),
      );
      await look(page, '614141000005');
      await page.waitForSelector('.problem-box');
      const text = await textOf(page, '.problem-box');
      found.push(
        ...unless(
          [body.title, detail, code].every((part) => text.includes(part)),
          `${code}: “${text}”`,
        ),
      );
      await page.unroute('**/v1/products/**');
    }
    for (const wrong of ['nonsense', '614141000006', 'http://127.0.0.1/', `${HOSTILE}/none`]) {
      await look(page, wrong);
      await page.waitForSelector('.problem-box', { timeout: 30_000 });
      const text = await textOf(page, '.problem-box');
      found.push(...unless(text.length > 60, `${wrong}: “${text}”`));
      if (wrong === '614141000006') await parts.shot(page, 'error-check-digit');
    }
    found.push(...(await watched.complaints()));
    await watched.close();
    return found;
  },
};

const EXPIRED: Check = {
  name: 'a revoked key signs out with an explanation, and the page then contains no data',
  run: async (parts) => {
    const { accounts } = parts.stage.service.app.store;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, parts.stage.known);
    const session = await page.evaluate(() => localStorage.getItem('openshelf.session') ?? '');
    await accounts.revokeKey((JSON.parse(session) as { key: string }).key, Date.now());
    await look(page, parts.stage.known);
    await page.waitForSelector('#key-problem:not(:empty)');
    const text = await textOf(page, '#key-problem');
    const kept = await page.evaluate(() => localStorage.length);
    const found = [
      ...unless(
        text.includes('expired') && text.includes('openshelf console'),
        `it says “${text}”`,
      ),
      ...unless((await page.locator('.card').count()) === 0, 'the card is still there'),
      ...unless(kept === 0, 'the session is still kept'),
      ...(await watched.complaints()),
    ];
    await parts.shot(page, 'key-ended');
    await watched.close();
    return found;
  },
};

const ENDS: Check = {
  name: 'a key that expires signs out with an explanation in the middle of the work',
  run: async (parts) => {
    const { service, known } = parts.stage;
    const { accounts, sql } = service.app.store;
    const request = { organization: 'test', note: 'short', scopes: DEFAULT_SCOPES };
    const { id, text } = await issueKey(accounts, request, Date.now());
    const watched = await openWatched(parts.browser, DESK, service.url);
    const { page } = watched;
    await page.goto(`${service.url}/console#key=${text}`);
    await cardOf(page, known);
    // However long the card took, the key has expired now, and the service has noticed.
    const params = [Date.now(), id];
    await sql.write([{ text: 'update api_keys set expires_at_ms = $1 where id = $2', params }]);
    const headers = { authorization: `Bearer ${text}` };
    while ((await fetch(`${service.url}/v1/usage`, { headers })).status !== 401);
    // The session is read again half a second after the key was, at the latest.
    await page.waitForTimeout(600);
    await page.click('text=Calculate (3 tokens)');
    await page.waitForSelector('#key-problem:not(:empty)');
    const words = await textOf(page, '#key-problem');
    const found = [
      ...unless(/has expired/.test(words), `it says “${words}”`),
      ...unless((await page.locator('.card').count()) === 0, 'the card is still there'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const RESTART: Check = {
  name: 'a killed service is asked again, and the card appears when it is restarted; the sign-in stays valid, in a new tab too',
  run: async ({ browser, shot }) => {
    using folder = temporaryFolder();
    const data = ['--sandbox', '--data', folder.path];
    const first = await serveProgram([...data, '--port', '0']);
    const { port } = new URL(first.url);
    const made = lastJson(
      await runProgram(['console', '--data', folder.path, '--url', first.url, '--json']),
    ) as { address: string };
    const watched = await openWatched(browser, DESK, first.url);
    const { page } = watched;
    await page.goto(made.address);
    await page.waitForSelector('#query');
    await cardOf(page, '614141000005');
    await first.stop('SIGKILL');
    await look(page, '614141000005');
    await page.waitForSelector('text=may be restarting');
    await shot(page, 'service-gone');
    const second = await serveProgram([...data, '--port', port]);
    await page.waitForSelector('.card h1', { timeout: 60_000 });
    const tab = await page.context().newPage();
    await tab.goto(`${second.url}/console/devices`);
    await tab.waitForSelector('#sessions [data-session]');
    const found = await watched.complaints();
    await watched.close();
    await second.stop('SIGTERM');
    return found;
  },
};

const WAY_OUT: Check = {
  name: 'a key that may not see the page can be signed out; the lookup leaves the address with it, and outlives an expired key',
  run: async (parts) => {
    const { service, known } = parts.stage;
    const watched = await openWatched(parts.browser, DESK, service.url);
    const { page } = watched;
    await page.route('**/v1/usage', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          title: 'x',
          status: 403,
          detail: 'No.',
          code: 'insufficient_scope',
        }),
      }),
    );
    await page.goto(await parts.stage.address());
    await page.waitForSelector('#content .problem');
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form:not([hidden])');
    const kept = await page.evaluate(() => localStorage.length);
    await page.unroute('**/v1/usage');
    const address = (await parts.stage.address()).replace('/console', `/console?q=${known}`);
    // A key that had expired before anything was shown: signing in again leads to the requested page.
    const ended = address.replace(/.$/, (letter) => (letter === 'a' ? 'b' : 'a'));
    await page.goto(ended);
    await page.waitForSelector('#key-problem:not(:empty)');
    const before = new URL(page.url()).search;
    await page.goto(address);
    await page.waitForSelector('.card h1');
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form:not([hidden])');
    const after = new URL(page.url()).search;
    const found = [
      ...unless(kept === 0, 'the session is still kept'),
      ...unless(before === `?q=${known}`, `with an expired key the address has “${before}”`),
      ...unless(after === '', `signed out the address has “${after}”`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const TROUBLE_CHECKS: readonly Check[] = [
  TITLES_CHECK,
  ERRORS,
  EXPIRED,
  ENDS,
  WAY_OUT,
  RESTART,
];
