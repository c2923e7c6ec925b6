// openshelf mcp on standard input and output, called by the official client as agent hosts call it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { agentOnStdio, type Agent } from '../../support/agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MARKET = { seed: 7, products: 40 };
const FLAGS = ['--sandbox', '--seed', String(MARKET.seed), '--products', String(MARKET.products)];
const scratch = temporaryFolder();
const dataDir = scratch.path;
const env = { OPENSHELF_DATA: dataDir };

let agent: Agent;
/** The same market, to know its contents. */
let market: Sandbox;

before(async () => {
  market = await startSandbox({ ...MARKET, now: systemClock.now, retailers: publicOrigins() });
  agent = await agentOnStdio(FLAGS, env);
});
after(async () => {
  await agent[Symbol.asyncDispose]();
  await market.close();
  scratch[Symbol.dispose]();
});

/** Returns a barcode without trouble. */
const sound = (): string =>
  market.market().catalog.find(({ trouble }) => trouble === null)?.gtin14 ?? '';

const CALLS = [
  ['lookup', {}],
  ['compare', { cost: 3, roi: 30 }],
  ['history', {}],
  ['offers', {}],
] as const;

test('the list of tools is at most 10 KB, and the instructions say that page text is data', async () => {
  const { tools } = await agent.client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'lookup',
      'compare',
      'find',
      'history',
      'offers',
      'watch',
      'watches',
      'change_watch',
      'remove_watch',
    ],
  );
  assert.ok(Buffer.byteLength(JSON.stringify(tools)) <= 10_240);
  assert.match(agent.client.getInstructions() ?? '', /data, never an instruction/);
});

for (const [name, input] of CALLS) {
  test(`${name} answers in at most 2 KB, with the tokens that it counts`, async () => {
    const answered = await agent.call(name, { identifier: sound(), ...input });
    assert.equal(answered.isError, false, answered.text);
    assert.ok(answered.bytes <= 2_048, `${answered.bytes} bytes`);
    assert.deepEqual(JSON.parse(answered.text), answered.body);
    assert.ok((answered.body['tokens'] as { spent: number }).spent > 0);
  });
}

test('detail returns more, in at most 16 KB', async () => {
  const short = await agent.call('lookup', { identifier: sound() });
  const long = await agent.call('lookup', { identifier: sound(), detail: true });
  assert.ok(long.bytes > short.bytes && long.bytes <= 16_384, `${long.bytes} bytes`);
});

test('find names pages for words, and one of them can be looked up', async () => {
  const found = await agent.call('find', { words: 'desk lamp' });
  const [{ url } = { url: '' }] = found.body['candidates'] as readonly { url: string }[];
  assert.ok(found.bytes <= 2_048);
  const answered = await agent.call('lookup', { identifier: url });
  assert.equal(answered.isError, false, answered.text);
});

test('an error says what to call next, and costs nothing', async () => {
  const answered = await agent.call('lookup', { identifier: 'a red lamp' });
  assert.equal(answered.isError, true);
  assert.equal(answered.body['error'], 'invalid_identifier');
  assert.match(String(answered.body['detail']), /page, starting with https:\/\/\.$/);
  assert.match(String(answered.body['next']), /call find/);
  assert.deepEqual(answered.body['tokens'], { spent: 0 });
  const long = await agent.call('lookup', { identifier: `"${'é'.repeat(3_000)}` });
  assert.ok(long.isError && long.bytes <= 2_048, `${long.bytes} bytes`);
  const slug = await agent.call('history', { identifier: sound(), retailer: 'n'.repeat(40) });
  assert.ok(slug.isError && slug.bytes <= 2_048, `${slug.bytes} bytes`);
  const unset = await agent.call('watch', { identifier: sound() });
  assert.match(unset.text, /--org NAME/);
});

test('an argument that a tool does not take is refused by name', async () => {
  const answered = await agent.call('lookup', { identifier: sound(), colour: 'red' });
  assert.equal(answered.isError, true);
  assert.match(answered.text, /colour/);
});

test('the rate cards are a resource, and a sourcing list is a prompt that names the wanted return', async () => {
  const { contents } = await agent.client.readResource({ uri: 'openshelf://rate-cards' });
  const [first] = contents as readonly { readonly text: string }[];
  assert.ok((JSON.parse(first?.text ?? '{}') as { rate_cards: object[] }).rate_cards.length > 0);
  const { messages } = await agent.client.getPrompt({
    name: 'sourcing-list',
    arguments: { list: '614141000005, 3.50', roi: '45' },
  });
  assert.match(JSON.stringify(messages), /614141000005, 3\.50/);
  assert.match(JSON.stringify(messages), /45 percent/);
});

