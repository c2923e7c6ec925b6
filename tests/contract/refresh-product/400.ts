import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'RR-04 D13d',
  'a bare retailer_b identifier is not forced, and the detail shows the address that works',
  async () => {
    const { retailer_b_product_id: id, retailer_b_sku: sku } = contract.world;
    for (const bare of [id, sku]) {
      for (const answer of [
        await contract.refresh(bare),
        await contract.lookup(bare, '?include_force_refresh=true'),
      ]) {
        const body = refused(answer, 400, 'bare_identifier_required');
        const [shown] =
          /\/v1\/products\/\S+retailer=retailer_b\S*/.exec(String(body['detail'])) ?? [];
        await contract.ok(shown ?? '');
      }
    }
  },
);

proves('D18e', 'both ways of forcing at once are refused', async () => {
  const query = '?retailer=retailer_w&force_refresh=true&include_force_refresh=true';
  refused(await contract.lookup(contract.world.upc, query), 400, 'invalid_parameter');
});

proves('D22c D19a', 'the flags that force a lookup are not parameters of a refresh', async () => {
  for (const name of ['force_refresh', 'include_force_refresh']) {
    refused(await contract.refresh(contract.world.upc, `?${name}=true`), 400, 'unknown_parameter');
  }
});

proves('RF-02 GP-02 D49d', 'a body is 413', async () => {
  const target = `/v1/products/${contract.world.upc}/refresh`;
  refused(
    await contract.call(target, { method: 'POST', body: '{"retailer":"retailer_w"}' }),
    413,
    'body_not_accepted',
  );
});
