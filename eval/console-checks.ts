// What a person does on the console, and what must be so then. Each check returns sentences about what was not.

import type { Browser, Page } from 'playwright-core';

import { FAULT_CODES } from '../src/core/fault.ts';
import { publicOrigins } from '../src/retailers/public-origins.ts';
import { axeFindings, openWatched, VIEWS, type View, type Watched } from './console-browser.ts';
import { HOSTILE, KNOWN_DAYS, TITLES, type Stage } from './console-stage.ts';

export type CheckParts = {
  readonly stage: Stage;
  readonly browser: Browser;
  /** Keeps a picture of the page; does nothing unless pictures are wanted. */
  readonly shot: (page: Page, name: string) => Promise<void>;
};

export type Check = {
  readonly name: string;
  readonly run: (parts: CheckParts) => Promise<readonly string[]>;
};

const DESK: View = { width: 1440, scheme: 'light' };

async function signedIn(
  { stage, browser }: CheckParts,
  view: View = DESK,
  isAdmin = false,
): Promise<Watched> {
  const watched = await openWatched(browser, view, stage.service.url);
  await watched.page.goto(await stage.address(isAdmin));
  await watched.page.waitForSelector('#query');
  return watched;
}

async function look(page: Page, text: string): Promise<void> {
  await page.fill('#query', text);
  await page.press('#query', 'Enter');
}

async function cardOf(page: Page, text: string): Promise<void> {
  await look(page, text);
  await page.waitForSelector('.card:not([aria-busy]) h1', { timeout: 60_000 });
  await page.waitForSelector('.chart-section :is(.legend-item, p)');
}

const textOf = (page: Page, selector: string) =>
  page.locator(selector).first().innerText({ timeout: 10_000 });

/** A sentence unless it is so. */
const unless = (isSo: boolean, sentence: string): readonly string[] => (isSo ? [] : [sentence]);

/** A page at both widths in both schemes: nothing complained of, no serious finding of axe. */
function everyView(
  name: string,
  act: (parts: CheckParts, watched: Watched) => Promise<void>,
  isAdmin = false,
): Check {
  return {
    name: `${name}: at 390 and 1,440 px, light and dark, nothing wider than the window, no finding of axe`,
    run: async (parts) => {
      const found: string[] = [];
      for (const view of VIEWS) {
        const watched = await signedIn(parts, view, isAdmin);
        await act(parts, watched);
        await parts.shot(watched.page, `${name}-${view.width}-${view.scheme}`);
        const complaints = [...(await watched.complaints()), ...(await axeFindings(watched.page))];
        found.push(...complaints.map((each) => `${view.width} px, ${view.scheme}: ${each}`));
        await watched.close();
      }
      return found;
    },
  };
}

