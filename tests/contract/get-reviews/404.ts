import { contractService, productPath, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('ER-05 D42i', 'what retailer_w does not list has no reviews: 404, unbilled', async () => {
  const market = contract.sandbox.market();
  const elsewhere = market
    .listings('retailer_b')
    .find(
      ({ product }) =>
        product.trouble === null && market.listingsOf('retailer_w', product).length === 0,
    );
  const codes = [elsewhere?.product.gtin14 ?? '', '99999999999', '4006381333931'];
  for (const id of codes) {
    refused(await contract.call(productPath(id, '/reviews')), 404, 'not_found');
  }
});
