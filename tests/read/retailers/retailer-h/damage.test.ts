// retailer_h: damaged answers give a verdict.

import { retailerHSearchUrl } from '../../../../src/read/retailers/retailer-h/address-book.ts';
import { testDamage } from '../damage.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';
import * as h from './fixtures.ts';

const body = h.NUMBERS + h.PRICE + h.OPEN_TILES + h.CART;
testDamage('retailer_h', [
  ['api:graphql_product', h.answer({ data: { product: h.product() } })],
  ['api:graphql_search', h.answer({ data: { searchModel: { products: [h.product()] } } })],
  ['product', h.productPage({ jsonLd: h.JSON_LD, state: h.stateOf(h.product()), body })],
  ['search', pageOf(html(ld(h.JSON_LD), body), { url: retailerHSearchUrl('drill') })],
  ['reviews', h.productPage({ jsonLd: h.JSON_LD })],
]);