const SIGN_IN: Check = {
  name: 'the key leaves the address at once, goes into sessionStorage alone, and signs in',
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
      ...unless(!url.includes('osk_'), `the address still has the key: ${url}`),
      ...unless(
        JSON.stringify(kept) === '[1,0,0]',
        `kept in storage and cookies: ${JSON.stringify(kept)}`,
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const TURNS: Check = {
  name: 'a row that is being asked turns by itself',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await look(page, parts.stage.codes[40] ?? '');
    await page.waitForSelector('tr[data-status="indexing"]', { timeout: 20_000 });
    await page.waitForFunction(
      () => document.querySelector('tr[data-status="indexing"]') === null,
      null,
      { timeout: 60_000 },
    );
    const rows = await page.locator('.shops tbody tr').count();
    const found = [...unless(rows === 7, `${rows} rows of shops`), ...(await watched.complaints())];
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
    // The newest row is what the lookup itself saw today.
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

const TABLE: Check = {
  name: 'thirty lines with costs: a row each, profit to the cent, sorted, and as a file',
  run: async (parts) => {
    const { codes } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await look(
      page,
      codes
        .slice(0, 30)
        .map((code, at) => `${code}\t${(at + 1).toFixed(2)}`)
        .join('\n'),
    );
    await page.waitForFunction(
      () =>
        document.querySelectorAll('tr[data-state="done"], tr[data-state="failed"]').length === 30,
      null,
      { timeout: 90_000 },
    );
    const records = await Promise.all(
      codes
        .slice(0, 30)
        .map((code) =>
          parts.stage.service.lookup(code, '?include_cross_retailer=true&identifier_match=any'),
        ),
    );
    const shown = await page
      .locator('.lines tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          ['cost', 'fees', 'profit', 'sell_at', 'retailer_w', 'retailer_a', 'retailer_e'].map(
            (column) => row.querySelector(`[data-column="${column}"]`)?.textContent ?? '',
          ),
        ),
      );
    const wrong = shown.flatMap(([cost = '', fees = '', profit = '', at = ''], line) => {
      const cells = (records[line]?.body['cross_retailer'] ?? {}) as Record<string, Cell>;
      const slug = SLUG_OF_HOST[at];
      if (slug === undefined) return profit === '–' ? [] : [`line ${line}: profit without a shop`];
      const cell = cells[slug];
      const feesOf =
        cents(cell?.seller_context?.referral_fee_usd) +
        cents(cell?.seller_context?.fulfillment_fee_usd);
      const left =
        cents(cell?.price) - feesOf - cents(Number(cost.slice(1))) * (cell?.pack_count ?? 1);
      const right = [dollars(feesOf), dollars(left)];
      return JSON.stringify([fees, profit]) === JSON.stringify(right)
        ? []
        : [`line ${line}: ${fees} and ${profit}, not ${right.join(' and ')}`];
    });
    await page.click('th[data-column="profit"] button');
    const sorted = await page.locator('td[data-column="profit"]').allInnerTexts();
    const numbers = sorted
      .filter((text) => text !== '–')
      .map((text) => Number(text.replace('−', '-').replace(/[$,]/g, '')));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('text=Download as CSV'),
    ]);
    const file = await (await download.createReadStream()).toArray();
    const lines = Buffer.concat(file as Buffer[])
      .toString()
      .trim()
      .split('\r\n');
    await parts.shot(page, 'table-thirty');
    const found = [
      ...unless(shown.length === 30, `${shown.length} rows`),
      ...unless(
        shown.filter(([, , profit]) => profit !== '–').length > 5,
        'hardly a line has a profit',
      ),
      ...wrong,
      ...unless(
        numbers.every((value, at) => at === 0 || value <= (numbers[at - 1] ?? value)),
        'not sorted by profit',
      ),
      ...unless(lines.length === 31, `${lines.length} lines in the file`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

type Cell = {
  readonly price: number | null;
  readonly pack_count: number | null;
  readonly seller_context: {
    readonly referral_fee_usd: number | null;
    readonly fulfillment_fee_usd: number | null;
  } | null;
};

const SLUG_OF_HOST = Object.fromEntries(
  Object.entries(publicOrigins()).map(([slug, { page }]) => [
    new URL(page).host.replace(/^www\./, ''),
    slug,
  ]),
) as Readonly<Record<string, string>>;
const cents = (value: number | null | undefined) => Math.round((value ?? 0) * 100);
const dollars = (value: number) => `${value < 0 ? '−' : ''}$${(Math.abs(value) / 100).toFixed(2)}`;

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
  name: 'each kind of error stands in words: its title, what to do, and its code',
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
  name: 'a key that is revoked signs out with words, and the page holds no data then',
  run: async (parts) => {
    const { accounts } = parts.stage.service.app.store;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, parts.stage.known);
    const key = await page.evaluate(() => sessionStorage.getItem('openshelf.key'));
    await accounts.revokeKey((key ?? '').slice(9, 17), Date.now());
    await look(page, parts.stage.known);
    await page.waitForSelector('#key-problem:not(:empty)');
    const text = await textOf(page, '#key-problem');
    const kept = await page.evaluate(() => sessionStorage.length);
    const found = [
      ...unless(text.includes('ended') && text.includes('openshelf console'), `it says “${text}”`),
      ...unless((await page.locator('.card').count()) === 0, 'the card is still there'),
      ...unless(kept === 0, 'the key is still kept'),
      ...(await watched.complaints()),
    ];
    await parts.shot(page, 'key-ended');
    await watched.close();
    return found;
  },
};

const RESTART: Check = {
  name: 'a service that does not answer is asked again, and the card comes when it does',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    let refused = 0;
    await page.route('**/v1/products/**', async (route) => {
      refused += 1;
      if (refused <= 2) await route.abort('connectionrefused');
      else await route.continue();
    });
    await look(page, parts.stage.known);
    await page.waitForSelector('text=may be restarting');
    await page.waitForSelector('.card h1', { timeout: 20_000 });
    const found = await watched.complaints();
    await watched.close();
    return found;
  },
};

