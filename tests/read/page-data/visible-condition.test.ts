// The condition that a page shows in words: next to a label, or as a badge next to its heading.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';

const H1 = '<h1>Blue Mug</h1>';
const BUY = '<p class="price">$12.50</p><button>Add to cart</button>';

function conditionOf(body: string, head = ''): string | null {
  const words = new UnknownWords();
  const verdict = readGenericPage(pageOf(html(head, body)), words);
  assert.equal(verdict.kind, 'read', body);
  assert.deepEqual(words.list(), [], 'what a page shows beside a label is not a word of a field');
  return verdict.kind === 'read' ? verdict.value.condition : null;
}

const SHOWN: readonly (readonly [body: string, condition: string | null])[] = [
  [`${H1}<p>Condition: Pre-owned</p>${BUY}`, 'used_good'],
  [`${H1}<p>Zustand: gebraucht</p>${BUY}`, 'used_good'],
  [`${H1}<p>Zustand: Gebraucht - Sehr gut</p>${BUY}`, 'used_good'],
  [`${H1}<table><tr><th>État</th><td>Reconditionné</td></tr></table>${BUY}`, 'refurbished'],
  [`${H1}<dl><dt>Stan:</dt><dd>Używany</dd></dl>${BUY}`, 'used_good'],
  [`${H1}<table><tr><th>状態</th><td>中古</td></tr></table>${BUY}`, 'used_good'],
  [`${H1}<p>Condition: New</p>${BUY}`, 'new'],
  [`${H1}<p>Estado: Disponible</p>${BUY}`, null],
  [`${H1}<p>Stan: Dostępny</p>${BUY}`, null],
  [`${H1}<p>Condition: New</p><p>Condition: Used</p>${BUY}`, null],
  [`<span class="badge">Refurbished</span>${H1}${BUY}`, 'refurbished'],
  [`${H1}<span class="label">Gebraucht</span>${BUY}`, 'used_good'],
  // A new arrival, a colour, options, and a link to other goods.
  [`${H1}<span class="badge">New</span>${BUY}`, null],
  [`${H1}<p>Mint</p>${BUY}`, null],
  [`${H1}<ul><li>New</li><li>Used</li></ul>${BUY}`, null],
  [`${H1}<button>Used</button>${BUY}`, null],
  [`<p><a href="/used">Used</a></p>${H1}${BUY}`, null],
];

test('a condition is read next to its label and from a badge, when the page shows one alone', () => {
  for (const [body, condition] of SHOWN) assert.equal(conditionOf(body), condition, body);
});

test('the data of a page says more of its condition than what it shows', () => {
  const itemCondition = 'https://schema.org/RefurbishedCondition';
  const stated = ld(mug({ offers: offer({ itemCondition }) }));
  assert.equal(conditionOf(`${H1}<p>Condition: Used</p>${BUY}`, stated), 'refurbished');
});
