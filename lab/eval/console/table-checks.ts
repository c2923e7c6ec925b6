// Many lines: a table with profits to the cent, a file, and a table of two thousand lines.

import type { Page } from 'playwright-core';

import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { workbookBytes } from '../../../src/edge/sheets/write-workbook.ts';
import { supplierWorkbook } from '../../../tests/support/supplier-workbook.ts';
import { tabsOf } from '../../../tests/support/workbook-parts.ts';
import { everyView, look, signedIn, textOf, unless, type Check } from './acts.ts';
import { HOSTILE } from './stage.ts';

const TABLE: Check = {
  name: 'thirty lines with costs: one row each, profit to the cent, sorted, and as a file',
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
      const body = records[line]?.body ?? {};
      const cells = (body['cross_retailer'] ?? {}) as Record<string, Cell>;
      const named = (body['pack_count'] as number | null | undefined) ?? 1;
      const slug = SLUG_OF_HOST[at];
      if (slug === undefined) return profit === '–' ? [] : [`line ${line}: profit without a shop`];
      const cell = cells[slug];
      const feesOf =
        cents(cell?.seller_context?.referral_fee_usd) +
        cents(cell?.seller_context?.fulfillment_fee_usd);
      // A cost is per unit of what the barcode identifies (D77).
      const paid = Math.round((cents(Number(cost.slice(1))) * (cell?.pack_count ?? named)) / named);
      const left = cents(cell?.price) - feesOf - paid;
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
    // With a cost per piece, each sale incurs the cost of its listing's pieces; that is shown if there is more than one.
    await page.selectOption('#cost-per', 'piece');
    const times = await page
      .locator('.lines tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          ['code', 'sell_at', 'cost_factor'].map(
            (column) => row.querySelector(`[data-column="${column}"]`)?.textContent ?? '',
          ),
        ),
      );
    const mispriced = times.flatMap(([code = '', at = '', paid = '']) => {
      const body = records[codes.indexOf(code)]?.body ?? {};
      const cells = (body['cross_retailer'] ?? {}) as Record<string, Cell>;
      const named = (body['pack_count'] as number | null | undefined) ?? 1;
      const pieces = cells[SLUG_OF_HOST[at] ?? '']?.pack_count ?? named;
      const right = at === '–' || pieces === 1 ? '–' : String(pieces);
      return paid === right ? [] : [`${code} pays ${paid} times per piece, not ${right}`];
    });
    const found = [
      ...unless(shown.length === 30, `${shown.length} rows`),
      ...unless(
        shown.filter(([, , profit]) => profit !== '–').length > 5,
        'hardly a line has a profit',
      ),
      ...wrong,
      ...mispriced,
      ...unless(
        times.some(([, , paid]) => Number(paid) > 1),
        'no line is a set',
      ),
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

const MANY: Check = {
  name: '2,000 lines pasted: the cost is stated first, and the first hundred are there while the page still responds',
  isTimed: true,
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    // Not identifiers: answered immediately, and not billed.
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

const PAGE = 'https://www.example.com/p/lamp,12';

const SHEET: Check = {
  name:
    'a workbook dropped on the page: its products and costs are in the box, repaired and skipped rows are ' +
    'reported, then a table',
  run: async (parts) => {
    const [first = '', second = ''] = parts.stage.codes;
    const columns = ['Item', 'UPC', 'Cost'].map((name) => ({ name, kind: 'text' as const }));
    const rows = [
      ['One', first, '6.00'],
      ['Two, without its zeros', second.replace(/^0+/, ''), '$7.50'],
      ['A formula', '=HYPERLINK("https://example.com")', '1'],
      ['One again', first, '6.00'],
      ['A page', PAGE, ''],
    ];
    const workbook = workbookBytes({ columns, rows: eachOf(rows) });
    const bytes = Buffer.concat(await Array.fromAsync(workbook));
    const watched = await signedIn(parts);
    const { page } = watched;
    const dropped = await page.evaluateHandle((base64) => {
      const data = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
      const transfer = new DataTransfer();
      transfer.items.add(new File([data], 'stock <b>.xlsx'));
      return transfer;
    }, bytes.toString('base64'));
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
    await page.waitForSelector('#sheet details');
    const shown = await textOf(page, '#sheet');
    const filled = await page.inputValue('#query');
    await page.click('#sheet summary');
    await parts.shot(page, 'sheet-dropped');
    await page.setInputFiles('#sheet-file', {
      name: 'scan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7'),
    });
    await page.waitForSelector('#sheet .problem');
    const refused = await textOf(page, '#sheet .problem');
    await page.press('#query', 'Enter');
    await page.waitForSelector('.lines tbody tr');
    const lines = await page.locator('.lines tbody th').allInnerTexts();
    const found = [
      ...unless(filled === `${first}, 6.00\n${second}, 7.50\n"${PAGE}"`, `the box holds ${filled}`),
      ...unless(
        shown.startsWith(
          'stock <b>.xlsx: 3 products in 5 rows, from the column “UPC”, cost from “Cost”.',
        ),
        shown,
      ),
      ...unless(
        shown.includes('1 row left out') && shown.includes('1 row repeats a product'),
        shown,
      ),
      ...unless(refused.includes('Export the table as .xlsx or .csv'), refused),
      ...unless(lines.length === 3 && (lines[2] ?? '').includes('lamp,12'), lines.join(' | ')),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const upcs = (codes: readonly string[]): readonly string[] =>
  codes.filter((code) => /^\d{12}$/.test(code));

async function openSupplierSheet(page: Page, codes: readonly string[]): Promise<void> {
  await page.setInputFiles('#sheet-file', {
    name: 'list.xlsx',
    mimeType: 'application/octet-stream',
    buffer: supplierWorkbook(codes),
  });
  await page.waitForSelector('#choose-costs');
}

const EXCEL: Check = {
  name: 'a supplier’s workbook: previewed, looked up, sorted, chosen lines watched, and a workbook with its own cells',
  run: async (parts) => {
    const codes = upcs(parts.stage.codes).slice(0, 20);
    const watched = await signedIn(parts);
    const { page } = watched;
    await openSupplierSheet(page, codes);
    const previewed = await page.locator('#sheet tbody tr').count();
    const cost = await page.locator('#choose-costs option:checked').innerText();
    await page.selectOption('#choose-costs', 'none');
    await page.waitForSelector('text=no column contains your costs');
    const without = await page.inputValue('#query');
    await page.selectOption('#choose-costs', 'Your cost');
    await page.waitForSelector('#sheet-cost-per');
    await page.selectOption('#sheet-cost-per', 'piece');
    await parts.shot(page, 'sheet-preview');
    await page.press('#query', 'Enter');
    await page.waitForFunction(
      (count) =>
        document.querySelectorAll('tr[data-state="done"], tr[data-state="failed"]').length ===
        count,
      codes.length,
      { timeout: 90_000 },
    );
    await page.waitForSelector('.scroll.wide:not([aria-busy])', { timeout: 90_000 });
    const per = await page.inputValue('#cost-per');
    await page.check('#profits');
    await page.click('th[data-column="profit"] button');
    await parts.shot(page, 'sheet-table');
    const order = await page.locator('.lines tbody th a').allInnerTexts();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('text=Download for Excel'),
    ]);
    const file = await (await download.createReadStream()).toArray();
    const [tab] = await tabsOf(Buffer.concat(file as Buffer[]));
    const [head = [], ...rows] = tab?.rows ?? [];
    const names = head.map((cell) => String(cell?.value));
    const column = (name: string) => rows.map((row) => row[names.indexOf(name)] ?? null);
    await page.locator('.choose-line').nth(0).click();
    await page
      .locator('.choose-line')
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await page.locator('.choose-line').nth(2).click();
    await page.click('.table-actions >> text=Watch');
    await page.waitForURL('**/console/watches**');
    const chosen = await page.locator('textarea').first().inputValue();
    const watchedCodes = order.slice(0, 5).filter((_, at) => at !== 2);
    const found = [
      ...unless(previewed === 10 && cost === 'Your cost', `${previewed} rows, costs in ${cost}`),
      ...unless(without === codes.join('\n'), without),
      ...unless(per === 'piece', `a cost applies to ${per}`),
      ...unless(names[4] === 'Your cost' && tab?.frozen === 'A2', names.join()),
      ...unless(
        column('Code')
          .map((cell) => cell?.value)
          .join() === order.join(),
        'another order',
      ),
      ...unless(column('Valid from')[0]?.format === 'd-mmm-yy', 'the date is not one'),
      ...unless(
        column('Profit').some((cell) => cell?.format.includes('$')),
        'no amounts',
      ),
      ...unless(
        column('Address').some((cell) => (cell?.link ?? null) !== null),
        'no links',
      ),
      ...unless(
        names.some((name) => name.startsWith('Profit at ')),
        'no profit of a shop',
      ),
      ...unless(
        chosen.trim().split('\n').toSorted().join() === watchedCodes.toSorted().join(),
        `watched: ${chosen}`,
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const PREVIEW = everyView('sheet-preview', async (parts, { page }) => {
  await openSupplierSheet(page, upcs(parts.stage.codes).slice(0, 12));
});

/** Barcodes with a correct check digit that no shop has. */
const UNKNOWN = ['4006381333931', '4006381333948'];

const COLUMN: Check = {
  name: 'a pasted sheet whose column finds nothing suggests the other column of codes, which a click reads',
  run: async (parts) => {
    const [first = '', second = ''] = parts.stage.codes;
    const [one = '', two = ''] = UNKNOWN;
    const text = `EAN\tStore code\tCost\n${one}\t${first}\t6\n${two}\t${second}\t7`;
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('#query')?.dispatchEvent(paste);
    }, text);
    await page.waitForSelector('#choose-codes');
    await page.press('#query', 'Enter');
    await page.waitForSelector('text=No product was found by “EAN”.', { timeout: 60_000 });
    await parts.shot(page, 'sheet-nothing-found');
    await page.click('text=Read “Store code”');
    await page.waitForFunction((code) => {
      const box = document.querySelector('#query');
      return box instanceof HTMLTextAreaElement && box.value.startsWith(code);
    }, first);
    await page.press('#query', 'Enter');
    await page.waitForSelector('.lines tr[data-state="done"]', { timeout: 60_000 });
    const shown = await textOf(page, '#result');
    const found = [
      ...unless(!shown.includes('No product was found'), shown),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const ORDER: Check = {
  name:
    'a page of another shop has its price in the table, and its address fits the width of a code; sorted by ' +
    'a column and as pasted again, and the heads say so',
  run: async (parts) => {
    const pasted = [...parts.stage.codes.slice(0, 5), `${HOSTILE}/script?${'long='.repeat(9)}`];
    const watched = await signedIn(parts, { width: 390, scheme: 'light' });
    const { page } = watched;
    await look(page, pasted.join('\n'));
    const done = page.locator('tr:is([data-state="done"], [data-state="failed"])');
    await done.nth(pasted.length - 1).waitFor({ state: 'attached', timeout: 60_000 });
    const elsewhere = await page.locator('td[data-column="elsewhere"]').allInnerTexts();
    const shop = await page.locator('td[data-column="elsewhere_at"]').last().innerText();
    const order = async () =>
      page
        .locator('.lines tbody th')
        .evaluateAll((heads) => heads.map((head) => head.textContent).join(' '));
    const sorted = async () =>
      page
        .locator('.lines thead th:not([aria-sort="none"])')
        .evaluateAll((heads) =>
          heads.map((head) => `${head.textContent} ${head.getAttribute('aria-sort')}`).join(', '),
        );
    const before = await order();
    await page.selectOption('#sort-by', { label: 'Best price' });
    const by = { order: await order(), heads: await sorted() };
    await page.selectOption('#sort-by', '');
    const again = { order: await order(), heads: await sorted() };
    await parts.shot(page, 'table-elsewhere');
    await page.setViewportSize({ width: 900, height: 900 });
    const room = await page
      .locator('.lines tbody th')
      .first()
      .evaluate((head) => head.clientWidth);
    const found = [
      ...unless((elsewhere.at(-1) ?? '').includes('$12.50'), `elsewhere: ${elsewhere.join(' ')}`),
      ...unless(room < 210, `the codes take ${room} px`),
      ...unless(shop.includes('hostiletitles'), `the other shop is “${shop}”`),
      ...unless(by.order !== before, 'sorted by price nothing has moved'),
      ...unless(by.heads === 'Best price descending', `sorted the heads say “${by.heads}”`),
      ...unless(again.order === before, `as pasted it is ${again.order}`),
      ...unless(again.heads === '', `as pasted the heads say “${again.heads}”`),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

const SETTLED: Check = {
  name: 'a table whose last lookup is over says which shops have not answered, and no longer that any are being asked',
  run: async (parts) => {
    const watched = await signedIn(parts);
    const { page } = watched;
    await page.clock.install();
    await page.route('**/v1/products/*?include_cross_retailer*', async (route) => {
      const answer = await route.fetch();
      const record = (await answer.json()) as { cross_retailer: Record<string, object> };
      Object.assign(record.cross_retailer['retailer_e'] ?? {}, { status: 'indexing', price: null });
      await route.fulfill({ response: answer, json: record });
    });
    await look(page, parts.stage.codes.slice(0, 2).join('\n'));
    const status = page.locator('.table-page [role="status"]');
    let looks = 0;
    page.on('requestfinished', (request) => {
      if (request.url().includes('include_cross_retailer')) looks += 1;
    });
    const said: string[] = [];
    for (
      let seconds = 0;
      seconds < 240 && said.at(-1)?.includes('not answered') !== true;
      seconds += 2
    ) {
      await page.clock.runFor(2_000);
      said.push(await status.innerText());
    }
    const cells = await page.locator('td[data-column="retailer_e"]').allInnerTexts();
    await parts.shot(page, 'table-settled');
    const found = [
      ...unless(
        said.some((words) => words.includes('shops are still being queried for 2 lines')),
        'it never said that shops are being asked',
      ),
      ...unless(
        (said.at(-1) ?? '').includes('some shops have not answered for 2 lines'),
        `after ${looks} looks it says “${said.at(-1)}”`,
      ),
      ...unless(
        cells.every((text) => text === 'No answer yet'),
        `the cells say ${cells.join(', ')}`,
      ),
      ...(await watched.complaints()),
    ];
    await watched.close();
    return found;
  },
};

async function* eachOf<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

export const TABLE_CHECKS: readonly Check[] = [
  TABLE,
  ORDER,
  SETTLED,
  SHEET,
  EXCEL,
  PREVIEW,
  COLUMN,
  MANY,
];