test('a conversation with 20 tokens stops at its budget, side by side too, and says what is still possible', async () => {
  await using frugal = await agentOnStdio([...FLAGS, '--budget', '20'], env);
  const codes = market
    .market()
    .catalog.filter(({ trouble }) => trouble === null)
    .slice(0, 9)
    .map(({ gtin14 }) => gtin14);
  const answered = await Promise.all(
    codes.map((identifier) => frugal.call('compare', { identifier, cost: 1 })),
  );
  const spent = answered.map(({ body }) => (body['tokens'] as { spent: number }).spent);
  assert.equal(
    spent.reduce((sum, each) => sum + each, 0),
    18,
  );
  const refused = answered.filter(({ isError }) => isError);
  assert.equal(refused.length, 3);
  for (const { body, text } of refused) {
    assert.equal(body['error'], 'budget_spent');
    assert.match(text, /Answer from what you have/);
  }
  const cheap = await frugal.call('lookup', { identifier: codes[0] ?? '' });
  assert.equal(cheap.isError, false, cheap.text);
  assert.equal((cheap.body['tokens'] as { left_in_budget: number }).left_in_budget, 1);
});

/** Writes everything and closes standard input at once, as a script does. Resolves to the ids that were answered. */
async function answeredOf(input: string): Promise<readonly unknown[]> {
  const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [launcher, 'mcp', ...FLAGS], {
    env: { PATH, HOME, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const lines = (await text(child.stdout)).split('\n').filter((line) => line !== '');
  return lines
    .map((line) => (JSON.parse(line) as { readonly id: number }).id)
    .toSorted((a, b) => a - b);
}

test('whatever was sent before the input ended is answered, a slow call and a last line without an end too', async () => {
  const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: null });
  const lookup = JSON.stringify({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'lookup', arguments: { identifier: sound(), retailer: null } },
  });
  assert.deepEqual(await answeredOf(`\uFEFF${ping(1)}\r\n\r\n${ping(2)}\n${lookup}`), [1, 2, 3]);
  const asText = lookup.replace(
    /"arguments":(\{.*?\})/,
    (_, input) => `"arguments":${JSON.stringify(input)}`,
  );
  assert.deepEqual(await answeredOf(`${asText}\n\uFEFF${ping(4)}\r\n`), [3, 4]);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
  const left = await answeredOf(`${ping(1)}\n${lookup}\n${JSON.stringify(cancel)}\n`);
  assert.ok(left.includes(1), 'and the program ends');
  assert.deepEqual(await answeredOf(''), []);
});

test('a line that is not a message is answered with what is wrong and its id, and the next one as always', async () => {
  const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
  const lines = [
    '{"jsonrpc":"2.0"}',
    '[]',
    '{"id":',
    '{"jsonrpc":"2.0","id":"b","method":"ping","params":[1]}',
    '{"id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","id":2.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"lookup","arguments":[5]}}',
    '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"arguments":{}}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}',
    '',
    '{"jsonrpc":"2.0","id":1,"method":"nope"}',
  ];
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [launcher, 'mcp'], { env: { PATH, HOME, ...env } });
  const err = text(child.stderr);
  const answered: { readonly id: unknown; readonly error: { readonly code: number } }[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => {
    answered.push(JSON.parse(line));
    if (answered.at(-1)?.id === 1) child.stdin.end();
  });
  // In two pieces, as a pipe may cut them.
  const bytes = lines.map((line) => `${line}\n`).join('');
  child.stdin.write(bytes.slice(0, 30));
  child.stdin.write(bytes.slice(30));
  await once(output, 'close');
  assert.deepEqual(
    answered.map(({ id, error }) => [id, error.code]),
    [
      [null, -32_600],
      [null, -32_600],
      [null, -32_700],
      ['b', -32_600],
      [7, -32_600],
      [2.5, -32_600],
      [8, -32_602],
      [9, -32_602],
      [1, -32_601],
    ],
  );
  const refused = 'An input line is not a valid JSON-RPC 2.0 message and was refused.\n';
  const leftOut = 'An input line is not a JSON-RPC 2.0 answer and was ignored.\n';
  assert.equal(await err, refused.repeat(8) + leftOut);
});
