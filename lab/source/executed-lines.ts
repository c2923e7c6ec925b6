// npm run lab -- executed-lines [--json] [--files NAME]: how much of the source runs for one lookup, one page and one
// notification, counted by V8's precise coverage of the serving thread. Threads that read pages or write to SQLite are not
// included; the walk of a page runs the reader in this thread. A notification is the code that a notifying check runs beyond
// one that does not notify.

import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { readAnswer } from '../../src/read/retailers/registry.ts';
import { startReceiver } from '../../tests/support/receiver.ts';
import { startWatchService } from '../../tests/support/watch-service.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, files: { type: 'string' } },
});
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = `file://${ROOT}src/`;

/** The functions that ran, by file below `src`. */
type Walk = ReadonlyMap<string, ReadonlySet<string>>;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const walks: Readonly<Record<string, Walk>> = {
  ...(await walksOfService()),
  ...(await walkOfPage()),
};
if (values.files === undefined) {
  const rows = Object.entries(walks).map(([name, walk]) => ({ name, ...figuresOf(walk) }));
  if (values.json) console.log(JSON.stringify(rows));
  else for (const row of rows) console.log(lineOf(row));
} else {
  for (const [file, functions] of walks[values.files] ?? []) console.log(file, functions.size);
}

type Figures = {
  readonly files: number;
  readonly functions: number;
  readonly wings: readonly string[];
};

function figuresOf(walk: Walk): Figures {
  return {
    files: walk.size,
    functions: [...walk.values()].reduce((sum, { size }) => sum + size, 0),
    wings: [...new Set([...walk.keys()].map((file) => file.split('/')[0] ?? file))].sort(),
  };
}

function lineOf({ name, files, functions, wings }: Figures & { readonly name: string }): string {
  return `${name.padEnd(10)} ${String(files).padStart(4)} files ${String(functions).padStart(5)} functions in ${wings.join(' ')}`;
}

/** Returns the functions that ran at least once during some work. */
async function walked(work: () => Promise<unknown>): Promise<Walk> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result
    .filter(({ url }) => url.startsWith(SOURCE))
    .map(({ url, functions }) => {
      const names = functions
        .filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)
        // The top level of a file has no name and begins where the file does; it runs when the file is loaded.
        .filter(
          ({ functionName, ranges: [whole] }) => functionName !== '' || whole?.startOffset !== 0,
        )
        .map(({ functionName, ranges: [whole] }) => `${functionName}@${whole?.startOffset}`);
      return [url.slice(SOURCE.length), new Set(names)] as const;
    });
  return new Map(ran.filter(([, { size }]) => size > 0));
}

function beyond(walk: Walk, other: Walk): Walk {
  const left = [...walk].map(
    ([file, functions]) => [file, functions.difference(other.get(file) ?? new Set())] as const,
  );
  return new Map(left.filter(([, { size }]) => size > 0));
}

async function walksOfService() {
  await using receiver = await startReceiver();
  await using own = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  const { service } = own;
  const { upc } = service.sandbox.describe();
  const lookup = async (query: string) => {
    const { status } = await service.lookup(upc, query);
    if (status !== 200) throw new Error(`a lookup ended with ${status}`);
  };
  await lookup('');
  await service.untilQueueIdle();
  // Code loaded at the first call of a kind, and what the first answers cache in memory, is not part of a walk.
  const forced = '?retailer=retailer_w&force_refresh=true';
  for (const query of ['', '', '?include_stats=false', forced]) await lookup(query);
  await service.untilQueueIdle();
  for (const query of ['', '', '']) await lookup(query);
  const cached = await walked(() => lookup(''));
  const computed = await walked(() => lookup('?include_history=false'));
  const fetched = await walked(() => lookup(forced));
  await service.untilQueueIdle();
  const channel = await own.hook(`${receiver.url}/hook`);
  const watch = await own.watch({
    identifier: own.prices('/lamp', '20.00'),
    below: 15,
    channels: [channel],
  });
  await own.check(watch);
  own.prices('/lamp', '19.00');
  await own.checkNext(watch);
  own.prices('/lamp', '18.00');
  const quiet = await walked(() => own.checkNext(watch));
  own.prices('/lamp', '10.00');
  const notifying = await walked(async () => {
    await own.checkNext(watch);
    await receiver.hears('/hook');
  });
  const notified = beyond(notifying, quiet);
  return { cached, computed, fetched, notified };
}

/** A page of 15 lines without structured data: only the visible content is available. */
async function walkOfPage() {
  const html = `<!doctype html>
<html lang="en-US">
<head>
<title>Copper Kettle 1.7 L | Hearth &amp; Home</title>
</head>
<body>
<header><a href="/">Hearth &amp; Home</a></header>
<main>
<h1>Copper Kettle 1.7 L</h1>
<p class="price">$49.90</p>
<p>In stock</p>
<button>Add to cart</button>
</main>
</body>
</html>`;
  const url = 'https://hearth.example.com/products/copper-kettle';
  const page = {
    requestedUrl: url,
    url,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(html),
    fetchedAtMs: Date.now(),
  };
  const read = () => readAnswer(page, 'product');
  read();
  const walk = await walked(async () => {
    const verdict = read();
    if (verdict?.kind !== 'read') throw new Error(`the page was ${verdict?.kind}`);
  });
  return { page: walk };
}
