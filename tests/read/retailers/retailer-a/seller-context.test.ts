// retailer_a: the seller API requests for an ASIN, and how their answers are read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageRequest } from '../../../../src/base/listing/page.ts';
import type { Access, RetailerQuestion } from '../../../../src/read/retailers/adapter.ts';
import { retailerAAdapter } from '../../../../src/read/retailers/retailer-a/adapter.ts';
import { SELLING_PARTNER_API } from '../../../../src/read/retailers/retailer-a/address-book.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import * as a from './fixtures.ts';

const { marketplaceId } = SELLING_PARTNER_API;
const RESTRICTION: RetailerQuestion = { kind: 'restriction', identifier: a.CANDIDATE };
const ELIGIBILITY: RetailerQuestion = { kind: 'fulfillment_eligibility', identifier: a.CANDIDATE };

function requestsFor(question: RetailerQuestion, access: Access): readonly PageRequest[] {
  return retailerAAdapter.sources
    .map((source) => source.request(question, access))
    .filter((request) => request !== null);
}

function accessOf(token: string | null, credentials: Readonly<Record<string, string>>): Access {
  return { credentials, token, nowMs: 0, newId: () => 'id-1' };
}

const OWN = accessOf('T', { SP_SELLER_ID: 'A9SELF' });

const askedOf = (question: RetailerQuestion, access = OWN) => {
  const [request, ...more] = requestsFor(question, access);
  assert.deepEqual(more, [], 'one source only');
  const { pathname, searchParams } = new URL(request?.url ?? '');
  return { pathname, query: Object.fromEntries(searchParams), headers: request?.headers };
};

test('the restrictions are asked for the own account, the one marketplace and new goods', () => {
  const { pathname, query, headers } = askedOf(RESTRICTION);
  assert.equal(pathname, '/listings/2021-08-01/restrictions');
  assert.deepEqual(query, {
    asin: a.ASIN,
    sellerId: 'A9SELF',
    marketplaceIds: marketplaceId,
    conditionType: 'new_new',
  });
  assert.equal(headers?.['x-amz-access-token'], 'T');
});

test('the eligibility is asked for sending goods in', () => {
  const { pathname, query } = askedOf(ELIGIBILITY);
  assert.equal(pathname, '/fba/inbound/v1/eligibility/itemPreview');
  assert.deepEqual(query, { asin: a.ASIN, program: 'INBOUND', marketplaceIds: marketplaceId });
});

test('without a token, without the account, or for something that is no ASIN nothing is asked', () => {
  const foreign = { kind: 'item_id', value: '123456789', retailer: 'retailer_w' } as const;
  for (const question of [RESTRICTION, ELIGIBILITY]) {
    assert.deepEqual(requestsFor(question, accessOf(null, OWN.credentials)), []);
    assert.deepEqual(requestsFor({ ...question, identifier: foreign }, OWN), []);
  }
  assert.deepEqual(requestsFor(RESTRICTION, accessOf('T', {})), []);
});

function restrictionIn(body: unknown): unknown {
  const verdict = readAnswer(a.json(body), 'api:restrictions', 'retailer_a');
  if (verdict?.kind !== 'read') return verdict?.kind;
  assert.ok(verdict.value.kind === 'restriction');
  return verdict.value.restriction;
}

function eligibilityIn(body: unknown): unknown {
  const verdict = readAnswer(a.json(body), 'api:inbound_eligibility', 'retailer_a');
  if (verdict?.kind !== 'read') return verdict?.kind;
  assert.ok(verdict.value.kind === 'fulfillment_eligibility');
  return verdict.value.eligibility;
}

const APPROVAL = { message: ' You need\n approval. ', reasonCode: 'APPROVAL_REQUIRED' };

test('an empty list of restrictions is the word that there is none', () => {
  assert.deepEqual(restrictionIn({ restrictions: [] }), { flag: false, reason: null });
});

test('a restriction has the first reason with words, else its code', () => {
  const reasons: readonly (readonly [readonly unknown[], string | null])[] = [
    [[{ reasons: [APPROVAL] }], 'You need approval.'],
    [[{ reasons: [{ reasonCode: 'NOT_ELIGIBLE' }] }], 'NOT_ELIGIBLE'],
    [
      [{ reasons: [{ reasonCode: 'NOT_ELIGIBLE' }] }, { reasons: [APPROVAL] }],
      'You need approval.',
    ],
    [[{ conditionType: 'new_new' }], null],
    [[{ reasons: 'none' }], null],
    [[{ reasons: [{ message: 7 }] }], '7'],
    [[{ reasons: [{ reasonCode: 'ASIN_NOT_FOUND' }, APPROVAL] }], 'You need approval.'],
  ];
  for (const [restrictions, reason] of reasons) {
    assert.deepEqual(restrictionIn({ restrictions }), { flag: true, reason });
  }
});

test('of an ASIN that the catalog does not have nothing is said, and nothing of other shapes', () => {
  const gone = { message: 'not here', reasonCode: 'ASIN_NOT_FOUND' };
  assert.equal(restrictionIn({ restrictions: [{ reasons: [gone] }] }), 'not_found');
  for (const body of [
    {},
    { restrictions: null },
    { restrictions: {} },
    { restrictions: [null, 5] },
  ])
    assert.equal(restrictionIn(body), 'unreadable', JSON.stringify(body));
});

test('eligibility is passed on as stated, a "no" with its reasons in words', () => {
  const answer = (isEligibleForProgram: unknown, ...ineligibilityReasonList: unknown[]) =>
    eligibilityIn({ payload: { isEligibleForProgram, ineligibilityReasonList } });
  assert.deepEqual(answer(true), { enabled: true, reason: null });
  assert.deepEqual(answer(true, 'FBA_INB_0004'), { enabled: true, reason: null });
  assert.deepEqual(answer(false), { enabled: false, reason: null });
  assert.deepEqual(answer(false, 'FBA_INB_0097', null, {}, 'FBA_INB_9999'), {
    enabled: false,
    reason: 'fully regulated dangerous goods (FBA_INB_0097); FBA_INB_9999',
  });
  assert.deepEqual(answer(false, 'constructor'), { enabled: false, reason: 'constructor' });
  for (const word of [undefined, null, 'no', 0]) assert.equal(answer(word), 'unreadable');
  assert.equal(eligibilityIn({ payload: [] }), 'unreadable');
});

test('a refused token is distinguished from a missing permission', () => {
  const source = retailerAAdapter.sources.find(({ name }) => name === 'selling_partner');
  const refuses = (details: unknown, status = 403) =>
    source?.token?.isRefused?.(a.json({ errors: [{ code: 'Unauthorized', details }] }, status));
  assert.equal(refuses('The access token is too old.'), true);
  assert.deepEqual([refuses(''), refuses(null), refuses('No such role.')], [false, false, false]);
  assert.equal(refuses('The access token is too old.', 200), false);
  assert.equal(refuses('', 401), true);
});
