import assert from 'node:assert/strict';

import { contractService } from '../../support/contract-service.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

proves(
  'D35b D35d EE-04',
  'a listing that carries another barcode is no answer to the one on the box',
  async () => {
    const market = contract.sandbox.market();
    let asked = 0;
    for (const slug of ['retailer_b', 'retailer_h', 'retailer_l'] as const) {
      for (const listing of market.listings(slug).filter((each) => each.hasWrongBarcode)) {
        const { gtin14 } = listing.product;
        const answer = await contract.lookup(gtin14, `?retailer=${slug}`);
        assert.equal(answer.status, 404, `${slug} ${gtin14}`);
        asked += 1;
        if (asked % 3 === 0) break;
      }
    }
    assert.ok(asked >= 5, `${asked} wrong barcodes`);
  },
);
