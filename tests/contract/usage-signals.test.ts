// What shops say about the use of their pages (D83): 160 shops, each with a generated robots.txt. What is asked, withheld and
// shown of each follows from the parts that its file was made of.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import {
  WatchAnswer,
  WatchList,
  WatchTest,
  WatchWithNotices,
} from '../../src/answer/wire/watches/watches.ts';
import type { Signals } from '../../src/base/listing/signals.ts';
import { agentOverHttp } from '../support/agent.ts';
import { LICENSE, PAGE_PATH, robotsFiles } from '../support/robots-files.ts';
import { openScriptedShop } from '../support/scripted-shop.ts';
import { contractService, productPath } from './support/contract-service.ts';
import { productPage } from './support/own-shop.ts';
import { proves } from './support/proves.ts';
import { hold } from './support/store-item.ts';

const GTIN = '04006381333931';
const FREE = 'https://creativecommons.org/licenses/by/4.0/';

/** A part of all combinations in which every group, path, statement and trap occurs, and every file with a licence. */
const files = robotsFiles().filter(({ text }, at) => at % 17 === 3 || text.includes(LICENSE));
const shops = [
  ...files,
  { name: 'a licence that is free', text: `License: ${FREE}\n`, says: { license: FREE } },
  {
    name: 'a page that may not be fetched',
    text: 'User-agent: *\nDisallow: /\nContent-Signal: search=no\n',
    says: undefined,
  },
].map((file, at) => ({ ...file, slug: `signal${at}`, host: `www.signal${at}.example` }));

const origins = [...shops.map(({ host }) => `https://${host}`), new URL(LICENSE).origin];
const world = await openScriptedShop(origins);
after(() => world.close());
for (const { host, text } of shops) {
  world.answer(`https://${host}/robots.txt`, { body: text, type: 'text/plain' });
  const page = productPage({
    name: 'Stoneware Kettle 1.5 l',
    brand: 'Cobbleton',
    gtin13: '4006381333931',
  });
  world.answer(`https://${host}${PAGE_PATH}`, page);
}

const LICENSED = shops.find(({ says }) => says?.license === LICENSE)?.host ?? '';
const contract = contractService({
  isStill: true,
  env: {
    OPENSHELF_ORIGINS: world.origins,
    OPENSHELF_TRUSTED_SHOPS: shops.map(({ host }) => host).join(','),
    OPENSHELF_LICENSED_SHOPS: LICENSED,
  },
});

type Body = Record<string, unknown>;
const at = (body: unknown, name: string): Body => (body as Record<string, Body>)[name] ?? {};

/** The signals on the wire. */
function onWire(says: Signals | undefined): Body | undefined {
  if (says === undefined) return undefined;
  const { search = null, aiInput = null, aiTrain = null, license = null } = says;
  return { search, ai_input: aiInput, ai_train: aiTrain, license };
}

const isRefused = ({ host, says }: (typeof shops)[number]) =>
  says?.license === LICENSE && host !== LICENSED;

proves(
  'D83a D83b D83c D83e',
  'of 160 generated robots.txt files nothing is asked, shown or given against what the file says',
  async () => {
    const key = await contract.newKey({
      organization: 'signals',
      note: null,
      monthlyQuota: 1_000_000,
      throttlePerMinute: 1_000_000,
      throttleBurst: 100_000,
    });
    await using agent = await agentOverHttp(contract.service.url, {
      authorization: `Bearer ${key}`,
    });
    assert.ok(shops.length >= 150, `${shops.length} shops`);
    const wrong: string[] = [];
    for (const shop of shops) {
      const { name, host, slug, says } = shop;
      const address = `https://${host}${PAGE_PATH}`;
      const { status, body } = await contract.lookup(address, `?retailer=${slug}`, { key });
      const isDisallowed = name === 'a page that may not be fetched';
      const expect = (isRight: boolean, what: string) => {
        if (!isRight) wrong.push(`${what}: ${name}`);
      };
      if (isRefused(shop) || isDisallowed) {
        expect(status === 422 && body['code'] === 'source_unusable', `${status}`);
        expect(
          body['upstream'] === (isDisallowed ? 'robots_disallowed' : 'license_required'),
          'upstream',
        );
        expect(isDisallowed || String(body['detail']).includes(LICENSE), 'the licence is named');
        expect(world.reads(address) === 0, 'the page was asked');
        continue;
      }
      expect(status === 200, `${status}`);
      const shown = at(body, '_meta')['signals'];
      expect(JSON.stringify(shown) === JSON.stringify(onWire(says)), JSON.stringify(shown));
      const told = await agent.call('lookup', {
        identifier: address,
        retailer: slug,
        detail: true,
      });
      const isText = JSON.stringify(told.body).includes('Stoneware');
      expect(!told.isError && isText === (says?.aiInput !== false), 'text for agents');
      expect(told.body['price'] === 12.5 && told.text.includes(GTIN), 'numbers for agents');
    }
    assert.deepEqual(wrong, []);
    assert.equal(world.reads(LICENSE), 0, 'the licence is never fetched');

    await contract.untilQueueIdle();
    const compared = shops.filter((shop) => !isRefused(shop) && shop.says?.search !== false);
    const expected = compared
      .filter(({ name }) => name !== 'a page that may not be fetched')
      .map(({ slug }) => slug);
    const ofSignals = (rows: readonly Body[]) =>
      rows.map(({ retailer }) => String(retailer)).filter((slug) => slug.startsWith('signal'));
    const comparison = await contract.ok(productPath(GTIN, '/compare'), { key });
    const rows = comparison['rows'] as readonly Body[];
    const priced = rows.filter(({ price }) => price !== null);
    assert.deepEqual(ofSignals(priced).toSorted(), expected.toSorted(), 'compared');
    const record = await contract.record(
      GTIN,
      '?include_cross_retailer=true&identifier_match=any',
      { key },
    );
    const links = record['retailer_links'] as readonly Body[];
    assert.ok(
      ofSignals(links).every((slug) => expected.includes(slug)),
      'linked',
    );
    const cells = Object.entries(record['cross_retailer'] as Record<string, Body>);
    const unsearched = shops.filter((shop) => !isRefused(shop) && shop.says?.search === false);
    const blocked = cells.filter(([, { status }]) => status === 'blocked').map(([slug]) => slug);
    assert.deepEqual(
      ofSignals(blocked.map((retailer) => ({ retailer }))).toSorted(),
      unsearched.map(({ slug }) => slug).toSorted(),
    );
  },
);

