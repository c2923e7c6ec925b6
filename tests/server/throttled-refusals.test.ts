// Calls refused only by the store count towards the throttle like answered ones (D20): requesting what does not exist is no way
// around it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../support/service.ts';

const UNKNOWN = '4006381333931';
let service: Service;

before(async () => {
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

/** Nothing is stored, and no retailer can be queried. */
const REFUSED: Readonly<Record<string, number>> = {
  [`/v1/products/${UNKNOWN}/history`]: 404,
  [`/v1/products/${UNKNOWN}`]: 503,
  [`/v1/products/${UNKNOWN}/compare`]: 503,
};

for (const [path, status] of Object.entries(REFUSED)) {
  test(`${path}: the third of three is throttled where two are allowed, and none is billed`, async () => {
    const limits = { throttlePerMinute: 1, throttleBurst: 2 };
    const key = await service.newKey({ organization: path, note: null, ...limits });
    const headers = { authorization: `Bearer ${key}` };
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await service.get(path, headers)).status);
    assert.deepEqual(statuses, [status, status, 429]);
    const { length } = await service.app.store.sql.all('select 1 from ledger', []);
    assert.equal(length, 0);
  });
}
