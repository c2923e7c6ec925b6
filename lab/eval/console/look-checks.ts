// Looking one product up: signing in, a row that turns, the chart, keys alone.

import { cardOf, DESK, look, signedIn, textOf, unless, type Check } from './acts.ts';
import { openWatched } from './browser.ts';
import { PROFIT } from './profit-checks.ts';
import { KNOWN_DAYS } from './stage.ts';

const SIGN_IN: Check = {
  name: 'the code leaves the address at once and signs in; scripts see half of the session and no cookie',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    const url = page.url();
    const kept = await page.evaluate(() => [
      sessionStorage.length,
      localStorage.length,
      document.cookie.length,
    ]);
    const found = [
      ...unless(!url.includes('code='), `the address still has the code: ${url}`),
      ...unless(
        JSON.stringify(kept) === '[0,1,0]',
        `kept in storage and cookies: ${JSON.stringify(kept)}`,
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const PASTED: Check = {
  name: 'an address pasted into the tab that asks for the key signs in; signing out stops a table and removes its product’s name',
  run: async ({ browser, stage }) => {
    const { url } = stage.service;
    const watched = await openWatched(browser, DESK, url);
    const { page } = watched;
    await page.goto(`${url}/console`);
    await page.waitForSelector('#key-form:not([hidden])');
    const title = await page.title();
    await page.goto(await stage.address());
    await page.waitForSelector('#query');
    const address = page.url();
    let calls = 0;
    await page.route('**/v1/products/**', async (route) => {
      calls += 1;
      await route.continue();
    });
    await page.fill('#query', stage.codes.slice(0, 40).join('\n'));
    await page.press('#query', 'Enter');
    await page.waitForSelector('table.lines');
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form:not([hidden])');
    const before = calls;
    await page.waitForTimeout(1_000);
    const after = await page.title();
    const found = [
      ...unless(!address.includes('code='), `the address still has the code: ${address}`),
      ...unless(calls === before, `${calls - before} calls were sent after signing out`),
      ...unless(after === title, `the title is still ${after}`),
    ];
    await watched.close();
    return found;
  },
};

const TURNS: Check = {
  name: 'a row that is being asked updates by itself, and the focus on a link of another row stays there',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await look(page, parts.stage.codes[40] ?? '');
    await page.waitForSelector('tr[data-status="indexing"]', { timeout: 20_000 });
    await page.locator('.shops a').first().focus();
    await page.waitForFunction(
      () => document.querySelector('tr[data-status="indexing"]') === null,
      null,
      { timeout: 60_000 },
    );
    const rows = await page.locator('.shops tbody tr').count();
    const isThere = await page.evaluate(() => document.activeElement?.closest('.shops a') !== null);
    const found = [
      ...unless(rows === 7, `${rows} rows of shops`),
      ...unless(isThere, 'the focus left the row'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const CHART: Check = {
  name: 'the chart of a known history has its days, values, gap and days without stock; arrow keys read them out',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, parts.stage.known);
    await page.click('button[data-range="1y"]');
    await page.click('.chart-section summary');
    const rows = await page
      .locator('.history tbody tr')
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.querySelectorAll('th, td')].slice(0, 2).map((cell) => cell.textContent),
        ),
      );
    const expected = KNOWN_DAYS.toReversed().map(({ daysAgo, prices }) => {
      const last = prices.at(-1) ?? null;
      return [daysAgo, last === null ? 'out of stock' : `$${last.toFixed(2)}`] as const;
    });
    const dayText = (daysAgo: number) =>
      new Intl.DateTimeFormat('en-GB', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(Date.now() - daysAgo * 86_400_000);
    // The newest row is the observation of the lookup itself.
    const wrong = expected.filter(([daysAgo, price], at) => {
      const [day, shown] = rows[at + 1] ?? [];
      return day !== dayText(daysAgo) || shown !== price;
    });
    await page.focus('.plot');
    await page.keyboard.press('Home');
    const first = await textOf(page, '.readout');
    await page.keyboard.press('ArrowRight');
    const second = await textOf(page, '.readout');
    await parts.shot(page, 'chart-year');
    const [oldest] = KNOWN_DAYS;
    const found = [
      ...unless(
        rows.length === KNOWN_DAYS.length + 1,
        `${rows.length} days in the table of ${KNOWN_DAYS.length + 1}`,
      ),
      ...unless(
        wrong.length === 0,
        `days with another value: ${JSON.stringify(wrong.slice(0, 3))}`,
      ),
      ...unless(first.startsWith(dayText(oldest?.daysAgo ?? 0)), `Home reads “${first}”`),
      ...unless(second !== first && second.includes('$'), `the arrow reads “${second}”`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const KEYBOARD: Check = {
  name: 'everything can be done with the keyboard only: look up, chart, fold, sign out',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.keyboard.press('Tab');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('/');
    await page.keyboard.type(parts.stage.known);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.card:not([aria-busy]) h1', { timeout: 60_000 });
    await page.waitForSelector('.legend-item');
    const reached = new Set<string>();
    for (let presses = 0; presses < 120; presses += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const at = document.activeElement;
        if (at === null) return '';
        if (at.classList.contains('plot')) return 'chart';
        return at.tagName === 'SUMMARY' || at.tagName === 'BUTTON'
          ? (at.textContent ?? '').trim()
          : at.id;
      });
      if (reached.has(name)) continue;
      reached.add(name);
      if (name === 'chart') await page.keyboard.press('End');
      if (name === 'Raw JSON') await page.keyboard.press('Enter');
    }
    const wanted = [
      'chart',
      '30 days',
      'The same numbers as a table',
      'Download as CSV',
      'profit-cost',
      'Raw JSON',
      'Sign out',
    ];
    const found = [
      ...wanted.filter((name) => !reached.has(name)).map((name) => `“${name}” was not reached`),
      ...unless((await textOf(page, '.readout')).includes('$'), 'the chart did not read out'),
      ...unless((await page.locator('details[open] pre').count()) > 0, 'Raw JSON did not open'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const TWICE: Check = {
  name: 'Enter pressed twice looks up once, and calculates once; looked up again once it is there',
  run: async (parts) => {
    const { known, codes, service } = parts.stage;
    // The page automatically looks up again a row that is still being asked: here every row has its answer.
    for (const code of [known, ...codes.slice(0, 3)]) {
      await service.lookup(code, '?include_cross_retailer=true');
    }
    await service.untilQueueIdle();
    const watched = await signedIn(parts);
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const calls = (part: string) => asked.splice(0).filter((url) => url.includes(part)).length;
    const LOOKUP = 'include_cross_retailer';
    // Answers are delayed until both were pressed: after they arrive, the second press is another lookup.
    let pressed = Promise.withResolvers<void>();
    await page.route('**/v1/products/*?include_cross_retailer*', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    const pressTwice = async (text: string): Promise<void> => {
      pressed = Promise.withResolvers();
      await page.fill('#query', text);
      await page.press('#query', 'Enter');
      await page.press('#query', 'Enter');
      pressed.resolve();
    };
    await pressTwice(known);
    await page.waitForSelector('.card h1');
    const one = calls(LOOKUP);
    await page.waitForSelector('.card:not([aria-busy]) .profit');
    await page.fill('#profit-cost', '5');
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('form.profit');
      form?.requestSubmit();
      form?.requestSubmit();
    });
    await page.waitForSelector('.profit-result table');
    const calculated = calls('/compare');
    await cardOf(page, known);
    const again = calls(LOOKUP);
    await pressTwice(codes.slice(0, 3).join('\n'));
    await page.waitForFunction(
      () => document.querySelectorAll('tr[data-state="done"]').length === 3,
    );
    const table = calls(LOOKUP);
    const found = [
      ...unless(one === 1, `${one} calls for a card`),
      ...unless(calculated === 1, `${calculated} calls for a calculation`),
      ...unless(again === 1, `${again} calls for the second lookup`),
      ...unless(table === 3, `${table} calls for a table of three`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const HALF: Check = {
  name: 'if the longer history cannot be read, the chart says so and does not call a year all; once it is read, it is all',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, parts.stage.known);
    const detail = 'The history is being compacted.';
    await page.route('**/history?*timeframe=all*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'x', status: 500, detail, code: 'internal' }),
      }),
    );
    const pressed = () => textOf(page, '.ranges [aria-pressed="true"]');
    await page.click('button[data-range="all"]');
    await page.waitForSelector('.chart-section .problem');
    const words = await textOf(page, '.chart-section .problem');
    const shown = await pressed();
    await page.unroute('**/history?*timeframe=all*');
    await page.click('button[data-range="all"]');
    await page.waitForSelector('[data-range="all"][aria-pressed="true"]');
    const left = await page.locator('.chart-section .problem').count();
    const found = [
      ...unless(
        words === `Prices before the last year could not be read. ${detail}`,
        `it says “${words}”`,
      ),
      ...unless(shown === '90 days', `“${shown}” is pressed`),
      ...unless(left === 0, 'the problem is still shown when everything is shown'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const LOOK_CHECKS: readonly Check[] = [
  SIGN_IN,
  PASTED,
  TURNS,
  CHART,
  KEYBOARD,
  TWICE,
  HALF,
  PROFIT,
];
