// What a start loads: each file costs a third of a millisecond, so anything not needed until it is requested is loaded then.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const scratch = temporaryFolder();
const SCRATCH = scratch.path;
after(() => scratch[Symbol.dispose]());

/** Prints at exit what the main thread has loaded. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
const loaded = [];
const { registerHooks } = nodeModule;
const watch = () => registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
if (isMainThread) {
  // The most recently registered hooks run first, and those of the launcher call no others.
  nodeModule.registerHooks = (hooks) => (registerHooks(hooks), watch());
  syncBuiltinESMExports();
  process.on('exit', () => console.error('loaded ' + JSON.stringify(loaded)));
}`)}`;

/** Returns the project and package files that this command loads; a serving command is told to stop once it says that it is ready. */
async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
  const command = [join(ROOT, 'bin', 'openshelf.js'), ...args, '--data', SCRATCH];
  const child = spawn(process.execPath, ['--import', WATCH, ...command], {
    env: { PATH: process.env['PATH'], OPENSHELF_DRAIN_DELAY_MS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { url } = JSON.parse(line) as { readonly url?: string };
    const checked = url === undefined ? Promise.resolve() : isHealthy(url);
    void checked.catch((error: unknown) => (said += String(error))).finally(() => child.kill());
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await closed;
  const [, list] = /^loaded (.*)$/m.exec(said) ?? [];
  assert.ok(list !== undefined && !said.includes('AssertionError'), said);
  return (JSON.parse(list) as readonly string[])
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(ROOT, new URL(url).pathname));
}

async function isHealthy(url: string): Promise<void> {
  for (const path of ['/livez', '/readyz']) {
    const answer = await fetch(url + path, { headers: { 'x-probe': 'start' } });
    assert.equal(await answer.text(), '{"status":"ok"}');
  }
}

/** Names that Node adds to the exports of a CommonJS module. */
const isName = (name: string) => !['default', 'module.exports'].includes(name);

const isOf = (names: string) => (path: string) => new RegExp(`^(?:${names})(?:/|$|\\.)`).test(path);

test('a start of the service and its health checks load no routes, no readers, no way to shops, no matcher, no simulated market, no other command and no client of servers', async () => {
  const loaded = await loadedBy('serve', '--port', '0', '--json');
  assert.ok(loaded.includes('src/server/early-table.ts'));
  const needless =
    'src/server/(?:all-tables|routes)|node_modules/zod|' +
    'src/read/retailers/(?:readers|registry|generic/(?!filled-gaps)|retailer-\\w/(?:readers|product-page|search-page))|sandbox/server|' +
    'src/edge/wiring/outside|src/egress/(?:guarded-fetcher|post-to-receiver)|src/rules/matching/matcher|src/base/listing/words|' +
    'src/edge/cli/(?:products|accounts|history|data|sandbox/demo)|src/edge/sheets|src/edge/runs/sheet-thread|node_modules/(?:undici|pg|nodemailer|csv-parse|' +
    'hyparquet-writer|@modelcontextprotocol)';
  assert.deepEqual(loaded.filter(isOf(needless)), []);
  assert.ok(loaded.length < 430, `${loaded.length} files`);
});

test('it listens before the lookups are loaded, and answers from the store before the way to shops and the routes are', async () => {
  const loaded = await loadedBy('serve', '--port', '0', '--json');
  const before = loaded.slice(0, loaded.indexOf('src/server/listen/listener.ts'));
  assert.ok(before.includes('src/data/store.ts'));
  const later =
    'src/edge/app|src/(?:answer/(?:collect|lookup)|rules/(?:matching/matcher|product))|node_modules/zod';
  assert.deepEqual(before.filter(isOf(later)), []);
  assert.ok(before.length < 172, `${before.length} files`);
  const answering = loaded.slice(0, loaded.indexOf('src/answer/indexer/housekeeping.ts'));
  assert.ok(
    answering.includes('src/server/early-table.ts') && answering.includes('src/edge/app.ts'),
  );
  const behind =
    'src/(?:rules/(?:fees/listing-fees|channels|matching/matcher)|server/routes|answer/(?:lookup/(?:compare-product|history/lookup-history)|indexer/worker)|edge/wiring/watching)|' +
    'node_modules/zod';
  assert.deepEqual(answering.filter(isOf(behind)), []);
  assert.ok(loaded.includes('src/edge/wiring/watching.ts'));
  assert.ok(answering.length < 345, `${answering.length} files`);
});

test('a command that needs the store alone loads neither the service nor its routes', async () => {
  const loaded = await loadedBy('keys', 'create', '--org', 'start', '--json');
  assert.ok(loaded.includes('src/edge/cli/accounts/keys.ts'));
  assert.deepEqual(
    loaded.filter(isOf('src/edge/app|src/server|src/answer/lookup|node_modules/(?:rou3|zod)')),
    [],
  );
  assert.ok(loaded.length < 155, `${loaded.length} files`);
});

test('what the launcher takes for granted of the packages whose files it does not look for is so', async () => {
  const scopes = globSync('node_modules/zod/**/package.json', { cwd: ROOT });
  assert.ok(scopes.length > 3);
  for (const path of scopes.filter((each) => !each.includes('/cjs/'))) {
    const { type } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { type?: string };
    const holdsCode = globSync('*.js', { cwd: join(ROOT, dirname(path)) }).length > 0;
    assert.ok(!holdsCode || type === 'module', path);
  }
  const module = join(ROOT, 'node_modules', 'tldts', 'dist', 'index.esm.min.js');
  const names = Object.keys((await import(pathToFileURL(module).href)) as object);
  assert.deepEqual(
    names.sort(),
    Object.keys(await import('tldts'))
      .filter(isName)
      .sort(),
  );
  // Of zod's locales, only English is loaded.
  assert.ok(existsSync(join(ROOT, 'node_modules', 'zod', 'v4', 'locales', 'en.js')));
  const sources = globSync('src/**/*.ts', { cwd: ROOT });
  const wanting = sources.filter((path) =>
    /\blocales\b/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  assert.deepEqual(wanting, []);
});
