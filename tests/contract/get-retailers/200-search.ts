import assert from 'node:assert/strict';

import { contractService } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService({
  env: { OPENSHELF_SEARXNG_URL: 'https://search.example' },
});

proves('D14c D46a', 'a search engine that is set up is told', async () => {
  const { search_provider: provider } = await contract.ok('/v1/retailers');
  assert.equal(provider, 'searxng');
});
