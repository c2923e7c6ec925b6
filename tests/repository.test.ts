// What must hold for the repository as a whole: a supply chain without scripts, and texts that are valid on every machine.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { addressBooks } from './support/address-books.ts';

const ROOT = dirname(import.meta.dirname);

type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Locked = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
};

/** Texts by their paths below the root. */
function readTree(pattern: string): ReadonlyMap<string, string> {
  const paths = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

const MANIFEST = json('package.json') as Manifest;
const LOCK = json('package-lock.json') as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const LOCKED = Object.entries(LOCK.packages).filter(([path]) => path !== '');

test('every package is asked for in one exact version', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies']) {
    for (const [name, version] of Object.entries(MANIFEST[kind] ?? {})) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
    }
  }
});

test('every locked package has its integrity, names no registry and runs no install script', () => {
  assert.ok(LOCKED.length > 10);
  for (const [path, { integrity, resolved, hasInstallScript }] of LOCKED) {
    assert.match(integrity ?? '', /^sha512-/, path);
    assert.equal(resolved, undefined, path);
    assert.notEqual(hasInstallScript, true, path);
  }
});

test('the packages of the TypeScript client are asked for in one version, with their integrity and no registry', () => {
  const folder = 'clients/typescript';
  const manifest = json(`${folder}/package.json`) as Manifest;
  const lock = json(`${folder}/package-lock.json`) as typeof LOCK;
  const wanted = { ...manifest['dependencies'], ...manifest['devDependencies'] };
  for (const [name, version] of Object.entries(wanted)) {
    assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name);
  }
  for (const [path, { integrity, resolved }] of Object.entries(lock.packages)) {
    if (path === '') continue;
    assert.match(integrity ?? '', /^sha512-/, path);
    assert.equal(resolved, undefined, path);
  }
});

test('the PostgreSQL that the tests may install is locked in one version, and its scripts never run', () => {
  const folder = 'tests/postgres-binaries';
  const manifest = json(`${folder}/package.json`) as Manifest;
  const lock = json(`${folder}/package-lock.json`) as typeof LOCK;
  for (const [name, version] of Object.entries(manifest['optionalDependencies'] ?? {})) {
    const locked = lock.packages[`node_modules/${name}`];
    assert.equal(locked?.version, version, name);
    assert.match(locked?.integrity ?? '', /^sha512-/, name);
    assert.equal(locked?.resolved, undefined, name);
  }
  assert.match(readFileSync(join(ROOT, folder, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
});

test('the project itself runs no script when it is installed', () => {
  const scripts = Object.keys(MANIFEST['scripts'] ?? {});
  const risky = ['preinstall', 'install', 'postinstall', 'prepare'];
  assert.deepEqual(
    scripts.filter((name) => risky.includes(name)),
    [],
  );
});

test('every runtime dependency is used by the source', () => {
  const source = [...readTree('{src,sandbox}/**/*.ts').values()].join('\n');
  const unused = Object.keys(MANIFEST['dependencies'] ?? {}).filter(
    (name) => !new RegExp(`(?:from '|import\\('|\\.js': ')${name}['/]`).test(source),
  );
  assert.deepEqual(unused, []);
});

test('the launcher knows every Node that the package asks for', () => {
  const launcher = readFileSync(join(ROOT, 'bin', 'openshelf.js'), 'utf8');
  for (const name of Object.keys(MANIFEST['optionalDependencies'] ?? {})) {
    assert.ok(launcher.includes(`'${name}'`), name);
  }
});

test('no file speaks of the machine it was written on, or of work left undone', () => {
  const files = [
    ...readTree('{src,sandbox,console,tests,lab,build,bin,docs,.ci}/**/*.{ts,js,md,tsv,txt,sql}'),
    ...readTree('*.{md,json}'),
    ...['.ci/run', '.env.example', '.npmrc', '.oxlintrc.json']
      .filter((path) => existsSync(join(ROOT, path)))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
  ];
  // Written so that this file does not find itself.
  const pattern =
    /\b(?:TO[D]O|FIX[M]E|XX[X]|not impl[e]mented)\b|(?<![\w.])\/(?:h[o]me|U[s]ers)\/\w/;
  const wrong = files.flatMap(([path, text]) => {
    const found = pattern.exec(text)?.[0] ?? (text.includes(`${ROOT}/`) ? ROOT : undefined);
    return found === undefined ? [] : [`${path}: ${found}`];
  });
  assert.deepEqual(wrong, []);
});

const SHOP_ROW = /^\| `(retailer_\w)` \| ([\w.]+) \|$/gm;

/** Returns the README without the table rows that name a retailer and its shop. */
function withoutShops(readme: string): string {
  return readme.replaceAll(SHOP_ROW, '');
}

test('tests, evaluations and benchmarks make folders for a while by one helper, which takes them away', () => {
  // The server's own shell removes its folder, whatever happens to the test.
  const own = ['tests/support/temporary-folder.ts', 'tests/support/postgres-server.ts'];
  const byHand = [...readTree('{tests,lab,build}/**/*.ts')]
    .filter(([path, text]) => !own.includes(path) && /\bmkdtemp(?:Sync)?\(/.test(text))
    .map(([path]) => path);
  assert.deepEqual(byHand, []);
});

test('the table of the README names the shop of each known retailer', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(SHOP_ROW)].map(([, slug, host]) => `${slug} ${host}`);
  const shops = addressBooks().map((book) => `${book.slug} ${book.hosts[0]}`);
  assert.deepEqual(rows.toSorted(), shops.toSorted());
});

test('real host names of known retailers stand in their address books and the table of the README only', () => {
  const books = addressBooks();
  assert.equal(books.length, 7);
  const hosts = books.flatMap((book) => [...book.hosts, ...book.shortLinkHosts]);
  const pattern = new RegExp(
    `(?<![\\w-])(?:${hosts.map((host) => host.replaceAll('.', '\\.')).join('|')})(?![\\w-]|\\.[a-z])`,
    'i',
  );
  const files = [
    ...readTree(
      '{src,sandbox,console,assets,tests,lab,build,bin,docs}/**/*.{ts,js,md,tsv,txt,json,html,sql}',
    ),
    ...readTree('*.{md,json}'),
  ];
  const wrong = files
    .filter(([path]) => !/^(?:src|tests)\/read\/retailers\/retailer-\w\/address-book/.test(path))
    .map(([path, text]) => [path, path === 'README.md' ? withoutShops(text) : text] as const)
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path);
  assert.deepEqual(wrong, []);
});

test('the browser extension is small, asks for the tab of a click alone, and has no markup or code from elsewhere', () => {
  const {
    permissions,
    optional_host_permissions: hosts,
    ...manifest
  } = json('extension/manifest.json') as Readonly<Record<string, unknown>>;
  assert.deepEqual(permissions, ['activeTab', 'scripting', 'storage']);
  assert.deepEqual(hosts, ['https://*/*', 'http://127.0.0.1/*', 'http://localhost/*']);
  for (const name of ['host_permissions', 'content_scripts', 'externally_connectable']) {
    assert.ok(!(name in manifest), name);
  }
  const files = readTree('extension/*');
  const lines = [...files.values()].join('').split('\n').length - 1;
  assert.ok(lines < 300, `${lines} lines`);
  for (const [path, text] of files) {
    const code =
      /innerHTML|outerHTML\s*=|insertAdjacent|document\.write|\beval\b|\bimport\b|new Function/;
    assert.doesNotMatch(text, code, path);
    assert.doesNotMatch(text, /(?:src|href)="(?:https?:)?\/\//, path);
  }
});