proves(
  'D83b',
  'the own address of a shop that wants no search answers by itself, and is not put next to others',
  async () => {
    const shop = shops.find(({ says }) => says?.search === false && says.license === undefined);
    const address = `https://${shop?.host}${PAGE_PATH}`;
    const record = await contract.record(address);
    assert.equal(record['current_price'], 12.5);
    const { rows } = await contract.ok(productPath(address, '/compare'));
    const slugs = (rows as readonly Body[]).map(({ retailer }) => retailer);
    assert.equal(slugs.includes(shop?.slug), false);
  },
);

proves(
  'D83a D83c',
  'watches and comparisons say when no text may be given to language models, and agents get none',
  async () => {
    const shop = shops.find(({ says }) => says?.aiInput === false);
    const identifier = `https://${shop?.host}${PAGE_PATH}`;
    const made = await contract.call('/v1/watches', {
      method: 'POST',
      body: JSON.stringify({ identifier, interval: '1h', below: 5 }),
      headers: { 'content-type': 'application/json' },
    });
    const { watch } = WatchAnswer.parse(made.body);
    await contract.app.checkWatches();
    await contract.untilQueueIdle();
    const one = `/v1/watches/${watch.id}`;
    const sent = { headers: { 'content-type': 'application/json' }, body: '{"below":4}' };
    const answers = [
      WatchWithNotices.parse(await contract.ok(one)).watch,
      WatchAnswer.parse(await contract.ok(one, { method: 'PATCH', ...sent })).watch,
      WatchTest.parse(await contract.ok(`${one}/test`, { method: 'POST' })).watch,
      ...WatchList.parse(await contract.ok('/v1/watches')).watches,
    ];
    assert.equal(answers.length, 4);
    for (const { listings } of answers) {
      const shown = listings.map(({ title, ai_input: aiInput }) => [title, aiInput]);
      assert.deepEqual(shown, [['Stoneware Kettle 1.5 l', false]]);
    }
    const comparison = await contract.ok(productPath(identifier, '/compare'));
    assert.equal(at(comparison, 'signals')['ai_input'], false);
    const free = shops.find(({ says }) => says?.license === FREE)?.host;
    const licensed = await contract.ok(productPath(`https://${free}${PAGE_PATH}`, '/compare'));
    assert.equal(at(licensed, 'signals')['license'], FREE);
    const headers = { authorization: `Bearer ${contract.service.key}` };
    await using agent = await agentOverHttp(contract.service.url, headers);
    for (const [tool, input] of [
      ['watches', {}],
      ['compare', { identifier, detail: true }],
    ] as const) {
      const told = await agent.call(tool, input);
      assert.equal(told.isError, false, told.text);
      assert.equal(told.text.includes('Stoneware'), false, tool);
    }
  },
);

proves('D83a', 'the list of retailers shows what the page that was read last says', async () => {
  const signals = { search: true, aiInput: false, aiTrain: false, license: FREE };
  await hold(contract, { retailer: 'retailer_w', key: '8123456', signals }, {});
  const { retailers } = await contract.ok('/v1/retailers');
  const shown = (retailers as readonly Body[]).map(({ retailer, signals: said }) => [
    retailer,
    said,
  ]);
  assert.deepEqual(
    shown.filter(([, said]) => said !== undefined),
    [['retailer_w', onWire(signals)]],
  );
});
