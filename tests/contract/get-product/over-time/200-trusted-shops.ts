import assert from 'node:assert/strict';

import { at, contractService } from '../../support/contract-service.ts';
import { hold } from '../../support/store-item.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../../support/own-shop.ts';
import { proves } from '../../support/proves.ts';

const GTIN = '00614141830008';
const TITLE = 'Halden HK1750 Electric Kettle 1.7 L Stainless Steel';

const contract = contractService({
  env: { OPENSHELF_TRUSTED_SHOPS: 'writtenpages.example' },
  pages: {
    '/kettle': productPage(
      { name: TITLE, gtin14: GTIN, mpn: 'SHOP-MPN', brand: { '@type': 'Brand', name: 'Halden' } },
      { price: '38.00' },
    ),
  },
});

proves('D57b', 'a shop in OPENSHELF_TRUSTED_SHOPS counts like the seven', async () => {
  const kettle = { title: TITLE, brand: 'Halden', price: { cents: 3_999, currency: 'USD' } };
  await hold(contract, { retailer: 'retailer_w', key: '910000901', gtin: GTIN }, kettle);
  await contract.record(`${OWN_SHOP}/kettle`);
  const record = await contract.record(GTIN, '?include_cross_retailer=true');
  assert.equal(record['mpn'], 'SHOP-MPN');
  assert.notEqual(at(record, '_meta.data_quality_score'), null);
  const links = record['retailer_links'] as readonly Record<string, unknown>[];
  const link = links.find((each) => each['retailer'] === OWN_SLUG);
  assert.equal(link?.['identity_state'], 'confirmed');
  assert.equal(at(record, `cross_retailer.${OWN_SLUG}.identity.state`), 'confirmed');
});
