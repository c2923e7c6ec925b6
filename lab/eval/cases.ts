// npm run lab -- cases --cases DIR [--only TEXT]: which small inputs rebuilt from public bug reports does the service get right? Pages
// are served over loopback and looked up; watches see one step after another by the service's clock; inputs are sent as callers
// send them. A line a case; exit code 1 if one is wrong.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { HOUR_MS } from '../../src/base/clock.ts';
import { startService, type Service } from '../../tests/support/service.ts';
import { stillClock } from '../../tests/support/shifted-clock.ts';
import { wrongOfInput } from './cases/inputs.ts';
import { startCaseShop, type CaseShop, type Encoding, type Served } from './cases/case-shop.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string' }, only: { type: 'string', default: '' } },
});
if (values.cases === undefined) {
  console.error('usage: npm run lab -- cases --cases DIR [--only TEXT]');
  process.exit(2);
}

const NOON = Date.UTC(2026, 10, 20, 12);

type Expected = {
  readonly url: string;
  readonly content_type?: string;
  readonly content_encoding?: string | null;
  readonly expect: Readonly<Record<string, unknown>> | string;
  readonly watch?: Readonly<Record<string, unknown>>;
  readonly interval?: string;
  readonly hours_between_steps?: number;
  readonly steps?: number;
};

type Body = Readonly<Record<string, unknown>>;

/** Where a record has what the cases name. */
const FIELDS: Readonly<Record<string, (body: Body) => unknown>> = {
  price: (body) => body['current_price'],
  currency: (body) => (body['current_price'] === null ? null : (body['currency'] ?? 'USD')),
  title: (body) => body['title'],
  brand: (body) => body['brand'],
  gtin: (body) => body['gtin'],
  in_stock: (body) => body['in_stock'],
  list_price: (body) => body['msrp'],
  rating: (body) => body['average_rating'],
  sku: (body) => body['mpn'] ?? body['model'] ?? undefined,
};

