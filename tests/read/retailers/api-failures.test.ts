import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apiFailure } from '../../../src/read/retailers/api-failures.ts';
import { DOCUMENTED_FAILURES } from './documented-failures.ts';

const page = (status: number, body: string, type = 'application/json') => ({
  status,
  headers: { 'content-type': type },
  body: new TextEncoder().encode(body),
});

for (const { source, endpoint, status, body, type, kind } of DOCUMENTED_FAILURES) {
  test(`${source}, ${endpoint}: ${status} ${body.slice(0, 90)} is ${kind}`, () => {
    const found = apiFailure(source, endpoint, page(status, body, type));
    assert.equal(found?.kind, kind);
    assert.match(found?.reason ?? '', new RegExp(`^${status}(?: [\\w ]{3,40})?$`));
  });
}

test('an answer that the API gives to a question is left to its reader', () => {
  for (const [source, status, body] of [
    [
      'retailer_a.creators',
      200,
      '{"itemsResult":{"items":[]},"errors":[{"code":"ItemNotAccessible"}]}',
    ],
    ['retailer_a.creators', 400, '{"reason":"FieldValidationFailed"}'],
    ['retailer_a.creators', 404, '{"resourceId":"B000000000"}'],
    ['retailer_a.selling_partner', 200, '{"numberOfResults":0,"items":[]}'],
    ['retailer_a.selling_partner', 400, '{"errors":[{"code":"InvalidInput"}]}'],
    ['retailer_w.affiliate', 404, '{"errors":[{"code":4002,"message":"Invalid item"}]}'],
    ['retailer_w.marketplace', 200, '{}'],
    ['retailer_e.browse', 404, '{"errors":[{"errorId":11001,"message":"not found"}]}'],
    ['retailer_b.products', 200, '{"total":0,"products":[]}'],
    ['retailer_b.products', 404, '{"error":{"code":404,"message":"not found"}}'],
    ['retailer_b.products', 400, '{"error":{"code":400,"message":"syntax"}}'],
    ['retailer_b.products', 200, ''],
  ] as const) {
    assert.equal(
      apiFailure(source, 'api', page(status, body)),
      null,
      `${source} ${status} ${body}`,
    );
  }
});

test('nothing of the text of an answer is repeated but the words of the table', () => {
  const body = JSON.stringify({
    errors: [
      { message: 'UNAUTHORIZED: There is no Public Key for consumer Id 5a0db0c5-0000-secret' },
    ],
  });
  const found = apiFailure('retailer_w.affiliate', 'api', page(401, body));
  assert.deepEqual(found, { kind: 'credentials_refused', reason: '401 UNAUTHORIZED' });
});
