// The reference's samples run unchanged: each operation with curl, with the TypeScript client and with Python.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { SANDBOX_SEED, withSandbox } from '../../src/edge/cli/sandbox-config.ts';
import { readConfig } from '../../src/edge/config.ts';
import { openApp } from '../../src/edge/app.ts';
import type { Example } from '../../src/server/document/examples.ts';
import { DEFAULT_SCOPES } from '../../src/base/scopes.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { createSignIns } from '../../src/data/metering/sign-ins.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { operationsOf, type Json } from '../support/openapi-walk.ts';
import { startReceiver } from '../support/receiver.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { untilQueueIdle } from '../support/service.ts';
import { CLIENT, installClientPackages, runOfClient } from '../support/typescript-client.ts';
import { nodeProcess, pythonProcess } from './sample-processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Sample = { readonly lang: string; readonly source: string };
type Sampled = {
  readonly operationId: string;
  readonly path: string;
  readonly samples: readonly Sample[];
};

const recorded = JSON.parse(
  readFileSync(new URL('../../assets/examples.json', import.meta.url), 'utf8'),
) as readonly Example[];
/** Each operation once, in recording order: one call creates what the next one needs. */
const ORDER = [
  ...new Set(recorded.filter(({ status }) => status < 400).map((each) => each.operation)),
];

/** Ids in the samples, and the pattern of the real ids in answers. */
const IDS = [
  ['wat_2mQ9xkz0Example0000000', /wat_[\w-]{22}/],
  ['chn_5kR8wNd3Example0000000', /chn_[\w-]{22}/],
  ['dlv_9vB6cXf2Example0000000', /dlv_[\w-]{22}/],
  ['pag_4mZ8tVb6Example0000000', /pag_[\w-]{22}/],
  ['rul_7cQ2xNd5Example0000000', /rul_[\w-]{22}/],
  ['ses_3fW6yKp9Example0000000', /ses_[\w-]{22}/],
] as const;
/** The seller in the samples: the market has it for some days only. */
const SELLER = recorded
  .find(({ operation }) => operation === 'getSeller')
  ?.request.path.split('/')
  .at(-1);
const KEY_ID = /osk_live_([0-9A-Za-z]{8})_/;

before(installClientPackages);