/** Returns what is wrong of a record; empty if nothing is. */
function wrongOf(expect: Body, status: number, body: Body): readonly string[] {
  return Object.entries(expect).flatMap(([name, wanted]) => {
    if (name === 'verdict') return verdictProblem(wanted, status, body);
    // A record shows no price of what is sold out.
    if (/^(?:price|currency)$/.test(name) && body['in_stock'] === false) return [];
    const found = FIELDS[name]?.(body);
    // A field that no record has is not judged.
    if (found === undefined && name === 'sku') return [];
    const allowed = Array.isArray(wanted) ? (wanted as readonly unknown[]) : [wanted];
    const isRight = allowed.some((each) => each === (found ?? null));
    return isRight ? [] : [`${name} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  });
}

function verdictProblem(wanted: unknown, status: number, body: Body): readonly string[] {
  const said = `${status} ${JSON.stringify(body)}`;
  const holds: Readonly<Record<string, boolean>> = {
    product: status === 200,
    blocked: status === 503 && /refus/i.test(said),
    'retry-or-read': status === 200 || status === 503 || status === 422,
  };
  const [name] = Array.isArray(wanted) ? (wanted as readonly string[]) : [String(wanted)];
  return holds[name ?? ''] === true ? [] : [`verdict: ${said.slice(0, 120)}`];
}

/** The rules whose notices a watch must send at each step; `null`: either. Read from the sentences of the cases. */
const NOTICES: Readonly<Record<string, (fired: readonly (readonly string[])[]) => boolean>> = {
  '60-': (fired) => !fired.flat().includes('below'),
  '62-': (fired) => same(fired, 'below', [false, true, false, true]),
  '63-': (fired) => same(fired, 'below', [true, false]),
  '67w-': (fired) =>
    same(fired.slice(0, 2), 'back_in_stock', [false, true]) &&
    !fired.slice(2).flat().includes('back_in_stock') &&
    !fired.slice(0, 2).flat().includes('out_of_stock') &&
    fired
      .slice(2)
      .flat()
      .filter((rule) => rule === 'out_of_stock').length === 1,
  '68w-': (fired) => same(fired, 'below', [false, false, true]),
  '69w-': (fired) => same(fired, 'up_percent', [false, true]),
  '70w-': (fired) => fired.slice(1).flat().includes('out_of_stock') && fired[0]?.length === 0,
  '71w-': (fired) => !fired.flat().includes('below'),
};

function same(
  fired: readonly (readonly string[])[],
  rule: string,
  expected: readonly boolean[],
): boolean {
  return expected.every((isExpected, at) => fired[at]?.includes(rule) === isExpected);
}

const ENCODINGS: readonly (readonly [RegExp, Encoding])[] = [
  [/deflate-raw/, 'deflate-raw'],
  [/gzip-trailing/, 'gzip-trailing'],
  [/gzip-twice/, 'gzip-twice'],
  [/gzip-/, 'gzip'],
];

function servedAs(name: string, expected: Expected, body: Buffer): Served {
  return {
    body,
    contentType: expected.content_type ?? 'text/html; charset=utf-8',
    encoding: ENCODINGS.find(([pattern]) => pattern.test(name))?.[1] ?? 'plain',
    contentEncoding: expected.content_encoding ?? null,
    wantsCookie: name.includes('cookie-then-redirect-to-itself'),
  };
}

const sent = (key: string, method: string, body?: object): RequestInit => ({
  method,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

/** Serves the step of a watch and everything beside it. */
function show(shop: CaseShop, host: string, folder: string, step: number): void {
  const name = basename(folder);
  const url = `${host}/p/alder-desk-lamp`;
  const json = join(folder, `step-${step}.json`);
  const expected = { expect: '', url };
  if (existsSync(json)) {
    shop.pages.set(
      url,
      JSON.parse(readFileSync(json, 'utf8')) as { status: number; location: string },
    );
  } else
    shop.pages.set(url, servedAs(name, expected, readFileSync(join(folder, `step-${step}.html`))));
  for (const other of globSync('other_*.html', { cwd: folder })) {
    const path = other.slice('other_'.length, -'.html'.length).replace('_', '/');
    shop.pages.set(`${host}/${path}`, servedAs(name, expected, readFileSync(join(folder, other))));
  }
}

async function watchCase(
  service: Service,
  clock: ReturnType<typeof stillClock>,
  {
    shop,
    folder,
    expected,
  }: { readonly shop: CaseShop; readonly folder: string; readonly expected: Expected },
): Promise<readonly string[]> {
  const name = basename(folder);
  const host = `${name.replaceAll(/[^a-z0-9]/g, '')}.example`;
  show(shop, host, folder, 1);
  const wanted = {
    ...expected.watch,
    identifier: `https://${host}/p/alder-desk-lamp`,
    interval: expected.interval ?? '6h',
  };
  const made = await fetch(`${service.url}/v1/watches`, sent(service.key, 'POST', wanted));
  const { watch } = (await made.json()) as { watch?: { id: string } };
  if (watch === undefined) return [`the watch was refused: ${made.status}`];
  const fired: string[][] = [];
  let seen = 0;
  for (let step = 1; step <= (expected.steps ?? 1); step += 1) {
    show(shop, host, folder, step);
    await service.app.checkWatches();
    await service.untilQueueIdle();
    const shown = await fetch(`${service.url}/v1/watches/${watch.id}`, sent(service.key, 'GET'));
    const { notices } = (await shown.json()) as {
      notices: readonly { reasons: readonly { rule: string }[] }[];
    };
    fired.push(
      notices
        .slice(0, notices.length - seen)
        .flatMap(({ reasons }) => reasons.map(({ rule }) => rule)),
    );
    seen = notices.length;
    clock.advance((expected.hours_between_steps ?? 26) * HOUR_MS);
  }
  const check = Object.entries(NOTICES).find(([prefix]) => name.startsWith(prefix))?.[1];
  if (check === undefined) return ['no reading of its sentence is known'];
  return check(fired)
    ? []
    : [`notices by step ${JSON.stringify(fired)}; expected: ${JSON.stringify(expected.expect)}`];
}

const folders = globSync('pages/*/expected.json', { cwd: values.cases })
  .sort()
  .map((path) => join(values.cases ?? '', path, '..'))
  .filter((folder) => folder.includes(values.only));
const all = folders.map((folder) => ({
  folder,
  name: basename(folder),
  expected: JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected,
}));

await using shop = await startCaseShop();
const hostOf = (name: string): string => `${name.replaceAll(/[^a-z0-9]/g, '')}.example`;
const origins = all.map(({ name }) => `https://${hostOf(name)}=${shop.url}`);
const clock = stillClock(NOON);
await using service = await startService({
  clock,
  env: { OPENSHELF_ORIGINS: origins.join(',') },
});
let right = 0;
for (const { folder, name, expected } of all) {
  let problems: readonly string[];
  if (expected.watch === undefined) {
    const { pathname, search } = new URL(expected.url);
    const page = readFileSync(join(folder, 'page.html'));
    shop.pages.set(`${hostOf(name)}${pathname}${search}`, servedAs(name, expected, page));
    const id = encodeURIComponent(`https://${hostOf(name)}${pathname}${search}`);
    const response = await fetch(
      `${service.url}/v1/products/${id}?currency=native`,
      sent(service.key, 'GET'),
    );
    problems = wrongOf(expected.expect as Body, response.status, (await response.json()) as Body);
  } else problems = await watchCase(service, clock, { shop, folder, expected });
  if (problems.length === 0) right += 1;
  print(name, problems);
}
// Calls name products of the simulated market.
await using market = await startService({ clock, withRetailers: true });
let ran = all.length;
for (const path of globSync('inputs/*/input.json', { cwd: values.cases }).sort()) {
  const folder = join(values.cases, path, '..');
  const name = `inputs/${basename(folder)}`;
  if (!name.includes(values.only)) continue;
  const problems = await wrongOfInput(folder, market);
  ran += 1;
  print(name, problems);
  if (problems.length === 0) right += 1;
}
console.log(`\n${right} of ${ran} right`);
process.exitCode = right === ran ? 0 : 1;

function print(name: string, problems: readonly string[]): void {
  const lines = problems.map((each) => `\n         ${each}`).join('');
  console.log(`${problems.length === 0 ? 'right' : 'WRONG'}  ${name}${lines}`);
}
