// What every reader must return for a damaged answer: a verdict, never an exception, and only sound values.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { KnownSlug } from '../../../src/base/retailer.ts';
import type { Page, PageVerdict } from '../../../src/base/listing/page.ts';
import type { RetailerAnswer } from '../../../src/base/listing/retailer-answer.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { READERS } from '../../../src/read/retailers/registry.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { mutated } from '../../support/text-mutations.ts';

export const ROUNDS = 2000;

/** An answer that its reader understands when undamaged. */
export type WholeAnswer = readonly [reader: string, page: Page];

/** Registers one test per answer: 2,000 damaged copies of it. */
export function testDamage(retailer: KnownSlug, answers: readonly WholeAnswer[]): void {
  for (const [at, [name, page]] of answers.entries()) {
    test(`${ROUNDS} damaged answers give a verdict each: ${name} (${at + 1})`, (context) => {
      const seed = seedOf(20_261_120 + at);
      context.diagnostic(`seed ${seed}`);
      const random = randomFrom(seed);
      const read = READERS[retailer][name];
      assert.ok(read !== undefined);
      const text = new TextDecoder().decode(page.body);
      for (let round = 0; round < ROUNDS; round += 1) {
        const damaged = mutated(text, random);
        const body = new TextEncoder().encode(damaged);
        try {
          assertSound(read({ ...page, body }, new UnknownWords()));
        } catch (error) {
          assert.fail(`seed ${seed}, round ${round}: ${String(error)}\n${damaged.slice(0, 500)}`);
        }
      }
    });
  }
}

const KINDS: Readonly<Record<PageVerdict<RetailerAnswer>['kind'], true>> = {
  read: true,
  follow: true,
  not_found: true,
  not_a_product: true,
  blocked: true,
  retry: true,
  unreadable: true,
};

/** Checks for a verdict of a known kind; a product has a title, and plausible prices, barcode and rating. */
export function assertSound(verdict: PageVerdict<RetailerAnswer>): void {
  assert.ok(Object.hasOwn(KINDS, verdict.kind), verdict.kind);
  if (verdict.kind !== 'read') return;
  assert.ok(JSON.stringify(verdict.value).length < 3_000_000, 'an answer within bounds');
  if (verdict.value.kind !== 'product') return;
  const { listing } = verdict.value;
  assert.ok(listing.title !== null && listing.title !== '');
  for (const money of [listing.price, listing.listPrice, listing.secondaryOfferPrice]) {
    assert.ok(money === null || (Number.isSafeInteger(money.cents) && money.cents > 0));
  }
  assert.ok(listing.gtin === null || /^\d{14}$/.test(listing.gtin));
  assert.ok(listing.rating === null || (listing.rating > 0 && listing.rating <= 5));
}
