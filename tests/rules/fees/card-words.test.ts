// The wording of a rate card: people read it next to the figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RATE_CARDS } from '../../../src/rules/fees/rate-cards.ts';

for (const { id, confidenceNote, dateNote, notIncluded } of RATE_CARDS) {
  test(`an amount in the words of ${id} is in dollars`, () => {
    const words = [confidenceNote, dateNote, ...notIncluded.map(({ note }) => note)];
    for (const text of words) assert.doesNotMatch(text ?? '', /(?<![$\d.])\d+\.\d\d(?![\d%])/);
  });
}
