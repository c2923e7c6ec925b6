// Joins the source and the packages that every start loads into a few files. A file costs 0.3 to 0.4 ms when it is loaded, whatever
// is in it, and a start of the service loaded 780.

import { join, relative, sep } from 'node:path';

import { rolldown, type OutputChunk, type Plugin } from 'rolldown';

/** What the launcher and the threads name as their programs (bin/openshelf.js, bin/thread.js). */
const ENTRIES = {
  main: 'edge/main',
  'data/sqlite/writer-thread': 'data/sqlite/writer-thread',
  'read/threads/reader-thread': 'read/threads/reader-thread',
  'edge/runs/sheet-thread': 'edge/runs/sheet-thread',
};

/**
 * Left where npm puts them: what is loaded when it is needed, if at all; `uplot`, which is sent to browsers as it is; and `tldts`,
 * a single file, because the list in it has a licence of its own.
 */
const LEFT_ALONE = [
  'csv-parse',
  'hucre',
  'hyparquet-writer',
  'nodemailer',
  'pg',
  'tldts',
  'undici',
  'uplot',
];

export type Bundled = {
  readonly files: readonly string[];
  /** The folders of the packages that are in them. */
  readonly packages: readonly string[];
};

/** Writes the files below `target`: entries under the names of their sources, what they share next to `main.js`. */
export async function writeBundle(source: string, target: string): Promise<Bundled> {
  const build = await rolldown({
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, file]) => [name, join(source, `${file}.ts`)]),
    ),
    platform: 'node',
    // No older JavaScript is made of it: a checkout runs in the same versions of Node as it stands.
    tsconfig: false,
    external: LEFT_ALONE.flatMap((name) => [name, new RegExp(`^${name}/`)]),
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
    // Whatever is not ASCII makes V8 keep the whole file with two bytes a character.
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
 * A file of the source finds what lies next to it at the address that it would have alone: what is not JavaScript keeps its
 * place.
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

/** As bin/own-files.js for a checkout: of 49 languages in which zod has messages nobody is answered in another than English. */
const oneLanguage: Plugin = {
  name: 'one-language',
  load: (id) =>
    /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id)
      ? "export { default as en } from './en.js';"
      : null,
};

/**
 * What a checkout loads in steps is few files here, and each step would be a reason for more of them: 118 until a lookup, not
 * 65.
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

/** The addresses above are counted from the folder of `main.js`. */
function assertPlace({ fileName, code }: OutputChunk): void {
  if (!fileName.includes('/') || !code.includes(ADDRESS)) return;
  throw new Error(`${fileName} needs an address, and does not lie beside main.js`);
}

/** Null: the file is one of ours. */
function packageFolder(id: string): string | null {
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'));
  return found === null ? null : (found[0] ?? null);
}
