// The reference page for people: it contains everything in the document, and nothing on it runs or is loaded from
// elsewhere.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { OpenApiDocument } from '../../src/server/openapi.ts';
import { referencePage } from '../../src/server/reference/page.ts';
import { ROUTES } from '../../src/server/routes.ts';
import { operationsOf, propertiesOf, type Json, type Operation } from '../support/openapi-walk.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
let document: Json;
let response: Response;
let page: string;

before(async () => {
  service = await startService();
  document = (await service.get('/openapi.json')).body;
  response = await fetch(`${service.url}/docs`);
  page = await response.text();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** Start and end tags of a page, in order. */
function tagsOf(markup: string): readonly (readonly [tag: string, name: string])[] {
  return [...markup.matchAll(/<\/?([a-z][a-z0-9]*)\b[^>]*>/g)].map(
    ([tag, name = '']) => [tag, name] as const,
  );
}

const VOID = new Set(['meta', 'link', 'input']);

function assertWellFormed(markup: string): void {
  const open: string[] = [];
  for (const [tag, name] of tagsOf(markup)) {
    if (VOID.has(name)) continue;
    if (tag.startsWith('</')) assert.equal(open.pop(), name, tag);
    else open.push(name);
  }
  assert.deepEqual(open, []);
}

/** Returns the page's text with references decoded. */
function textOf(markup: string): string {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#?\w+);/g, (_, name: string) => signs[name] ?? '?');
}

test('each paragraph of the introduction begins with the word that it is about, set off', () => {
  const { description } = document['info'] as { readonly description: string };
  const words = [...description.matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, word = '']) => word);
  assert.ok(words.length >= 7, words.join());
  for (const word of words) assert.ok(page.includes(`<p><strong>${word}</strong>`), word);
  assert.ok(!textOf(page).includes('**'));
});

test('it needs no key, and is one well-formed page with its style sheet next to it', async () => {
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/);
  assertWellFormed(page);
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
  const sheet = await fetch(`${service.url}${path}`);
  assert.equal(sheet.status, 200);
  assert.match(sheet.headers.get('content-type') ?? '', /^text\/css/);
  const style = await sheet.text();
  assert.match(style, /prefers-color-scheme: dark/);
  assert.doesNotMatch(style, /url\(|@import|@font-face/);
});

test('its policy allows its style sheet and its own script and nothing else, and it asks for nothing else', async () => {
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/);
  const scripts = [...page.matchAll(/<script src="([^"]+)" defer><\/script>/g)];
  assert.deepEqual(
    scripts.map(([, path]) => path),
    ['/docs/search.js'],
  );
  const script = await (await fetch(`${service.url}/docs/search.js`)).text();
  assert.doesNotMatch(
    script,
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|fetch|XMLHttp|import/,
  );
  const rest = page.replace(scripts[0]?.[0] ?? '', '');
  for (const [tag, name] of tagsOf(rest)) {
    assert.ok(!['script', 'style', 'img', 'iframe', 'base', 'form', 'object'].includes(name), tag);
    assert.doesNotMatch(tag, /\s(?:on\w+|style|src|srcset|ping)=/);
  }
  const elsewhere = [...page.matchAll(/\shref="([^"]*)"/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:#|\/(?:docs\/style\.css|openapi\.json)$)/.test(target));
  assert.deepEqual(elsewhere, []);
});

test('every link on it leads somewhere on it, and every place has one name', () => {
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
  assert.equal(new Set(ids).size, ids.length);
  const targets = [...page.matchAll(/\shref="#([^"]+)"/g)].map(([, id = '']) => id);
  assert.deepEqual(
    targets.filter((id) => !ids.includes(id)),
    [],
  );
});

/** Returns what a person must find on the page about one route. */
function wordsOf({ path, summary, description, parameters, responses }: Operation): unknown[] {
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const examples = Object.values(responses)
    .flatMap(({ content }) => Object.values(content))
    .flatMap((media) => Object.values(media.examples ?? {}));
  return [
    path,
    summary,
    description,
    ...parameters.flatMap((parameter) => [parameter.name, parameter.description]),
    ...answers.map(([, answer]) => answer.description),
    ...examples.map((example) => example['value']),
  ];
}

