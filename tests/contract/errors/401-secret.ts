import { formatApiKey, parseApiKey } from '../../../src/data/metering/api-key.ts';
import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D15a',
  'the id of a key with another secret is not a key, however right its check digits are',
  async () => {
    const { id = '', secret = '' } = parseApiKey(contract.service.key) ?? {};
    const turned = secret.slice(1) + secret.slice(0, 1);
    const key = formatApiKey({ id, secret: turned });
    refused(await contract.call('/v1/usage', { key }), 401, 'invalid_api_key');
    await contract.ok('/v1/usage', { key: formatApiKey({ id, secret }) });
  },
);
