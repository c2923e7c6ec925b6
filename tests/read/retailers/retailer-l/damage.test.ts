// retailer_l: damaged answers give a verdict.

import { retailerLSearchUrl } from '../../../../src/read/retailers/retailer-l/address-book.ts';
import { testDamage } from '../damage.ts';
import * as l from './fixtures.ts';

const list = { itemList: [{ product: l.product(), location: {} }], itemCount: 1 };
testDamage('retailer_l', [
  ['product', l.jsonAnswer(l.stateOf(l.ENTRY))],
  ['product', l.statePage(l.stateOf(l.ENTRY), l.LD)],
  ['search', l.statePage(list, l.LD, retailerLSearchUrl('board'))],
]);
