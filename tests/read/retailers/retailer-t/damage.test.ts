// retailer_t: pages with values of other types in familiar places give a verdict.

import { testSpoilt } from '../spoilt-answers.ts';
import * as given from './fixtures.ts';

testSpoilt(
  'retailer_t',
  [['product', given.stateOf(given.PARENT), (json) => given.stateBody(json)]],
  () => given.PAGE_URL,
);
