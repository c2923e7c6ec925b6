// Answers damaged as networks, redesigns and hostile pages damage them: cut off, shuffled, with bits flipped, nested,
// emptied, or with values of other types in familiar places. Deterministic from a seed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { KnownSlug } from '../../../src/base/retailer.ts';
import type { Page } from '../../../src/base/listing/page.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { READERS } from '../../../src/read/retailers/registry.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { assertSound, ROUNDS } from './damage.ts';
import { pageOf } from './page-fixtures.ts';
import type { PageOptions } from './page-fixtures.ts';

type Random = () => number;

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  '   ',
  0,
  -1,
  1e308,
  [],
  {},
  [[[[]]]],
  'x'.repeat(3000),
  '\u0000\ud800',
  { price: { price: { price: '$' } } },
  ['__proto__', { constructor: 1 }],
  '9999-99-99T99:99:99Z',
  '<b>&amp;#40;</b>',
];

/** Returns every place in a value where a mutation can put something else. */
function placesOf(value: unknown, found: [object, string][] = []): [object, string][] {
  if (typeof value !== 'object' || value === null || found.length > 4000) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    placesOf((value as Record<string, unknown>)[key], found);
  }
  return found;
}

/** Replaces or removes the value at one to six places of a JSON value. */
function withOddValues(random: Random, value: unknown): string {
  const copy: unknown = structuredClone(value);
  const places = placesOf(copy);
  for (let count = integerBelow(random, 6); count >= 0 && places.length > 0; count -= 1) {
    const [holder, key] = pick(random, places);
    const choice = integerBelow(random, ODD_VALUES.length + 2);
    // One past the list removes the place, two past it nests the whole value into it.
    const odd = choice > ODD_VALUES.length ? copy : ODD_VALUES[choice];
    // A value within itself would be infinite: a copy of the whole is inserted.
    const put = odd === copy ? structuredClone(value) : odd;
    Object.defineProperty(holder, key, { value: put, enumerable: true, configurable: true });
  }
  return JSON.stringify(copy);
}

function shuffled(random: Random, text: string): string {
  const parts = text.split(/(?<=[,{}[\]<>])/);
  for (let at = 0; at < 20; at += 1) {
    const [a, b] = [integerBelow(random, parts.length), integerBelow(random, parts.length)];
    [parts[a], parts[b]] = [parts[b] ?? '', parts[a] ?? ''];
  }
  return parts.join('');
}

function flipped(random: Random, text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  for (let count = 1 + integerBelow(random, 12); count > 0; count -= 1) {
    const at = integerBelow(random, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << integerBelow(random, 8));
  }
  return bytes;
}

/** How a JSON value becomes the body of an answer. */
export type Dress = (json: string) => string;

export const asJson: Dress = (json) => json;

type SpoiltAnswer = readonly [reader: string, value: unknown, dress: Dress];

/** Registers one test per answer: each of 2,000 damaged forms gives a verdict, and what is read is sound. */
export function testSpoilt(
  retailer: KnownSlug,
  answers: readonly SpoiltAnswer[],
  urlOf: (dress: Dress) => string,
): void {
  for (const [at, [name, value, dress]] of answers.entries()) {
    test(`${ROUNDS} spoilt answers give a verdict each: ${name} (${at + 1})`, (context) => {
      const seed = seedOf(20_261_120 + at);
      context.diagnostic(`seed ${seed}`);
      const random = randomFrom(seed);
      const read = READERS[retailer][name];
      assert.ok(read !== undefined);
      const headers = dress === asJson ? { headers: { 'content-type': 'application/json' } } : {};
      for (let round = 0; round < ROUNDS; round += 1) {
        const page = mutatedPage(random, value, { dress, url: urlOf(dress), ...headers });
        assertSound(read(page, new UnknownWords()));
      }
    });
  }
}

/** Returns a damaged answer made from a value that the reader knows. */
function mutatedPage(
  random: Random,
  value: unknown,
  { dress, ...options }: PageOptions & { readonly dress: Dress },
): Page {
  const whole = (): string => dress(JSON.stringify(value));
  const bodies: readonly (() => string | Uint8Array)[] = [
    () => dress(withOddValues(random, value)),
    () => dress(withOddValues(random, value)),
    () => whole().slice(0, integerBelow(random, whole().length)),
    () => shuffled(random, whole()),
    () => flipped(random, whole()),
    () => dress(`${'['.repeat(1 + integerBelow(random, 300))}${JSON.stringify(value)}`),
    () => dress(pick(random, ['null', '[]', '{}', '""', '0', '{"data":{}}', '{"data":null}', ''])),
    () => '',
  ];
  return pageOf(pick(random, bodies)(), options);
}
