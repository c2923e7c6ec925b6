// The console as the server sends it: public, without data, under a policy that allows nothing in, small, and with an ETag.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { consoleFiles } from '../../src/edge/package-files.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const PAGES = ['', '/watches', '/channels', '/devices', '/operator'].map(
  (each) => `/console${each}`,
);
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' });

test('a browser at the address of the service is led to the console, a program gets the error that it got', async () => {
  const led = await ask('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  assert.equal(led.status, 302);
  assert.equal(led.headers.get('location'), '/console');
  for (const accept of ['application/json', '*/*']) {
    const answer = await ask('/', { accept });
    assert.equal(answer.status, 404);
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    assert.equal(code, 'unknown_route');
    assert.match(detail, /GET \/v1 lists the routes of the API/);
  }
});

test('every page says which retailers are known, in their order, of which its columns and choices are made', async () => {
  for (const path of PAGES) {
    const [, shops = ''] = /data-shops="([^"]+)"/.exec(await (await ask(path)).text()) ?? [];
    const hosts = JSON.parse(shops.replaceAll('&quot;', '"')) as Readonly<Record<string, string>>;
    assert.deepEqual(Object.keys(hosts), KNOWN_SLUGS);
  }
});

test('only a service on simulated shops offers products of theirs to try', async () => {
  assert.match(await (await ask('/console')).text(), /data-simulated="false"/);
  await using simulated = await startService({ withRetailers: true });
  const page = await fetch(`${simulated.url}/console`);
  assert.match(await page.text(), /data-simulated="true"/);
});

test('its pages need no key and set no cookie, and their policy allows this service and nothing inline', async () => {
  for (const path of PAGES) {
    const page = await ask(path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/);
    assert.equal(page.headers.get('set-cookie'), null);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*|data:|blob:|nonce/);
    const text = await page.text();
    assert.doesNotMatch(
      text,
      /<script(?![^>]*\ssrc="\/console\/files\/[\w-]{22}\/[a-z.]+")|<style|\s(?:on\w+|style)=/,
    );
    const loaded = [...text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    );
    assert.ok(
      loaded.every((address) => /^[/#](?!\/)/.test(address)),
      loaded.join(' '),
    );
    for (const part of ['href="/docs"', 'href="/openapi.json"', 'openshelf keys create']) {
      assert.ok(text.includes(part), part);
    }
  }
});

test('a page whose address is written with a slash at its end is led to, with what is looked for', async () => {
  for (const path of PAGES) {
    const led = await ask(`${path}/?q=614141000005%2C%206`);
    assert.equal(led.status, 308, path);
    assert.equal(led.headers.get('location'), `${path}?q=614141000005%2C%206`);
  }
});

/** Returns the path below which the pages find their files. */
async function filesPath(): Promise<string> {
  const [path = ''] =
    /\/console\/files\/[\w-]{22}/.exec(await (await ask('/console')).text()) ?? [];
  return path;
}

test('files are kept for good under the tag of all of them, and asked for again under any other', async () => {
  const folder = await filesPath();
  const kept = await ask(`${folder}/main.js`);
  assert.equal(kept.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  const other = await ask('/console/files/AnOlderTagOfTheFiles00/main.js');
  assert.equal(other.headers.get('cache-control'), 'no-cache');
  assert.equal(
    await other.text(),
    await kept.text(),
    'a page of an older version still finds them',
  );
  assert.equal((await ask('/console')).headers.get('cache-control'), 'no-cache');
  assert.equal((await ask(`${folder}/none.js`)).status, 404);
});

test('a script is sent line by line as it is, without the lines of its comments', () => {
  const folder = new URL('../../console/', import.meta.url);
  for (const { name, read } of consoleFiles()) {
    if (/^(?:uplot|lean-qr)\./.test(name)) continue;
    const own = readFileSync(new URL(name, folder), 'utf8').split('\n');
    const sent = read().split('\n');
    assert.equal(sent.length, own.length, name);
    own.forEach((line, at) => {
      const isComment = /^\s*\/\/|^\s+\*|^\s*\/\*(?!.*\*\/\s*\S)/.test(line);
      assert.equal(sent[at], isComment ? '' : line, `${name}:${at + 1}`);
    });
  }
});

test('every file has its type and a tag; whoever has it gets 304 in any coding', async () => {
  const folder = await filesPath();
  const paths = [...PAGES, ...consoleFiles().map(({ name }) => `${folder}/${name}`)];
  assert.ok(paths.length > 15);
  for (const path of paths) {
    const first = await ask(path, { 'accept-encoding': 'br' });
    const tag = first.headers.get('etag') ?? '';
    assert.match(tag, /^W\/"[\w-]{22}"$/, path);
    assert.match(
      first.headers.get('content-type') ?? '',
      /^(?:text\/(?:html|css|javascript)|image\/svg)/,
    );
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff');
    assert.ok((await first.text()).length > 0);
    const again = await ask(path, {
      'if-none-match': `"other", ${tag}`,
      'accept-encoding': 'gzip',
    });
    assert.equal(again.status, 304, path);
    assert.equal(await again.text(), '');
    assert.equal((await ask(path, { 'if-none-match': '"other"' })).status, 200);
  }
});

test('no script of ours makes markup of a text, or an address of one', () => {
  const folder = new URL('../../console/', import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 10);
  for (const name of scripts) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function|createPolicy|setAttribute\('on/,
      name,
    );
    // Example values of fields and commands are only displayed, never requested; input without https:// is completed and sent to the service
    // as text. Comments may contain addresses.
    const code = text
      .replaceAll(/\/\*\*[^]*?\*\/|^ *\/\/.*$/gm, '')
      .replaceAll(/\bexample: '[^']*'/g, '')
      .replaceAll(/https:\/\/NAME:8443|http:\/\/127\.0\.0\.1:\$\{port\}/g, '')
      .replace('`https://${id}`', '');
    assert.doesNotMatch(code, /https?:\/\/(?!www\.w3\.org)/, name);
  }
});

test('of a sign-in pages keep half of a session and no key, in one file; only signing in sets a cookie', async () => {
  const folder = new URL('../../console/', import.meta.url);
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.doesNotMatch(text, /indexedDB|document\.cookie|cookieStore|caches\./, name);
    assert.equal(/\b(?:session|local)Storage\b[.)]/.test(text), name === 'session.js', name);
    // Tabs communicate in one file, which knows no session.
    const talks = /BroadcastChannel|SharedWorker|serviceWorker/.test(text);
    assert.equal(talks, name === 'other-tabs.js', name);
    if (talks) assert.doesNotMatch(text, /^import /m, name);
  }
  for (const path of [...PAGES, '/v1/usage']) {
    const headers = { authorization: `Bearer ${service.key}` };
    assert.equal((await ask(path, headers)).headers.get('set-cookie'), null, path);
  }
});
