import assert from 'node:assert/strict';

import { KNOWN_SLUGS } from '../../../../src/base/retailer.ts';
import { contractService, refused } from '../../support/contract-service.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

proves(
  'D49f D48d D36b D16a',
  'a shop that refuses, fails or breaks off is 503 with Retry-After, unbilled',
  async () => {
    const { trouble } = contract.world;
    for (const [page, upstream] of [
      [trouble.blocked, 'upstream_blocked'],
      [trouble.broken, 'upstream_error'],
      [trouble.down, 'upstream_reset'],
    ] as const) {
      const answer = await contract.lookup(page);
      const body = refused(answer, 503, 'upstream_unavailable');
      assert.equal(body['upstream'], upstream);
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      assert.equal(body['tokens_remaining'], 1_000_000);
    }
  },
);

proves('D54b D49f', 'a shop that asks to wait is 503 with the time it named', async () => {
  const answer = await contract.lookup(contract.world.trouble.throttled);
  refused(answer, 503, 'upstream_unavailable');
  const wait = Number(answer.headers.get('retry-after'));
  assert.ok(wait > 100 && wait <= 120, `${wait} s`);
});

proves('D49f', 'a wall of any of the seven is 503, with whatever status it comes', async () => {
  for (const slug of KNOWN_SLUGS) {
    const { blocked, wall_in_200: hidden } = contract.world.retailers[slug].trouble;
    for (const pointer of [blocked, hidden]) {
      if (pointer === undefined) continue;
      const answer = await contract.lookup(pointer.url);
      refused(answer, 503, 'upstream_unavailable');
      assert.equal(answer.body['upstream'], 'upstream_blocked', pointer.url);
    }
  }
});

proves(
  'D36a D36b',
  'while a retailer that could know does not answer, a barcode is not called unknown',
  async () => {
    contract.sandbox.disturb('retailer_w', 'down');
    try {
      const answer = await contract.lookup('4012345678901');
      const body = refused(answer, 503, 'upstream_unavailable');
      assert.match(String(body['detail']), /retailer_w/);
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    } finally {
      contract.sandbox.disturb('retailer_w', null);
    }
    refused(await contract.lookup('4012345678918'), 404, 'not_found');
  },
);

proves('PA-21 D19i', 'a forced refresh is never answered with what is stored', async () => {
  const { gtin } = contract.world;
  for (const slug of ['retailer_w', 'retailer_e', 'retailer_b'] as const) {
    await contract.record(gtin, `?retailer=${slug}`);
    contract.sandbox.disturb(slug, 'broken');
    try {
      await contract.record(gtin, `?retailer=${slug}`);
      const forced = await contract.lookup(gtin, `?retailer=${slug}&force_refresh=1`);
      refused(forced, 503, 'upstream_unavailable');
    } finally {
      contract.sandbox.disturb(slug, null);
    }
  }
});

proves(
  'D67d',
  'the 503 for a barcode that no retailer answers for says why, and suggests an address',
  async () => {
    for (const slug of KNOWN_SLUGS) contract.sandbox.disturb(slug, 'blocked');
    try {
      const body = refused(await contract.lookup('4012345678932'), 503, 'upstream_unavailable');
      const detail = String(body['detail']);
      assert.match(detail, /^No answer from retailer_w, .*retailer_h \(it requires proof/);
      assert.match(detail, /GET \/v1\/products\?url=\{address\}/);
    } finally {
      for (const slug of KNOWN_SLUGS) contract.sandbox.disturb(slug, null);
    }
  },
);
