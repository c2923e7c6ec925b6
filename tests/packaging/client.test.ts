// The TypeScript client as users get it: packed, installed into an empty project, type-checked there as strictly as possible,
// and run; and its example project.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { startService, type Service } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CLIENT, installClientPackages, runOfClient } from '../support/typescript-client.ts';

const scratch = temporaryFolder();
const SCRATCH = scratch.path;
const PROJECT = join(SCRATCH, 'project');
let service: Service;

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

before(async () => {
  installClientPackages();
  service = await startService({ withRetailers: true });
  mkdirSync(PROJECT);
  writeFileSync(join(PROJECT, 'package.json'), '{"type":"module","private":true}');
});

after(async () => {
  await service[Symbol.asyncDispose]();
  scratch[Symbol.dispose]();
});

/** What a user writes on the first day. */
const PROGRAM = `
import { createOpenshelf, hasCode, checkWebhook, type ProductRecord } from 'openshelf-client';

const [url = '', apiKey = '', item = ''] = process.argv.slice(2);
const client = createOpenshelf({ baseUrl: url, apiKey, tokenBudget: 5 });
const product: ProductRecord = await client.lookUp(item, { include_history: false });
const title: string | null = product.title;
try {
  await client.lookUp('lamp');
} catch (error) {
  if (!hasCode(error, 'invalid_identifier')) throw error;
}
for await (const { status } of client.batch([{ id: item, include_stats: true }])) console.log(status);
// @ts-expect-error: there is no such parameter.
void (() => client.lookUp(item, { include_offer: true }));
// @ts-expect-error: there is no such route.
void (() => client.routes.GET('/v1/product'));
console.log(typeof checkWebhook, title !== null, client.tokens.spent);
`;

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
};

test('npm pack makes a small package, which installs and type-checks in an empty project, and runs', async () => {
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', SCRATCH], CLIENT)) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  const names = packed.files.map(({ path }) => path);
  assert.ok(
    names.every((name) => /^(?:dist\/[\w-]+\.(?:js|d\.ts)|README\.md|package\.json)$/.test(name)),
  );
  const tarball = join(SCRATCH, packed.filename);
  assert.ok(statSync(tarball).size < 100_000, `${statSync(tarball).size} bytes`);
  npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball], PROJECT);
  const types = join(CLIENT, 'node_modules', '@types');
  writeFileSync(join(PROJECT, 'program.ts'), PROGRAM);
  for (const resolution of ['nodenext', 'bundler']) {
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    const compilerOptions = {
      ...STRICT,
      module,
      moduleResolution: resolution,
      typeRoots: [types],
      types: ['node'],
    };
    const file = join(PROJECT, `tsconfig.${resolution}.json`);
    writeFileSync(file, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const { status, output } = runOfClient('typescript/bin/tsc', ['-p', file], PROJECT);
    assert.equal(status, 0, `${resolution}: ${output}`);
  }
  const { item_id: item } = service.sandbox.describe();
  const args = ['program.ts', service.url, service.key, item];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT });
  assert.equal(stdout, '200\nfunction true 2\n');
});

test('the example lists the best prices of a sheet, and pays nothing when it is run again', async () => {
  const { gtin } = service.sandbox.describe();
  const sheet = join(SCRATCH, 'sheet.csv');
  writeFileSync(sheet, `barcode,shelf\r\n${gtin},=A1\r\n012345678905,B2\r\n`);
  await service.lookup(gtin);
  await service.untilQueueIdle();
  const key = await service.newKey({ organization: 'reseller', note: null });
  const env = { PATH: process.env['PATH'], OPENSHELF_URL: service.url, OPENSHELF_API_KEY: key };
  const run = () =>
    promisify(execFile)(process.execPath, ['example/best-prices.ts', sheet], { cwd: CLIENT, env });
  const first = await run();
  const [head, found, missing, ...rest] = first.stdout.trimEnd().split('\n');
  assert.equal(head, 'barcode,title,retailer,price,note');
  assert.match(found ?? '', new RegExp(`^"${gtin}","[^"]+","retailer_\\w","\\d+(?:\\.\\d+)?",""$`));
  assert.match(missing ?? '', /^"012345678905","","","",".+"$/);
  assert.deepEqual(rest, []);
  assert.match(first.stderr, /^3 tokens spent/);
  const again = await run();
  assert.equal(again.stdout, first.stdout);
  assert.match(again.stderr, /^0 tokens spent/);
  const lines = readFileSync(join(CLIENT, 'example', 'best-prices.ts'), 'utf8').split('\n');
  assert.ok(lines.length < 75, `the example has ${lines.length} lines`);
});
