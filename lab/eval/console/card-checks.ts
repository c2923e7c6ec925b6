// What a product's card says about it and its shops: each state in words, in a helpful order, and about the shown shop.

import { cardOf, look, signedIn, textOf, unless, type Check } from './acts.ts';
import { openWatched } from './browser.ts';
import { HOSTILE, KNOWN_DAYS } from './stage.ts';

type Cell = Record<string, unknown> & { identity: Record<string, unknown> };

/** A row in each possible state, and the expected words. */
const STATES: readonly (readonly [words: RegExp, of: (cell: Cell) => Partial<Cell>])[] = [
  [/Being queried.*updates automatically/s, () => ({ status: 'indexing', price: null })],
  [
    /Blocked.*What can be done.*(?:official API|proxy)/s,
    () => ({ status: 'blocked', price: null, in_stock: null }),
  ],
  [/Not found.*was queried and has no product/s, () => ({ status: 'not_found', price: null })],
  [
    /Another product.*states the barcode 012345678905.*does not count/s,
    ({ identity }) => ({
      status: 'ok',
      identity: { ...identity, state: 'mismatch', page_barcode: '00012345678905', note: '' },
    }),
  ],
  [
    /Disputed.*Six pieces, the others say one/s,
    ({ identity }) => ({
      status: 'ok',
      identity: { ...identity, disputed: { detail: 'Six pieces, the others say one.' } },
    }),
  ],
  [/In stock, stale.*being read again/s, () => ({ status: 'stale', in_stock: true })],
  [/Gone.*has ended/s, () => ({ status: 'ok', unavailable: true })],
];

