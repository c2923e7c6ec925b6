// `npm run eval:release -- --against DIR`: whether this checkout answers as the one in DIR does. Both serve the same
// simulated market on fresh data; each call goes to both, and bodies must be equal but for text that people read,
// identifiers of calls and time stamps. `--json` prints one line.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { quietQueue } from './quiet-queue.ts';
import { releaseCalls, type Described, type ReleaseCall } from './release-calls.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    credentials: { type: 'boolean', default: false },
    show: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});
if (values.against === undefined) {
  console.error('Name the checkout to compare with: --against DIR (its packages installed).');
  process.exit(2);
}

const HERE = dirname(dirname(import.meta.dirname));
const children: ChildProcess[] = [];
using folder = temporaryFolder();
const scratch = folder.path;

const HUMAN = ['detail', 'error', 'title'];
const OF_THE_CALL = ['request_id', 'created_at', 'last_used_at', 'expires_at', 'key_id'];
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

type Side = { readonly url: string; readonly keys: Readonly<Record<string, string>> };
type Answer = { readonly status: number; readonly headers: string; readonly body: string };

async function compare(other: string): Promise<number> {
  const market = await started(HERE, ['sandbox', '--json'], {});
  const mapped = market['OPENSHELF_ORIGINS'] as string;
  const origins = market['origins'] as Readonly<Record<string, string>>;
  const world = (await printed(HERE, ['sandbox', '--describe', '--json'])) as Described & {
    readonly credentials: Readonly<Record<string, string>>;
  };
  const env = {
    OPENSHELF_ORIGINS: mapped,
    OPENSHELF_SEARXNG_URL: origins['https://search.example'],
    // One request at a time: whose answer comes first is not chance.
    OPENSHELF_MAX_CONCURRENT: '1',
    ...credentials(world.credentials, values.credentials),
  };
  const sides = [await side(other, 'other', env), await side(HERE, 'here', env)] as const;
  const calls = releaseCalls(world);
  const different: string[] = [];
  const statuses: Record<number, number> = {};
  for (const [index, call] of calls.entries()) {
    const [before, after] = await Promise.all(sides.map((each) => answer(each, call)));
    if (before === undefined || after === undefined) throw new Error('two sides answer');
    statuses[after.status] = (statuses[after.status] ?? 0) + 1;
    const told = difference(before, after);
    if (told !== null) different.push(`${index + 1} ${call.method ?? 'GET'} ${call.path}: ${told}`);
    await Promise.all(sides.map(({ url }) => quietQueue(url)));
  }
  const result = { calls: calls.length, different: different.length, statuses };
  if (values.json) console.log(JSON.stringify(result));
  else {
    for (const line of different.slice(0, Number(values.show))) console.log(line);
    const shown = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `calls ${calls.length} (${shown.join(', ')}), answered differently ${different.length}`,
    );
  }
  return different.length === 0 ? 0 : 1;
}

/** The offers hash is set always, the official APIs only where they are requested. */
function credentials(
  all: Readonly<Record<string, string>>,
  wanted: boolean,
): Readonly<Record<string, string>> {
  // What a source needs that the description cannot print: a private key.
  const unusable = /(?:CONSUMER_ID|KEY_VERSION)$/;
  const usable = Object.entries(all).filter(([name]) => !unusable.test(name));
  const given = usable.filter(([name]) => wanted || name.endsWith('OFFERS_HASH'));
  return Object.fromEntries(given);
}

async function side(
  checkout: string,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Side> {
  const data = join(scratch, name);
  const keys: Record<string, string> = { wrong: 'osk_live_wrong' };
  const quotas = ['--throttle', '60000'];
  await printed(checkout, ['orgs', 'create', 'x', ...quotas, '--data', data, '--json']);
  for (const [key, more] of [
    ['full', []],
    ['reader', ['--scopes', 'products:read']],
  ] as const) {
    const args = ['keys', 'create', '--org', 'x', ...more, '--data', data, '--json'];
    keys[key] = ((await printed(checkout, args)) as { readonly key: string }).key;
  }
  const service = await started(checkout, ['serve', '--port', '0', '--data', data, '--json'], env);
  const { url } = service;
  if (typeof url !== 'string') throw new Error(JSON.stringify(service));
  return { url, keys };
}

/** The first line of a program that stays up, as JSON. */
async function started(
  checkout: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, unknown>>> {
  const child = spawn(process.execPath, [join(checkout, 'bin/openshelf.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line) as Readonly<Record<string, unknown>>;
}

/** The last line of a program that ends, as JSON. */
async function printed(checkout: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [join(checkout, 'bin/openshelf.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`openshelf ${args.join(' ')} ended with ${code}`);
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}

async function answer({ url, keys }: Side, call: ReleaseCall): Promise<Answer> {
  const { path, method = 'GET', headers = {}, key = 'full' } = call;
  const authorization = key === 'none' ? {} : { authorization: `Bearer ${keys[key]}` };
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...authorization },
  });
  const text = await response.text();
  const kind = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    headers: headersOf(response.headers),
    body: kind.includes('json') ? comparable(text, path) : kind,
  };
}

/** Names of all headers; values of those that do not change from call to call. */
function headersOf(headers: Headers): string {
  const hops = ['connection', 'keep-alive'];
  const moving = ['date', 'x-request-id', 'ratelimit', 'retry-after', 'content-length'];
  return [...headers]
    .filter(([name]) => !hops.includes(name))
    .map(([name, value]) => (moving.includes(name) ? name : `${name}: ${value}`))
    .sort()
    .join('\n');
}

/** The text with what may differ taken out; the order of fields stays. */
function comparable(text: string, path: string): string {
  if (text === '') return '';
  const body: unknown = JSON.parse(text);
  const isDocument = path === '/openapi.json';
  const isList = path === '/v1';
  const kept = JSON.stringify(body, function replace(this: unknown, name, value: unknown) {
    if (OF_THE_CALL.includes(name)) return '';
    // Retailers that were asked at the same time answered in whichever order they did.
    if (name === 'observations' && Array.isArray(value)) {
      return value.map((row) => JSON.stringify(row).replaceAll(INSTANT, '')).toSorted();
    }
    if (isDocument && ['description', 'summary', 'example', 'examples'].includes(name)) return '';
    if (isList && name === 'summary') return '';
    if (name === 'assumptions' && Array.isArray(value)) return value.map(nameOfAssumption);
    const isProblem =
      typeof this === 'object' && this !== null && 'code' in this && 'status' in this;
    return isProblem && HUMAN.includes(name) ? '' : value;
  });
  return kept.replaceAll(INSTANT, '<instant>');
}

/** An assumption of a fee is known by its name; its `detail` says it to a person. */
function nameOfAssumption(assumption: unknown): unknown {
  const isNamed = typeof assumption === 'object' && assumption !== null && 'name' in assumption;
  return isNamed ? assumption.name : assumption;
}

function difference(before: Answer, after: Answer): string | null {
  if (before.status !== after.status) return `status ${before.status}, now ${after.status}`;
  if (before.headers !== after.headers) {
    return `headers\n${before.headers}\n  now\n${after.headers}`;
  }
  if (before.body === after.body) return null;
  let at = 0;
  while (before.body[at] === after.body[at]) at += 1;
  const from = Math.max(0, at - 60);
  return `body …${before.body.slice(from, at + 60)}…\n    now …${after.body.slice(from, at + 60)}…`;
}

try {
  process.exitCode = await compare(resolve(values.against));
} finally {
  for (const child of children) child.kill('SIGKILL');
}