/** Removes blanks and code marks. */
const bare = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/[`\s]+/g, '');

test('every route, parameter, field, header, code and example of the document is on it', () => {
  const { schemas, headers, examples } = document['components'] as Record<
    string,
    Record<string, Json>
  >;
  const fields = Object.entries(schemas ?? {}).flatMap(([name, schema]) =>
    propertiesOf(schema, name).flatMap(([way, field]) => [
      way.slice(name.length + 1),
      field['description'],
    ]),
  );
  const others = document['x-other-problems'] as Record<string, Json>;
  const named = { ...headers, ...examples, ...others };
  const wanted = [
    // HEAD is described once, in the introduction.
    ...operationsOf(document)
      .filter(({ method }) => method !== 'head' && method !== 'HEAD')
      .flatMap(wordsOf),
    ...fields,
    ...Object.keys(named),
    ...Object.values(named).flatMap((each) => [each['description'], each['value']]),
  ].filter((each) => each !== undefined);
  assert.ok(wanted.length > 500);
  const shown = bare(textOf(page));
  assert.deepEqual(
    wanted.filter((each) => !shown.includes(bare(each))),
    [],
  );
});

test('nothing that the document says becomes markup', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\``;
  const spoilt = JSON.parse(
    JSON.stringify(document, (key, value: unknown) => {
      if (typeof value !== 'string' || key === '$ref') return value;
      return ['description', 'summary', 'title', 'example', 'version'].includes(key)
        ? hostile
        : value;
    }),
  ) as OpenApiDocument;
  const files = { stylePath: '/docs/style.css', searchPath: '/docs/search.js' };
  const made = referencePage(spoilt, ROUTES, files);
  assert.ok(made.includes('&lt;script&gt;alert(1)'));
  assert.doesNotMatch(made, /<script(?! src="\/docs\/search\.js" defer>)|<img/);
  assertWellFormed(made);
});

test('the page is the same at every request, compressed on request, and HEAD works', async () => {
  assert.equal(await (await fetch(`${service.url}/docs`)).text(), page);
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  const head = await fetch(`${service.url}/docs`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

/** Each product route has its own price; other routes cost the same as the route above them. */
const isBelow = (path: string, each: string) =>
  /^\/v1\/(?!products)/.test(each) && path.startsWith(`${each}/`);

test('every call has its price, as calls are charged by it', () => {
  const section = page.slice(
    page.indexOf('id="prices"'),
    page.indexOf('</section>', page.indexOf('id="prices"')),
  );
  const rows = [
    ...section.matchAll(/<td><code>([^<]+)<\/code><\/td>\s*<td class="number">([^<]+)</g),
  ];
  const prices = new Map(rows.map(([, what = '', tokens = '']) => [what, tokens]));
  assert.equal(prices.get('GET /v1/products/{id}'), '1');
  assert.equal(prices.get('POST /v1/products/{id}/refresh'), '9');
  assert.equal(prices.get('include_price_series'), '+10');
  const priced = [...prices.keys()].flatMap((what) => what.replace(/^[A-Z]+ /, '').split(', '));
  for (const { path, parameters } of operationsOf(document)) {
    const isPriced = priced.some((each) => path === each || isBelow(path, each));
    assert.ok(isPriced, `${path} has no price`);
    for (const { name, description = '' } of parameters) {
      const [, stated] = /(\d+) tokens?[.,;]/.exec(description) ?? [];
      if (stated !== undefined) assert.equal(prices.get(name), `+${stated}`, name);
    }
  }
});

test('every operation is shown with curl, TypeScript and Python', () => {
  const shown = [...page.matchAll(/<pre class="sample"[^>]*><code>([^<]*)<\/code>/g)];
  const operations = operationsOf(document);
  const samples = operations.flatMap(
    (each) => (each as { 'x-codeSamples'?: readonly { source: string }[] })['x-codeSamples'] ?? [],
  );
  assert.equal(samples.length, 3 * operations.filter(({ method }) => method !== 'HEAD').length);
  assert.deepEqual(
    shown.map(([, source = '']) => textOf(source)).toSorted(),
    samples.map(({ source }) => source).toSorted(),
  );
});

test('every example has the line that makes its call', () => {
  const examples = [...page.matchAll(/<summary>[^<]*: <code>([A-Z]+) (\S+)<\/code><\/summary>/g)];
  const calls = [...page.matchAll(/<pre class="call"[^>]*><code>(curl [^<]*)<\/code>/g)];
  assert.ok(examples.length > 30);
  assert.equal(calls.length, examples.length);
  for (const [at, [, method = '', path = '']] of examples.entries()) {
    const call = textOf(calls[at]?.[1] ?? '');
    assert.ok(call.endsWith(`"$BASE${textOf(path)}"`), call);
    assert.equal(call.includes('-X POST'), method === 'POST', call);
  }
});
