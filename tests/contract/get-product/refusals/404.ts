import assert from 'node:assert/strict';

import { KNOWN_SLUGS } from '../../../../src/base/retailer.ts';
import { contractService, refused } from '../../support/contract-service.ts';
import { askedSince } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

proves(
  'EE-04 D16b D36a',
  'a barcode that no retailer has is not_found after all that can be asked were asked',
  async () => {
    await contract.untilQueueIdle();
    const from = contract.sandbox.requests().length;
    const body = refused(await contract.lookup('4006381333931'), 404, 'not_found');
    assert.equal(body['tokens_remaining'], 1_000_000);
    assert.deepEqual(
      askedSince(contract, from).toSorted(),
      KNOWN_SLUGS.filter((slug) => slug !== 'retailer_t').toSorted(),
      'all but the one that takes no barcode',
    );
  },
);

proves('EE-05 AM-05', 'an ASIN whose page is gone is not_found', async () => {
  const { gone } = contract.world.retailers.retailer_a.trouble;
  const body = refused(await contract.lookup(gone?.id ?? ''), 404, 'not_found');
  assert.ok(!('asin_match' in body));
});

proves(
  'EE-06 AM-03 AM-05',
  'an ASIN that serves another listing is identity_mismatch and names what was served, by address too',
  async () => {
    const { substituted } = contract.world.retailers.retailer_a.trouble;
    assert.ok(substituted !== undefined);
    for (const id of [substituted.id, substituted.url]) {
      const answer = await contract.lookup(id);
      const body = refused(answer, 404, 'identity_mismatch');
      const match = body['asin_match'] as Record<string, unknown>;
      assert.equal(match['state'], 'substituted');
      assert.match(String(match['matched_asin']), /^[0-9A-Z]{10}$/);
      assert.notEqual(match['matched_asin'], substituted.id);
      assert.equal(answer.headers.get('retry-after'), null, 'asking again changes nothing');
    }
  },
);

proves('D12a', 'pages that are not a product page are not_found, never a record', async () => {
  for (const page of Object.values(contract.world.other_pages)) {
    const body = refused(await contract.lookup(page), 404, 'not_found');
    assert.equal(body['upstream'], 'not_a_product', page);
    // Which retailers were queried, the result, what to do.
    const host = new URL(page).host.replaceAll('.', '\\.');
    assert.match(
      String(body['detail']),
      new RegExp(`^${host}, queried for this page: .+\\. Send the address of a product page\\.$`),
    );
  }
});

proves(
  'D8b',
  'codes that mark no product are 404 with the reason, and no retailer is asked',
  async () => {
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    for (const [code, reason] of [
      ['2000000000008', /restricted/],
      ['9901234567899', /coupon/],
      ['9800000000007', /refund/],
    ] as const) {
      const body = refused(await contract.lookup(code), 404, 'not_found');
      assert.match(String(body['detail']), reason);
    }
    assert.equal(contract.sandbox.requestCount(), asked);
  },
);

proves(
  'EE-04 D49a',
  'pages that are gone or missing are not_found, and it is said what to do',
  async () => {
    const { trouble, retailers } = contract.world;
    const gone = Object.values(retailers).map((each) => each.trouble.gone?.url ?? '');
    for (const page of [trouble.gone, trouble.missing, ...gone]) {
      refused(await contract.lookup(page), 404, 'not_found');
    }
    const missing = refused(await contract.lookup(trouble.missing), 404, 'not_found');
    assert.match(String(missing['detail']), /Check the address: the page may be gone\.$/);
  },
);

proves('D48d D12a D49g', 'a page that is not a product is reported as such', async () => {
  for (const page of Object.values(contract.world.other_pages)) {
    const body = refused(await contract.lookup(page), 404, 'not_found');
    assert.equal(body['upstream'], 'not_a_product', page);
  }
});

proves('D67b', 'a 404 about digits says what could be wrong with them as a barcode', async () => {
  for (const [digits, said] of [
    ['614141000006', /check digit would be 5/],
    ['61414100001', /A UPC has twelve digits/],
  ] as const) {
    const body = refused(await contract.lookup(digits), 404, 'not_found');
    assert.match(String(body['detail']), said);
  }
});

proves('D67b', 'what a spreadsheet made of a code is named', async () => {
  for (const [text, said] of [
    ['6.14141E+11', /last digits are lost/],
    ['="614141000005"', /send 614141000005/],
  ] as const) {
    const body = refused(await contract.lookup(text), 400, 'invalid_identifier');
    assert.match(String(body['detail']), said);
  }
});

proves('D67c', 'a barcode that nobody has names who was asked and what each said', async () => {
  const body = refused(await contract.lookup('4006381333948'), 404, 'not_found');
  const detail = String(body['detail']);
  const asked = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_t');
  assert.ok(detail.includes(`Nothing found: ${asked.join(', ')}.`), detail);
  assert.match(detail, /Not queried, because no source is configured for them: retailer_t\./);
});

proves(
  'D67c',
  'the 404 of a retailer that has nothing says when it was queried and what to send instead',
  async () => {
    // The first lookup queries it; the second finds its stored answer.
    for (const said of [
      /^retailer_e shows no listing/,
      /^retailer_e had nothing .+ a day later\./,
    ]) {
      const answer = await contract.lookup('4006381333955', '?retailer=retailer_e');
      const detail = String(refused(answer, 404, 'not_found')['detail']);
      assert.match(detail, said);
      assert.match(detail, /send the address of its page\.$/);
    }
  },
);
