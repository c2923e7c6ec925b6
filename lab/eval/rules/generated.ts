// Product pages of shops that do not exist: some of the ways in which a page shows several amounts, of which a person means one.

import { integerBelow, pick } from '../../../tests/support/random.ts';

type GeneratedPage = { readonly html: string; /** As shown. */ readonly chosen: string };

const LABELS = ['Our price', 'Without card', 'Delivered', 'Incl. VAT', 'Pay today', 'Online'];
const OTHERS = ['Member price', 'List price', 'From', 'With code', 'In store', 'Per month'];
const AFTER = ['Free delivery', 'Add to basket', 'In stock', 'Ships tomorrow', 'Compare'];
const NAMES = ['Desk lamp', 'Oak stool', 'Wool rug', 'Cast iron pan with a lid made of glass'];

/** Returns a page with three amounts around its button, and a few of other goods below. */
export function generatedPage(random: () => number): GeneratedPage {
  const amount = (): string => `€${10 + integerBelow(random, 80)}.${11 + integerBelow(random, 88)}`;
  const shown = [amount(), amount(), amount()] as const;
  const at = integerBelow(random, shown.length);
  const labels = shown.map((_, index) =>
    index === at ? pick(random, LABELS) : `${pick(random, OTHERS)} ${index === 0 ? 'now' : ''}`,
  );
  const rows = shown.map((price, index) => row(random, labels[index] ?? '', price));
  const related = Array.from(
    { length: integerBelow(random, 4) },
    () => `<div class="tile"><a href="/x">${pick(random, NAMES)}</a> <b>${amount()}</b></div>`,
  );
  const html =
    `<!doctype html><title>Shop</title><body><nav><a href="/">Home</a></nav><h1>${pick(random, NAMES)}</h1>` +
    `<section class="buy">${rows.join('')}<p>${pick(random, AFTER)}</p><button>Buy</button></section>` +
    `<p>Made to last for many years of use.</p><h2>You may also like</h2>${related.join('')}</body>`;
  return { html, chosen: shown[at] ?? '' };
}

/** An amount with its label before it, as a table, a list of terms, two lines or one. */
function row(random: () => number, label: string, price: string): string {
  const name = pick(random, ['price', 'amount', 'value', 'sum']);
  return pick(random, [
    `<dl><dt>${label}</dt><dd class="${name}">${price}</dd></dl>`,
    `<div><p>${label}</p><p class="${name}"><b>${price}</b></p></div>`,
    `<p class="${name}">${label}: <span>${price}</span></p>`,
    `<table><tr><td>${label}</td><td class="${name}">${price}</td></tr></table>`,
  ]);
}