const MANY: Check = {
  name: '2,000 lines pasted: what it costs is said first, and the first hundred are there while the page still answers',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    // No identifiers: answered at once, and not billed.
    const text = Array.from({ length: 2_000 }, (_, at) => `no code ${at}`).join('\n');
    const startedMs = performance.now();
    await page.evaluate((lines) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', lines);
      const paste = new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true });
      document.querySelector('#query')?.dispatchEvent(paste);
    }, text);
    await page.press('#query', 'Enter');
    await page.waitForSelector('text=This costs 6,000 tokens');
    const ms = performance.now() - startedMs;
    await parts.shot(page, 'table-two-thousand');
    await page.click('text=Look up 2,000 lines');
    await page.waitForFunction(
      () =>
        document.querySelectorAll('tr[data-state="failed"], tr[data-state="done"]').length >= 100,
      null,
      { timeout: 60_000 },
    );
    const found = [
      ...unless(ms < 5_000, `the table took ${Math.round(ms)} ms`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const KEYBOARD: Check = {
  name: 'everything can be done with keys alone: look up, chart, fold, sign out',
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

const OPERATOR: Check = {
  name: 'the operator makes, rotates and revokes a key; a key without the scope is told so',
  run: async (parts) => {
    const plain = await signedIn(parts);
    await plain.page.goto(`${parts.stage.service.url}/console/operator`);
    await plain.page.waitForSelector('text=openshelf console --admin');
    await parts.shot(plain.page, 'operator-refused');
    const found = [...(await plain.complaints())];
    await plain.close();
    const watched = await signedIn(parts, DESK, true);
    const { page } = watched;
    await page.goto(`${parts.stage.service.url}/console/operator`);
    await page.fill('#key-org', 'acme');
    await page.click('text=Make a key');
    const key = await textOf(page, '.secret');
    const asks = (text: string) =>
      fetch(`${parts.stage.service.url}/v1/usage`, {
        headers: { authorization: `Bearer ${text}` },
      });
    found.push(...unless((await asks(key)).status === 200, 'the key that was made does not work'));
    const id = key.slice(9, 17);
    await page.click(`button[aria-label="Revoke ${id}"]`);
    await page.click(`button[aria-label="Really revoke ${id}?"]`);
    await page.waitForSelector('text=is refused from now on');
    found.push(
      ...unless((await asks(key)).status === 401, 'the key that was revoked still works'),
      ...(await watched.complaints()),
    );
    await watched.close();
    return found;
  },
};

/** As the service answers; its own routes of watches are proven elsewhere. */
const WATCH = {
  id: 'wat_1',
  identifier: '614141000005',
  addresses: [],
  retailer: 'anchor',
  interval: '1d',
  below: 19.99,
  down_percent: 10,
  up_percent: null,
  new_low: 30,
  back_in_stock: true,
  out_of_stock: false,
  buy_box: false,
  any_change: false,
  channels: [],
  state: 'active',
  reason: null,
  next_check_at: new Date(Date.now() + 7_200_000).toISOString(),
  last_read_at: new Date(Date.now() - 7_200_000).toISOString(),
  listings: [
    {
      retailer: 'retailer_w',
      url: null,
      title: TITLES['/script'],
      price: 24.99,
      in_stock: true,
      observed_at: null,
    },
  ],
};

/** Answers every call about watches with these two, and keeps what was sent. */
async function withWatches(page: Page): Promise<readonly string[]> {
  const sent: string[] = [];
  const failing = {
    ...WATCH,
    id: 'wat_2',
    identifier: null,
    addresses: ['https://shop.example.com/p/1'],
    state: 'failing',
    reason: 'The shop refuses automated requests.',
    listings: [],
  };
  await page.route('**/v1/watches**', (route) => {
    const request = route.request();
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.postData() ?? ''}`);
    return route.fulfill({
      json: {
        watches: [WATCH, failing],
        watch: WATCH,
        notices: [],
        next: null,
        tokens_remaining: 5,
      },
    });
  });
  return sent;
}

const WATCHES: Check = {
  name: 'the button on a card leads to a watch of it, with its conditions; it is paused and removed',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    const sent = await withWatches(page);
    await cardOf(page, parts.stage.known);
    await page.click('a.button:has-text("Watch")');
    await page.waitForSelector('[data-watch="wat_1"]');
    await page.fill('#watch-below', '19,99');
    await page.click('form button:has-text("Watch")');
    await page.waitForSelector('text=1 of 1 are watched');
    await page.click('[data-watch="wat_1"] button:has-text("Pause")');
    await page.waitForSelector('text=It is paused');
    await page.click('[data-watch="wat_1"] button:has-text("Remove")');
    await page.waitForSelector('text=It is not watched any more');
    const wanted = [
      `POST {"identifier":"${parts.stage.known}","interval":"1d","below":19.99}`,
      'PATCH {"paused":true}',
      'DELETE ',
    ];
    const found = [
      ...unless(JSON.stringify(sent) === JSON.stringify(wanted), `it sent ${sent.join(', ')}`),
      ...unless(!page.url().includes('#'), 'what was sent along is still in the address'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const CHECKS: readonly Check[] = [
  SIGN_IN,
  TURNS,
  CHART,
  TABLE,
  TITLES_CHECK,
  ERRORS,
  EXPIRED,
  RESTART,
  MANY,
  KEYBOARD,
  OPERATOR,
  WATCHES,
  everyView('welcome', async (_, { page }) => {
    await page.waitForSelector('.welcome');
  }),
  everyView('card', async ({ stage }, { page }) => {
    await cardOf(page, stage.known);
    await page.waitForSelector('.picture img');
  }),
  everyView('table', async ({ stage }, { page }) => {
    await look(page, `${stage.codes.slice(0, 6).join(', 5\n')}\nnonsense`);
    await page.waitForFunction(
      () => document.querySelector('tr[data-state="waiting"], tr[data-state="asking"]') === null,
      null,
      { timeout: 60_000 },
    );
  }),
  everyView('watches', async ({ stage }, { page }) => {
    await withWatches(page);
    await page.goto(`${stage.service.url}/console/watches`);
    await page.waitForSelector('[data-watch="wat_2"]');
  }),
  everyView(
    'operator',
    async ({ stage }, { page }) => {
      await page.goto(`${stage.service.url}/console/operator`);
      await page.waitForSelector('[aria-label="List of keys"]');
    },
    true,
  ),
  everyView('signed-out', async (_, { page }) => {
    await page.click('text=Sign out');
    await page.waitForSelector('#key-form');
  }),
];
