// OPENSHELF_SOURCE_LIMITS: the requests of official APIs in 24 hours, and what stops the start.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readConfig } from '../../../src/edge/config.ts';
import { limitIn, sourceLimits } from '../../../src/edge/settings/source-limits-setting.ts';

const parse = (text: string) => sourceLimits.parse(text, 'OPENSHELF_SOURCE_LIMITS');
const SOURCES = [
  'retailer_w.affiliate',
  'retailer_w.marketplace',
  'retailer_a.selling_partner',
  'retailer_a.creators',
  'retailer_e.browse',
  'retailer_b.products',
];

test('without it the documented limits hold, and the operator may set each, or none', () => {
  const limitsOf = (text: string) => {
    const { sourceLimits: limits } = readConfig({ OPENSHELF_SOURCE_LIMITS: text });
    return SOURCES.map((source) => limitIn(limits, source));
  };
  assert.deepEqual(limitsOf(''), [5_000, null, null, null, 5_000, 50_000]);
  assert.deepEqual(limitsOf(' retailer_a.creators = 8640, retailer_e.browse=none,'), [
    5_000,
    null,
    null,
    8_640,
    null,
    50_000,
  ]);
});

test('unknown names, other numbers and repetitions are refused, each with its name', () => {
  for (const [text, said] of [
    ['retailer_a.creator=5', '"retailer_a.creator" is not an official API'],
    ['retailer_b.open_box=5', '"retailer_b.open_box" is not an official API'],
    ['retailer_w.page=5', '"retailer_w.page" is not an official API'],
    ['creators=5', '"creators" is not an official API'],
    ['retailer_e.browse', 'retailer_e.browse must be a whole number from 1, or none, not ""'],
    ['retailer_e.browse=0', 'retailer_e.browse must be a whole number from 1'],
    ['retailer_e.browse=5.5', 'retailer_e.browse must be a whole number from 1'],
    ['retailer_e.browse=5,retailer_e.browse=6', 'retailer_e.browse is named twice'],
  ] as const) {
    const parsed = parse(text);
    assert.ok('problems' in parsed, text);
    assert.equal(parsed.problems.length, 1);
    const [problem = ''] = parsed.problems;
    assert.ok(problem.startsWith(`OPENSHELF_SOURCE_LIMITS: ${said}`), problem);
  }
});
