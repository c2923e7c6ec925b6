// Rewrites the tree in ARCHITECTURE.md from the disk: each file with the first sentence of its opening
// comment. `npm run docs:tree`; a test compares the result with the disk.

import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const PAGE = join(ROOT, 'ARCHITECTURE.md');
const COLUMN = 38;

/** What each room is for: rooms have no file that says it. */
const ROOMS: Readonly<Record<string, string>> = {
  cli: 'the commands of the program',
  domain: 'the rules of the service; pure; knows nothing outside itself',
  'domain/match':
    'are two listings one product: features, trained trees, reasons (docs/matching.md)',
  'domain/fees': 'marketplace fees: rate cards as data, and the rules that read them',
  extract: 'pure: bytes of a page to structured facts, linear, without a tree',
  fetch: 'effect: the guarded way out to the shops; the only room that opens sockets to them',
  http: 'the HTTP API',
  'http/reference': 'the OpenAPI document as a page for people',
  'http/routes': 'one file a group of routes',
  indexer: 'what is asked when no caller waits',
  lookup: 'the use cases, where rules and effects meet',
  metering: 'who is calling, how fast, and what it costs',
  metrics: 'what the service counts about itself, as Prometheus reads it',
  reading: 'effect: runs the pure readers in threads with a deadline',
  retailers: 'pure: how to ask each shop, how to read its answers',
  sandbox: 'simulated shops on loopback; shares no code with the readers',
  'sandbox/market': 'the simulated market: products, prices, sellers, stock over time',
  store: 'effect: one SQL text for the database behind it',
  'store/migrations': 'numbered schema changes, never edited',
  wire: 'the public contract: schemas, and domain to wire',
};

/** Files that cannot hold a comment. */
const DATA: Readonly<Record<string, string>> = {
  'http/examples.json': 'recorded answers of the service: the examples of the OpenAPI document',
};

function firstSentence(path: string): string {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !/^(?:\/\/|--)/.test(line));
  const comment = lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line) => line.replace(/^(?:\/\/|--)\s?/, ''))
    .join(' ');
  const sentence = /^.*?[.;?](?=\s|$)/.exec(comment)?.[0] ?? comment;
  return sentence.replace(/[.;]$/, '').trim();
}

function purposeOf(path: string): string {
  const data = DATA[path];
  if (data !== undefined) return data;
  if (statSync(join(ROOT, 'src', path)).isFile()) return firstSentence(join(ROOT, 'src', path));
  const room = ROOMS[path];
  if (room !== undefined) return room;
  if (path.startsWith('sandbox/')) return `pages and APIs of ${basename(path).replace('-', '_')}`;
  if (path.startsWith('retailers/'))
    return `what is particular about ${basename(path).replace('-', '_')}`;
  throw new Error(`say in ${import.meta.filename} what the room ${path} is for`);
}

/** Below a retailer's folder every file has one of a few names: the folder stands for them. */
const SUMMED_UP = /^(?:retailers\/retailer-\w|sandbox\/[a-z-]+)\/./;

const lines = globSync('**/*', { cwd: join(ROOT, 'src') })
  .filter((path) => !SUMMED_UP.test(path))
  .sort((a, b) => (a < b ? -1 : 1))
  .map((path) => {
    const depth = path.split('/').length;
    const isFolder = statSync(join(ROOT, 'src', path)).isDirectory();
    const name = `${'  '.repeat(depth)}${basename(path)}${isFolder ? '/' : ''}`;
    return `${name.padEnd(COLUMN)} ${purposeOf(path)}`;
  });
const page = readFileSync(PAGE, 'utf8');
const block = `\`\`\`\nsrc/\n${lines.join('\n')}\n\`\`\``;
writeFileSync(
  PAGE,
  page.replace(/^```\nsrc\/\n[\s\S]*?^```/m, () => block),
);
