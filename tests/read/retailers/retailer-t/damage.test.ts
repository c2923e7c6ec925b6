// retailer_t: answers with values of other types in familiar places give a verdict.

import { testSpoilt, asJson } from '../spoilt-answers.ts';
import * as given from './fixtures.ts';

testSpoilt(
  'retailer_t',
  [
    ['api:redsky_pdp', { data: { product: given.PARENT } }, asJson],
    ['api:redsky_summary', given.SUMMARY, asJson],
    ['api:redsky_search', given.SEARCH, asJson],
    ['product', given.stateOf(given.PARENT), (json) => given.stateBody(json)],
  ],
  (dress) => (dress === asJson ? given.apiUrl('90000011') : given.PAGE_URL),
);
