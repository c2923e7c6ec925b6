// OPENSHELF_TERMS: what the operator may change of the terms of sources, and what stops the start.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { termsOfSources } from '../../../src/edge/settings/terms-setting.ts';

const parse = (text: string) => termsOfSources.parse(text, 'OPENSHELF_TERMS');

test('fields of sources and feeds are changed one by one', () => {
  for (const [text, source, expected] of [
    ['retailer_e.browse:price_hours=24', 'retailer_e.browse', { priceHours: 24 }],
    [' retailer_e.browse : merge=yes ; ', 'retailer_e.browse ', null],
    [
      'retailer_b.products:history=yes,alerts=yes',
      'retailer_b.products',
      { history: true, alerts: true },
    ],
    ['feed.spring:identity_hours=none', 'feed.spring', { identityHours: null }],
  ] as const) {
    const read = parse(text);
    if (expected === null) assert.ok('problems' in read, text);
    else {
      assert.ok('value' in read && read.value instanceof Map, text);
      assert.deepEqual(read.value.get(source), expected);
    }
  }
  assert.deepEqual([parse(''), parse('off')], [{ value: 'unset' }, { value: 'off' }]);
});

test('what is not known, said twice or contradicts itself is refused by name', () => {
  for (const [text, problem] of [
    ['retailer_x.api:history=yes', /"retailer_x\.api" is not a source with terms/],
    ['retailer_e.browse:colour=red', /not "colour=red"/],
    ['retailer_e.browse:price_hours=0', /price_hours must be a whole number of hours from 1/],
    ['retailer_e.browse:history=maybe', /history must be yes or no/],
    ['retailer_e.browse:merge=yes;retailer_e.browse:merge=yes', /named twice/],
    ['retailer_b.products:alerts=yes', /alerts=yes needs history=yes/],
    ['retailer_w.marketplace:history=no', /alerts=yes needs history=yes/],
  ] as const) {
    const read = parse(text);
    assert.ok('problems' in read, text);
    assert.match(read.problems.join('\n'), problem, text);
  }
});
