// What the card must say and do, each as sentences about what it does not.

import { presentRetailerAnswer } from '../../../src/answer/wire/record/retailer-answer.ts';
import { savedPage } from '../../../src/edge/cli/products/saved-page.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';
import { pageOf } from '../../../tests/support/planted-pages.ts';
import type { Service } from '../../../tests/support/service.ts';
import { cardIn, type Card, type ExtensionBrowser, type Reading } from './browser.ts';

const unless = (isSo: boolean, sentence: string): readonly string[] => (isSo ? [] : [sentence]);

/** The rows of the card by the fields that `openshelf parse` prints. */
const ROWS = {
  brand: 'Brand',
  price: 'Price',
  list_price: 'List price',
  in_stock: 'In stock',
  condition: 'Condition',
  gtin: 'Barcode',
  asin: 'ASIN',
  item_id: 'Item id',
  sku: 'SKU',
  mpn: 'MPN',
  seller_name: 'Seller name',
  rating: 'Rating',
  review_count: 'Review count',
} as const;

/** Compares the card with what `openshelf parse` reads of the page that was in the tab. */
export function differences(
  { card, html }: Pick<Reading, 'card' | 'html'>,
  page: { readonly url: string; readonly slug?: string },
): readonly string[] {
  const saved = savedPage(Buffer.from(html), { url: page.url, contentType: 'text/html' });
  const verdict = readAnswer(saved, 'product', page.slug);
  const parsed: Readonly<Record<string, unknown>> =
    verdict === null ? {} : presentRetailerAnswer(verdict);
  if (parsed['verdict'] !== 'product') {
    return unless(card.rows.length === 0, 'the card shows a page that is not a product');
  }
  if (card.rows.length === 0) return [`${card.heading}: ${card.status}`];
  const shown = new Map(card.rows.map(([name, value]) => [name, value]));
  const different = Object.entries(ROWS).flatMap(([field, name]) => {
    const wanted = inWords(field, parsed[field] ?? null, parsed);
    return unless(shown.get(name) === wanted, `${name}: ${shown.get(name)}, parse says ${wanted}`);
  });
  return [
    ...unless(card.heading === parsed['title'], `the heading is “${card.heading}”`),
    ...different,
    ...unless(
      parsed['price'] === null || /\w/.test(placeOf(card, 'Price')),
      'the card does not say from where the price is',
    ),
  ];
}

const placeOf = ({ rows }: Card, name: string): string =>
  rows.find(([each]) => each === name)?.[2] ?? '';

function inWords(
  field: string,
  value: unknown,
  { price, currency }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isMoney = field.endsWith('price') && typeof currency === 'string' && price !== null;
  return isMoney && typeof value === 'number'
    ? value.toLocaleString('en-US', { style: 'currency', currency })
    : `${value as string | number}`;
}

const SHOP = 'https://www.lamps.example';
const LAMP = { name: 'Desk lamp', sku: 'DL-1' };
/** A page that hides everything that it can reach, and takes every key. */
const HOSTILE = `<style>body *, div { display: none !important; color: red !important }</style>
<p class="price">$24.00 &lt;img src=x onerror="document.title=1"&gt;</p>
<script>addEventListener('keydown', (event) => event.preventDefault())</script>`;

/** What the card says when the service refuses, and when there is none. */
export async function refusals(
  browser: ExtensionBrowser,
  service: Service,
): Promise<readonly string[]> {
  const submits = { organization: 'refused', note: null, scopes: ['pages:submit'] } as const;
  const { url } = service;
  const key = await service.newKey(submits);
  const hasty = { ...submits, organization: 'hasty', throttlePerMinute: 1 };
  const hasted = await service.newKey(hasty);
  const lamp = { url: `${SHOP}/lamp`, html: pageOf(LAMP, '24.00') };
  const large = { ...lamp, html: pageOf(LAMP, '24.00', 'x'.repeat(5_300_000)) };
  const cases = [
    [
      url,
      `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      lamp,
      'expired, or it was revoked',
    ],
    [url, await service.newKey({ organization: 'reader', note: null }), lamp, 'needs the scope'],
    [url, key, large, 'more than 5 MB'],
    [url, key, { ...lamp, url: `${SHOP}/cart` }, 'Carts, checkouts, orders and accounts'],
    [url, hasted, lamp, 'one request per minute'],
    ['http://127.0.0.1:9', key, lamp, 'does not answer'],
  ] as const;
  const found: string[] = [];
  for (const [address, each, page, words] of cases) {
    await browser.saveOptions(address, each);
    let said = '';
    // The first page of a minute is accepted, whoever hastes.
    for (let count = 0; count < 3 && !said.includes(words); count += 1) {
      const { card, page: tab } = await browser.read(page);
      said = card.status;
      await tab.close();
    }
    found.push(...unless(said.includes(words), `instead of “${words}” the card says “${said}”`));
  }
  await browser.saveOptions(url, key);
  return found;
}

/** The card is text whatever the page says, outside of the page's reach, and usable by keyboard and screen reader. */
export async function behaviour(browser: ExtensionBrowser): Promise<readonly string[]> {
  const title = 'Lamp & "shade"';
  const html = `${pageOf({ ...LAMP, name: title }, '24.00')}<h1>${title}</h1>${HOSTILE}`;
  const { page, cdp, card } = await browser.read({ url: `${SHOP}/hostile`, html });
  const isFocused = () =>
    page.evaluate(() => document.activeElement?.matches('[data-openshelf]') === true);
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const named = new Set(nodes.map(({ role, name }) => `${role?.value} ${name?.value}`));
  const isOpen = await page.evaluate(
    () => document.querySelector('[data-openshelf]')?.shadowRoot !== null,
  );
  const found = [
    ...unless(card.heading === title, `the heading is “${card.heading}”`),
    ...unless(
      placeOf(card, 'Price').includes('<img src=x'),
      `${placeOf(card, 'Price')} is no text`,
    ),
    ...unless((await page.title()) !== '1', 'text of the page was executed'),
    ...unless(card.height > 100, 'the page hides the card'),
    ...unless(!isOpen, 'the page can read the card'),
    ...unless(await isFocused(), 'the card has not the focus'),
    ...[
      `dialog ${title}`,
      'button Close openshelf',
      'table On this page',
      'rowheader Price',
    ].flatMap((each) => unless(named.has(each), `a screen reader finds no ${each}`)),
    ...unless(
      nodes.some(({ role }) => role?.value === 'status'),
      'nothing is announced',
    ),
  ];
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  found.push(...unless((await cardIn(cdp)) === null, 'the card is not closed by keyboard'));
  await page.close();
  const again = await browser.read({ url: `${SHOP}/lamp`, html: pageOf(LAMP, '24.00') });
  await again.page.keyboard.press('Escape');
  found.push(...unless((await cardIn(again.cdp)) === null, 'Escape does not close the card'));
  await again.page.close();
  return found;
}
