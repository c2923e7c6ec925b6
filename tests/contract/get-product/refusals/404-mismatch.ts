import assert from 'node:assert/strict';

import { contractService } from '../../support/contract-service.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

proves(
  'D35b D35d EE-04',
  'a listing that carries another barcode is not an answer to the one on the box',
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

proves(
  'D35b D56a',
  'where the first retailer answers with another product, the others are asked in the same call',
  async () => {
    const market = contract.sandbox.market();
    const others = ['retailer_h', 'retailer_b', 'retailer_l', 'retailer_e'] as const;
    const right = new Set(
      others.flatMap((slug) =>
        market
          .listings(slug)
          .filter((each) => !each.hasWrongBarcode && each.product.trouble === null)
          .map((each) => each.product.gtin14),
      ),
    );
    const wrongAtFirst = market
      .listings('retailer_w')
      .filter((each) => each.hasWrongBarcode && each.product.trouble === null)
      .map((each) => each.product.gtin14)
      .filter((gtin14) => right.has(gtin14));
    assert.ok(wrongAtFirst.length > 0, 'no product whose first retailer prints another barcode');
    for (const gtin14 of wrongAtFirst.slice(0, 3)) {
      const answer = await contract.lookup(gtin14);
      assert.equal(answer.status, 200, `${gtin14}: ${JSON.stringify(answer.body)}`);
      assert.notEqual(answer.body['retailer'], 'retailer_w');
    }
  },
);
