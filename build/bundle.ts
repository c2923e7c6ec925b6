// Bundles the source and the packages that every start loads into a few files. Loading a file takes 0.3 to 0.4 ms regardless of
// its content, and a start of the service loaded 780.

import { join, relative, sep } from 'node:path';

import { rolldown, type OutputChunk, type Plugin } from 'rolldown';

/** The entry points of the launcher and the threads (bin/openshelf.js, bin/thread.js). */
const ENTRIES = {
  main: 'edge/main',
  'data/sqlite/writer-thread': 'data/sqlite/writer-thread',
  'read/threads/reader-thread': 'read/threads/reader-thread',
  'edge/runs/sheet-thread': 'edge/runs/sheet-thread',
};

/**
 * Not bundled, but installed with the package: `uplot` and `lean-qr`, which are sent to browsers unchanged, and `tldts`, a
 * single file, because the list in it has a licence of its own.
 */
export const LEFT_ALONE: readonly string[] = ['lean-qr', 'tldts', 'uplot'];
/** Optional parts of `pg` that it does without: one that npm would have to build, and one for another platform. */
const ABSENT = ['pg-native', 'pg-cloudflare'];

export type Bundled = {
  readonly files: readonly string[];
  /** The folders of the bundled packages. */
  readonly packages: readonly string[];
};

/** Writes the files below `target`: entry files under the names of their sources, shared chunks next to `main.js`. */
export async function writeBundle(source: string, target: string): Promise<Bundled> {
  const build = await rolldown({
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, file]) => [name, join(source, `${file}.ts`)]),
    ),
    platform: 'node',
    // Not compiled to an older JavaScript version: a checkout runs unchanged in the same versions of Node.
    tsconfig: false,
    external: [...LEFT_ALONE, ...ABSENT].flatMap((name) => [name, new RegExp(`^${name}/`)]),
    plugins: [ownAddresses(source), oneLanguage, oneStep],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Any non-ASCII character makes V8 store the whole file with two bytes per character.
    charset: 'ascii',
    comments: false,
  });
  const chunks = output.filter((each) => each.type === 'chunk');
  for (const chunk of chunks) assertPlace(chunk);
  const folders = chunks.flatMap(({ moduleIds }) => moduleIds).map(packageFolder);
  return {
    files: chunks.map(({ fileName }) => fileName),
    packages: [...new Set(folders.filter((folder) => folder !== null))].sort(),
  };
}

/**
 * Makes a source file resolve the files next to it from its unbundled URL: files other than JavaScript keep their place.
 */
function ownAddresses(source: string): Plugin {
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (!id.startsWith(source + sep) || !code.includes(ADDRESS)) return null;
      const name = relative(source, id).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      return code.replaceAll(ADDRESS, `new URL(${JSON.stringify(`./${name}`)}, ${ADDRESS}).href`);
    },
  };
}

/** As in bin/own-files.js for a checkout: of zod's messages in 49 languages, the service only uses English. */
const oneLanguage: Plugin = {
  name: 'one-language',
  load: (id) =>
    /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id)
      ? "export { default as en } from './en.js';"
      : null,
};

/**
 * Modules that a checkout loads in steps are only a few files here, and each step would be a reason for more of them: 118
 * until a lookup, not 65.
 */
const oneStep: Plugin = {
  name: 'one-step',
  transform(code, id) {
    if (!/[\\/]wiring[\\/]load-(?:app|outside)\.ts$/.test(id)) return null;
    const whole = code.replace(
      /const STEPS\b[\s\S]*?\n\];/,
      'const STEPS: readonly (() => Promise<unknown>)[] = [];',
    );
    if (whole === code) throw new Error(`${id} has no STEPS`);
    return whole;
  },
};

const ADDRESS = 'import.meta.url';

/** Checks the chunk's folder: the URLs above are relative to the folder of `main.js`. */
function assertPlace({ fileName, code }: OutputChunk): void {
  if (!fileName.includes('/') || !code.includes(ADDRESS)) return;
  throw new Error(`${fileName} needs an address, and is not next to main.js`);
}

/** Returns null if the file is our own. */
function packageFolder(id: string): string | null {
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'));
  return found === null ? null : (found[0] ?? null);
}
