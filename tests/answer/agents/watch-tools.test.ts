// The tools for watches: what an agent creates it can list, change and remove, with the scopes and limits of the routes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { issueKey } from '../../../src/data/metering/keys.ts';
import { withStore } from '../../../src/edge/wiring/open-store.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { agentOnStdio, agentOverHttp, type Agent, type Told } from '../../support/agent.ts';
import { startService, type Service } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CODE = '614141000005';
const LONG = `https://shop.example.com/p/${'long-name-of-a-thing-'.repeat(12)}`;

let service: Service;
before(async () => {
  service = await startService();
});
after(async () => {
  await service[Symbol.asyncDispose]();
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
type Row = Readonly<Record<string, unknown>>;

async function done(agent: Agent, name: string, input: Row): Promise<Row> {
  const answered = await agent.call(name, input);
  assert.equal(answered.isError, false, `${name} ${JSON.stringify(input)} ${answered.text}`);
  assert.ok(answered.bytes <= 2_048, `${name}: ${answered.bytes} bytes`);
  return answered.body;
}

async function list(agent: Agent): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: unknown = null; cursor !== undefined;) {
    const { watches = [], ...page } = await done(agent, 'watches', { cursor });
    rows.push(...(watches as readonly Row[]));
    cursor = page['cursor'];
  }
  return rows;
}

/** Uses every tool for watches. */
async function manage(agent: Agent): Promise<void> {
  assert.deepEqual(await list(agent), []);
  const made = await done(agent, 'watch', { identifier: CODE, below: 20, interval: '6h' });
  const { watch } = made;
  assert.equal(made['interval'], '6h');
  const changed = await done(agent, 'change_watch', {
    watch,
    below: 15.99,
    down_percent: '10',
    back_in_stock: true,
    paused: 'true',
  });
  assert.deepEqual(
    [changed['below'], changed['down_percent'], changed['also'], changed['state']],
    [15.99, 10, ['back_in_stock'], 'paused'],
  );
  const fewer = await done(agent, 'change_watch', {
    watch,
    without: ['down_percent', 'back_in_stock'],
    // Absent, not removed: an agent removes a condition by its name.
    below: null,
    paused: false,
  });
  assert.deepEqual(
    [fewer['below'], fewer['down_percent'], fewer['also'], fewer['state']],
    [15.99, undefined, undefined, 'active'],
  );
  const own = await done(agent, 'watch', { identifier: CODE, source: 'handed_in' });
  await done(agent, 'remove_watch', { watch: own['watch'] });
  const wrong = await agent.call('change_watch', { watch, interval: '5 minutes' });
  assert.match(wrong.text, /from 1h to 30d/);
  assert.deepEqual(
    (await list(agent)).map((row) => row['watch']),
    [watch],
  );
  assert.equal((await done(agent, 'remove_watch', { watch }))['removed'], watch);
  assert.deepEqual(await list(agent), []);
  for (const id of [watch, 'wat_x', '..', '614141000005']) {
    for (const name of ['change_watch', 'remove_watch']) {
      const { body, text } = await agent.call(name, { watch: id });
      assert.equal(body['error'], 'not_found', text);
      assert.match(String(body['next']), /Call watches/);
    }
  }
}

test('over HTTP, an agent manages the watches of the organization of its key', async () => {
  await using agent = await agentOverHttp(service.url, bearer(service.key));
  await manage(agent);
});

test('many watches are listed in pages of at most 2 KB, each watch once', async () => {
  const key = await service.newKey({ organization: 'many', note: null });
  await using agent = await agentOverHttp(service.url, bearer(key));
  const made: unknown[] = [];
  for (let place = 0; place < 11; place += 1) {
    const identifier = place % 2 === 0 ? `${LONG}${place}` : CODE;
    made.unshift((await done(agent, 'watch', { identifier, below: 100 + place }))['watch']);
  }
  assert.deepEqual(
    (await list(agent)).map((row) => row['watch']),
    made,
  );
});

test('a key that may only read lists watches, and is refused to create, change or remove one', async () => {
  const scopes = ['products:read'] as const;
  const key = await service.newKey({ organization: 'reader', note: null, scopes: [...scopes] });
  await using agent = await agentOverHttp(service.url, bearer(key));
  assert.deepEqual(await list(agent), []);
  for (const [name, input] of [
    ['watch', { identifier: CODE }],
    ['change_watch', { watch: 'wat_x' }],
    ['remove_watch', { watch: 'wat_x' }],
  ] as const) {
    assert.equal((await agent.call(name, input)).body['error'], 'insufficient_scope');
  }
});

test('an agent neither sees nor changes the watches of another organization', async () => {
  const key = await service.newKey({ organization: 'stranger', note: null });
  await using own = await agentOverHttp(service.url, bearer(service.key));
  await using other = await agentOverHttp(service.url, bearer(key));
  const { watch } = await done(own, 'watch', { identifier: CODE });
  assert.deepEqual(await list(other), []);
  for (const name of ['change_watch', 'remove_watch']) {
    assert.equal((await other.call(name, { watch })).body['error'], 'not_found');
  }
  await done(own, 'remove_watch', { watch });
});

test('tools are annotated as reading or changing stored data', async () => {
  await using agent = await agentOverHttp(service.url, bearer(service.key));
  const { tools } = await agent.client.listTools();
  const hints = tools.map(({ name, annotations }) => [
    name,
    annotations?.readOnlyHint,
    annotations?.destructiveHint,
  ]);
  assert.deepEqual(hints.slice(5), [
    ['watch', false, false],
    ['watches', true, false],
    ['change_watch', false, true],
    ['remove_watch', false, true],
  ]);
});

/** Returns an agent over the local data, as the documents say to register one, after these organizations got a key. */
async function agentOver(dataDir: string, organizations: readonly string[]): Promise<Agent> {
  const env = { OPENSHELF_DATA: dataDir };
  await withStore(readConfig(env, {}), async ({ accounts }, nowMs) => {
    for (const organization of organizations) {
      await issueKey(accounts, { organization, note: null }, nowMs);
    }
  });
  return await agentOnStdio(['--budget', '500', '--data', dataDir], {});
}

test('over local data, the watches are those of the only organization, without naming it', async () => {
  using folder = temporaryFolder();
  await using agent = await agentOver(folder.path, ['mine']);
  await manage(agent);
});

test('without an organization, or with several, the error says how to name one', async () => {
  for (const organizations of [[], ['one', 'two']]) {
    using folder = temporaryFolder();
    await using agent = await agentOver(folder.path, organizations);
    const refused: Told[] = [
      await agent.call('watch', { identifier: CODE }),
      await agent.call('watches', {}),
    ];
    for (const { body, text } of refused) {
      assert.equal(body['error'], 'insufficient_scope');
      assert.match(text, /--org NAME/);
    }
  }
});
