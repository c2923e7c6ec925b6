import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D49d GP-02', 'a body is 413 and an address of 9,000 characters 414', async () => {
  const body = { method: 'POST', body: 'x' };
  refused(await contract.call('/v1/products/012345678905', body), 413, 'body_not_accepted');
  refused(await contract.call(`/v1/products/${'a'.repeat(9_000)}`), 414, 'uri_too_long');
});
