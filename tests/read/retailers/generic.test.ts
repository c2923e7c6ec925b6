import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decimalText, type Money } from '../../../src/base/listing/money/minor-units.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { FOREIGN_CASES, NAMELESS_CASES } from './generic-foreign-cases.ts';
import { CHOICE_CASES, CONFLICT_CASES, JSON_LD_CASES } from './generic-cases.ts';
import {
  BROKEN_CASES,
  MARKUP_CASES,
  OTHER_CASES,
  UNREADABLE_CASES,
} from './generic-markup-cases.ts';
import {
  AMOUNT_CASES,
  DOUBTFUL_CASES,
  MARKED_AMOUNT_CASES,
  NUMBER_CASES,
  OFFER_CASES,
  OWN_CASES,
  PUNCTUATION_CASES,
  TAGGED_CASES,
} from './generic-trap-cases.ts';
import { html, ld, MUG, pageOf } from './page-fixtures.ts';
import type { Case } from './page-fixtures.ts';

function moneyText(money: Money | null): string | null {
  return money === null ? null : `${decimalText(money)} ${money.currency ?? '-'}`;
}

function factsOf(listing: Listing): Record<string, unknown> {
  return { ...listing, price: moneyText(listing.price), listPrice: moneyText(listing.listPrice) };
}

function check({ page, expect }: Case): void {
  const verdict = readGenericPage(page, new UnknownWords());
  const { kind, ...fields } = expect;
  assert.equal(verdict.kind, kind ?? 'read', JSON.stringify(verdict));
  if (verdict.kind !== 'read') return;
  const facts = factsOf(verdict.value);
  for (const [name, value] of Object.entries(fields)) {
    const found = facts[name];
    if (typeof value === 'number')
      assert.ok(Math.abs(Number(found) - value) < 1e-9, `${name}: ${String(found)}`);
    else assert.deepEqual(found, value, `${name} of ${JSON.stringify(verdict.notes.remarks)}`);
  }
}

const GROUPS: readonly (readonly [string, readonly Case[]])[] = [
  ['JSON-LD is read as shop software writes it', JSON_LD_CASES],
  ['the product and the variant of the page are found', CHOICE_CASES],
  ['sources that contradict each other are weighed by rules', CONFLICT_CASES],
  ['microdata, RDFa and tags are read', MARKUP_CASES],
  ['broken JSON-LD is repaired', BROKEN_CASES],
  ['doubtful JSON-LD gives no price', UNREADABLE_CASES],
  ['other pages are not a product', OTHER_CASES],
  ['of several amounts the price is found', AMOUNT_CASES],
  ['of several offers the one of the page is found', OFFER_CASES],
  ['numbers of one variant are not those of the page', NUMBER_CASES],
  ['marked-up amounts are read as a visitor reads them', MARKED_AMOUNT_CASES],
  ["the page's own product is found in odd company", OWN_CASES],
  ['tags that call a page a product do not choose among its data', TAGGED_CASES],
  ['names, addresses and barcodes that are somewhere else', NAMELESS_CASES],
  ['goods that the page is not about are not a product', FOREIGN_CASES],
  ['what makes no sense in a block is nothing, the rest is read', DOUBTFUL_CASES],
  ['forgotten punctuation costs nothing', PUNCTUATION_CASES],
];

for (const [title, cases] of GROUPS) {
  describe(title, () => {
    for (const one of cases) test(one.name, () => check(one));
  });
}

test('fields that a product page carries and this one does not are named', () => {
  const verdict = readProductPage(
    pageOf(html(ld({ '@type': 'Product', name: 'Blue Mug', sku: 'A' }))),
  );
  assert.equal(verdict.kind, 'read');
  if (verdict.kind !== 'read') return;
  assert.deepEqual(
    verdict.notes.missing.filter((name) => ['title', 'price', 'currency', 'gtin'].includes(name)),
    ['price', 'currency', 'gtin'],
  );
});

test('broken blocks are remarks, not errors', () => {
  const verdict = readGenericPage(
    pageOf(html(ld('{"@type": nonsense') + ld(MUG))),
    new UnknownWords(),
  );
  assert.equal(verdict.kind, 'read');
  if (verdict.kind !== 'read') return;
  assert.ok(verdict.notes.remarks.some((remark) => remark.includes('JSON-LD block 1')));
});

test('names of the language itself do no harm', () => {
  const evil =
    '{"@type":"Product","name":"Blue Mug","sku":"1","__proto__":{"price":1,"isAdmin":true},' +
    '"constructor":{"prototype":{"polluted":1}},"toString":1,"offers":{"__proto__":{"price":5}}}';
  const verdict = readGenericPage(pageOf(html(ld(evil))), new UnknownWords());
  assert.equal(verdict.kind, 'read');
  if (verdict.kind === 'read') assert.equal(verdict.value.price, null);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
});
