import assert from 'node:assert/strict';

import { contractService } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D14f D14b', 'documentation needs no key and costs nothing', async () => {
  for (const path of ['/docs']) {
    const response = await fetch(`${contract.service.url}${path}`);
    assert.equal(response.status, 200, path);
    assert.ok((await response.text()).length > 500, path);
  }
  assert.equal(await contract.left(), 1_000_000);
});
