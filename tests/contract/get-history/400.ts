import assert from 'node:assert/strict';

import { contractService, productPath, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

const CASES = [
  ['timeframe=60d', 'invalid_parameter', 'timeframe'],
  ['timeframe=30D', 'invalid_parameter', 'timeframe'],
  ['timeframe=30d&timeframe=7d', 'invalid_parameter', 'timeframe'],
  ['retailer=Shop.example', 'invalid_parameter', 'retailer'],
  ['retailer=', 'invalid_parameter', 'retailer'],
  ['cursor=1', 'invalid_parameter', 'cursor'],
  ['time_frame=30d', 'unknown_parameter', 'time_frame'],
  ['include_offers=true', 'unknown_parameter', 'include_offers'],
] as const;

for (const [query, code, parameter] of CASES) {
  proves('EH-01 EH-02 D22c D48c', `history?${query} is 400 ${code}`, async () => {
    const answer = await contract.call(`/v1/products/036000291452/history?${query}`);
    assert.equal(refused(answer, 400, code)['parameter'], parameter);
  });
}

proves('EE-01 D50a', 'an identifier that is not one is 400, a refused address too', async () => {
  for (const [id, code] of [
    ['4006381333932', 'invalid_identifier'],
    ['hello world', 'invalid_identifier'],
    ['http://10.0.0.1/a', 'url_not_allowed'],
  ] as const) {
    refused(await contract.call(productPath(id, '/history')), 400, code);
  }
});