const WORDS: Check = {
  name: 'each state of a row is explained in words, with what can be done; a suspect price says why it is not counted',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    let seen = false;
    const changed: string[] = [];
    // The page repeats the lookup automatically after two seconds; on a busy machine reading the earlier content takes longer.
    const isRead = Promise.withResolvers<void>();
    await page.route('**/v1/products/*?include_cross_retailer*', async (route) => {
      if (seen) await isRead.promise;
      const answer = await route.fetch();
      const record = (await answer.json()) as {
        cross_retailer?: Record<string, Cell>;
        _meta: Record<string, unknown>;
      };
      // The first lookup has each state, the next one is the service's own answer: the rows change.
      if (!seen && record.cross_retailer !== undefined) {
        const cells = Object.values(record.cross_retailer);
        changed.push(...cells.map(({ retailer }) => String(retailer)));
        STATES.forEach(([, change], at) => {
          const cell = cells[at];
          if (cell !== undefined) Object.assign(cell, change(cell));
        });
        record._meta['price_suspect'] = { reason: 'deep_fall' };
      }
      seen = true;
      await route.fulfill({ response: answer, json: record });
    });
    await look(page, parts.stage.known);
    await page.waitForSelector('.shops tbody tr');
    await page.waitForSelector('.ways summary');
    await page.click('.shops .ways summary');
    const rows = await page.locator('.shops tbody tr').evaluateAll((all) =>
      all.map((each) => ({
        retailer: each.getAttribute('data-retailer'),
        text: (each as HTMLElement).innerText,
      })),
    );
    const wordsOf = (at: number) =>
      rows.find(({ retailer }) => retailer === changed[at])?.text ?? '';
    const doubts = await textOf(page, '.doubts');
    await parts.shot(page, 'card-states');
    isRead.resolve();
    const found = [
      ...STATES.flatMap(([words], at) =>
        unless(words.test(wordsOf(at)), `the row of ${changed[at]} reads “${wordsOf(at)}”`),
      ),
      ...unless(
        /looks wrong \(deep fall\).*is not counted anywhere/.test(doubts),
        `it says “${doubts}”`,
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

type Seen = { readonly retailer: string; readonly price: number; readonly state: string };

const ORDER: Check = {
  name: 'shops are sorted by price, certain matches before possible ones; the head has the stock of the shop that is shown',
  run: async (parts) => {
    const { known, service } = parts.stage;
    await service.lookup(known, '?include_cross_retailer=true');
    await service.untilQueueIdle();
    const watched = await signedIn(parts);
    const { page } = watched;
    let anchor = '';
    await page.route('**/v1/products/*?include_cross_retailer*', async (route) => {
      const answer = await route.fetch();
      const record = (await answer.json()) as Record<string, unknown> & {
        cross_retailer: Record<string, Cell>;
        _meta: Record<string, unknown>;
      };
      // The shown shop is sold out, others are not: the record is in stock.
      anchor = String(record._meta['price_source']);
      Object.assign(record, { current_price: null, in_stock: true, best_price: null });
      Object.assign(record.cross_retailer[anchor] ?? {}, { price: null, in_stock: false });
      await route.fulfill({ response: answer, json: record });
    });
    await cardOf(page, known);
    const head = await textOf(page, '.card-head .prices');
    const rows = await page.locator('.shops tbody tr').evaluateAll((all) =>
      all.map((row): Seen => {
        const cells = [...row.children].map((each) => each.textContent ?? '');
        const price = Number(/[$]([0-9.]+)/.exec(cells[1] ?? '')?.[1] ?? Infinity);
        return { retailer: row.getAttribute('data-retailer') ?? '', price, state: cells[3] ?? '' };
      }),
    );
    const sure = rows.filter(({ state, price }) => state.startsWith('Yes') && price < Infinity);
    const prices = sure.map(({ price }) => price);
    const found = [
      ...unless(/Out of stock/.test(head) && !/In stock/.test(head), `the head says “${head}”`),
      ...unless(sure.length > 2, `${sure.length} rows certainly match`),
      ...unless(
        rows.slice(0, sure.length).every((row) => sure.includes(row)),
        `the first are ${rows.map(({ state }) => state).join(', ')}`,
      ),
      ...unless(
        prices.every((price, at) => at === 0 || price >= (prices[at - 1] ?? 0)),
        `the prices stand ${prices.join(', ')}`,
      ),
      ...unless(
        rows.findIndex(({ retailer }) => retailer === anchor) >
          rows.findLastIndex(({ price }) => price < Infinity),
        `a sold-out shop is before one with a price: ${rows.map(({ retailer }) => retailer).join(', ')}`,
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const GOOD: Check = {
  name:
    "next to the price is the shop's price range of 90 days; a product that was seen on one day has words " +
    'instead of a chart',
  run: async (parts) => {
    const { service, known } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await cardOf(page, known);
    const head = await textOf(page, '.card-head');
    const { body } = await service.lookup(known);
    const { windows } = body['stats'] as { windows: Record<string, Record<string, number>> };
    const { low = 0, high = 0, average = 0 } = windows['90d'] ?? {};
    const usd = (value: number) => `$${value.toFixed(2)}`;
    const words = `90 days: ${usd(low)} to ${usd(high)}, average ${usd(average)}`;
    const codes = head.split(known).length - 1;
    await cardOf(page, `${HOSTILE}/address`);
    await page.waitForFunction(() => document.querySelector('#chart-words')?.textContent !== '');
    const alone = await textOf(page, '#chart-words');
    const charts = await page
      .locator('.plot')
      .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length);
    const found = [
      ...unless(head.includes(words), `the head has no “${words}”: “${head}”`),
      ...unless(codes === 1, `its barcode is there ${codes} times`),
      ...unless(alone.includes('checked on one day'), `of one day it says “${alone}”`),
      ...unless(charts === 0, 'one day has a chart'),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const EVER: Check = {
  name: 'above the chart is whether it was ever cheaper and where; each shop has its lowest price and its day, on a phone too',
  run: async (parts) => {
    const { known } = parts.stage;
    const found: string[] = [];
    for (const width of [1440, 390] as const) {
      const watched = await openWatched(
        parts.browser,
        { width, scheme: 'light' },
        parts.stage.service.url,
      );
      const { page } = watched;
      await page.goto(await parts.stage.address());
      await page.waitForSelector('#query');
      await cardOf(page, known);
      const prices = KNOWN_DAYS.flatMap(({ prices: some }) => some).filter(
        (price) => price !== null,
      );
      const lowest = `$${Math.min(...prices).toFixed(2)}`;
      await page.click('button[data-range="1y"]');
      const said = await textOf(page, '.cheapest');
      const row = await textOf(page, '.legend-item[data-retailer="retailer_w"]');
      await parts.shot(page, `ever-cheaper-${width}`);
      const beyond = await page
        .locator('.legend .scroll')
        .evaluate((box) => box.scrollWidth - box.clientWidth);
      found.push(
        ...unless(beyond <= 0, `at ${width} px ${beyond} px of the table are cut`),
        ...unless(/confirmed price/.test(said), `above the chart is “${said}”`),
        ...unless(row.includes(lowest), `the row of the shop has no ${lowest}: “${row}”`),
        ...(await watched.complaints()),
      );
      await watched.close();
    }
    return found;
  },
};

const MENDED: Check = {
  name: 'a barcode whose last digit is mistyped is offered with the right one, a click away',
  run: async (parts) => {
    const { known } = parts.stage;
    const watched = await signedIn(parts);
    const { page } = watched;
    await look(page, `${known.slice(0, -1)}${(Number(known.at(-1)) + 1) % 10}`);
    await page.click(`.problem-box a:text-is("Look up ${known}")`);
    await page.waitForSelector('.card h1');
    const shown = await textOf(page, '.codes');
    const found = [
      ...unless(shown.includes(known), `its codes are “${shown}”`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

export const CARD_CHECKS: readonly Check[] = [WORDS, ORDER, GOOD, EVER, MENDED];