/** Starts a service like the one the examples were recorded with, except for its clock. */
async function startLike() {
  const folder = temporaryFolder();
  const dataDir = folder.path;
  const retailers = publicOrigins();
  const sandbox = await startSandbox({ seed: SANDBOX_SEED, now: systemClock.now, retailers });
  const receiver = await startReceiver();
  const env = {
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    OPENSHELF_ORIGINS: `https://discord.com=${receiver.url}`,
  };
  const app = await openApp(withSandbox(readConfig(env, { dataDir, port: 0 }), sandbox), {});
  const { url } = await app.listen();
  const newKey = async (organization: string, scopes: 'usual' | 'admin') => {
    const usual = [...DEFAULT_SCOPES, 'pages:submit', 'rules:write'] as const;
    const more = { scopes: scopes === 'admin' ? (['admin'] as const) : usual };
    const request = { organization, note: null, ...more };
    return (await issueKey(app.store.accounts, request, systemClock.now())).text;
  };
  const key = await newKey('samples', 'usual');
  const signIns = createSignIns(app.store.sessions, systemClock);
  await signIns.begin({ keyId: key.slice(9, 17) }, { userAgent: 'samples', lasts: true });
  // A seller is known once one of its offers was seen.
  const { seller_id: seller, seller_item_id: item } = sandbox.describe();
  const headers = { authorization: `Bearer ${key}` };
  const offers = await fetch(`${url}/v1/products/${item}?include_offers=true`, { headers });
  assert.equal(offers.status, 200, await offers.text());
  return {
    app,
    url,
    key,
    adminKey: await newKey('operator', 'admin'),
    sellerId: seller ?? assert.fail('the market has no seller'),
    async [Symbol.asyncDispose]() {
      await app.stop(1_000);
      await app[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await sandbox.close();
      folder[Symbol.dispose]();
    },
  };
}

type Run = (source: string, env: Readonly<Record<'BASE' | 'KEY', string>>) => Promise<string>;

/** Runs the samples of a language, each with the ids from earlier answers. */
async function runAll(lang: string, run: Run): Promise<void> {
  await using service = await startLike();
  const response = await fetch(`${service.url}/openapi.json`);
  const document = (await response.json()) as Json;
  const all = sampledOf(document);
  const ids = new Map([[SELLER ?? assert.fail('no seller in the examples'), service.sellerId]]);
  const keyIds: string[] = [];
  assert.deepEqual([...all.keys()].toSorted(), ORDER.map(String).toSorted());
  for (const operation of ORDER) {
    const { path, samples } = all.get(String(operation)) ?? assert.fail();
    const { source } = samples.find((each) => each.lang === lang) ?? assert.fail();
    let filled = source;
    for (const [example, id] of ids) filled = filled.replaceAll(example, id);
    filled = filled.replaceAll(/Example(\d)(?!\d)/g, (_, at: string) => keyIds[Number(at)] ?? '?');
    const KEY = path.startsWith('/v1/admin') ? service.adminKey : service.key;
    const printed = await run(filled, { BASE: service.url, KEY });
    assert.ok(
      printed.trim() !== '' && !/urn:openshelf:problem/.test(printed),
      `${filled}\n${printed}`,
    );
    for (const [example, pattern] of IDS) {
      const [id] = pattern.exec(printed) ?? [];
      if (id !== undefined) ids.set(example, id);
    }
    const [, keyId] = KEY_ID.exec(printed) ?? [];
    if (keyId !== undefined) keyIds.push(keyId);
    await untilQueueIdle(service.app, systemClock);
    await service.app.deliverNotices();
  }
}

function sampledOf(document: Json): ReadonlyMap<string, Sampled> {
  const sampled = operationsOf(document).flatMap((operation) => {
    const { operationId = '', path, method } = operation;
    const samples = (operation as { 'x-codeSamples'?: readonly Sample[] })['x-codeSamples'];
    if (method === 'HEAD') return [];
    assert.ok(samples !== undefined, `${operationId} has no samples: record an answer of it`);
    return [[operationId, { operationId, path, samples }] as const];
  });
  return new Map(sampled);
}

/** Nothing from the tests' environment except what is needed to find programs. */
const { PATH, HOME } = process.env;

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

test(
  'each sample for curl gets an answer',
  { skip: has('curl') ? false : 'there is no curl' },
  async () => {
    await runAll('Shell', async (source, env) => {
      const command = source.replace(/^curl /, 'curl -sS --fail-with-body ');
      const ran = promisify(execFile)('sh', ['-c', command], { env: { PATH, HOME, ...env } });
      return (await ran).stdout;
    });
  },
);

test(
  'each sample for Python gets an answer',
  { skip: has('python3') ? false : 'there is no python3' },
  async () => {
    await using python = pythonProcess({ PATH, HOME });
    await runAll('Python', python.run);
  },
);

test('each sample for TypeScript gets an answer', async () => {
  const client = pathToFileURL(join(CLIENT, 'src', 'index.ts')).href;
  await using node = nodeProcess({ PATH, HOME });
  await runAll('TypeScript', (source, env) =>
    node.run(source.replace("'openshelf-client'", JSON.stringify(client)), env),
  );
});

test('the compiler of the client finds nothing wrong with the samples for TypeScript', async () => {
  await using service = await startLike();
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json;
  using scratch = temporaryFolder(join(CLIENT, 'node_modules'));
  const folder = scratch.path;
  const files = [...sampledOf(document)].map(([name, { samples }]) => {
    const { source } = samples.find(({ lang }) => lang === 'TypeScript') ?? assert.fail();
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, source.replace("'openshelf-client'", "'../../src/index.ts'"));
    return `${name}.ts`;
  });
  const config = { extends: '../../tsconfig.json', files, include: [] };
  const compilerOptions = { typeRoots: ['../@types'], types: ['node'] };
  const loose = { noPropertyAccessFromIndexSignature: false };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...config, compilerOptions: { ...compilerOptions, ...loose } }),
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { status, output } = runOfClient('typescript/bin/tsc', ['-p', folder]);
  assert.equal(status, 0, output);
});
