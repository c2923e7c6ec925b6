// The sample proxy configurations: parsed as their proxies parse them, as far as openshelf depends on them; and a request
// as such a proxy forwards it, sent to the service.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { startService } from './support/service.ts';

/** One line of a configuration, with the lines of its block. */
type Directive = { readonly words: readonly string[]; readonly block: readonly Directive[] };

/** `nginx`: lines end with `;`. `caddy`: at the end of the line. */
function parsed(name: string, kind: 'nginx' | 'caddy'): readonly Directive[] {
  const text = readFileSync(join(import.meta.dirname, '../deploy/proxy', name), 'utf8')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''))
    .join('\n');
  const tokens =
    text.match(kind === 'nginx' ? /"[^"]*"|[{};]|[^\s{};]+/g : /"[^"]*"|\n|[^\s]+/g) ?? [];
  const root: Directive[] = [];
  const open: Directive[][] = [root];
  let words: string[] = [];
  const end = (block: Directive[] = []): void => {
    open.at(-1)?.push({ words, block });
    words = [];
  };
  for (const token of tokens) {
    if (token === '{') {
      const block: Directive[] = [];
      end(block);
      open.push(block);
    } else if (token === '}') {
      assert.equal(words.length, 0, `a directive before } has no end: ${words.join(' ')}`);
      open.pop();
      assert.ok(open.length > 0, 'more } than {');
    } else if (token === ';' || token === '\n') {
      if (words.length > 0) end();
    } else words.push(token.replaceAll('"', ''));
  }
  assert.equal(open.length, 1, 'every { has its }');
  return root;
}

function all(within: readonly Directive[], ...path: readonly string[]): readonly Directive[] {
  const [name = '', ...rest] = path;
  const found = within.filter(({ words }) => words.join(' ') === name || words[0] === name);
  return rest.length === 0 ? found : found.flatMap(({ block }) => all(block, ...rest));
}

function argumentsOf(within: readonly Directive[], ...path: readonly string[]): string {
  const [only, second] = all(within, ...path);
  assert.ok(only !== undefined && second === undefined, path.join(' > '));
  return only.words.slice(1).join(' ');
}

const seconds = (text: string): number => {
  const [, count = '', unit = ''] = /^(\d+)(s|m)$/.exec(text) ?? [];
  return Number(count) * (unit === 'm' ? 60 : 1);
};

/**
 * Answers take at most this long, including a stop (src/edge/cli/service/serve.ts); idle connections behind a proxy are kept
 * open this long.
 */
const LONGEST_ANSWER = 25;
const KEEP_ALIVE = 65;
/** A batch line waits at most this long for a limit to recover, and then takes as long as an answer. */
const LONGEST_SILENCE = 60 + LONGEST_ANSWER;

test('nginx passes the address on as it was written, and says who called', () => {
  const conf = parsed('nginx.conf', 'nginx');
  const servers = all(conf, 'server').filter(({ block }) => all(block, 'location').length > 0);
  assert.equal(servers.length, 1);
  const server = servers[0]?.block ?? [];
  assert.equal(argumentsOf(server, 'merge_slashes'), 'off');
  for (const { words, block } of all(server, 'location')) {
    if (words.includes('/metrics')) continue;
    // A path after the name, even "/", would make nginx decode and re-encode the address.
    assert.match(argumentsOf(block, 'proxy_pass'), /^http:\/\/[a-z]+$/);
    // Its own directive would replace all those of the server.
    assert.deepEqual(all(block, 'proxy_set_header'), []);
  }
  assert.deepEqual(all(server, 'rewrite'), []);
  const headers = Object.fromEntries(
    all(server, 'proxy_set_header').map(({ words }) => [words[1], words[2] ?? '']),
  );
  assert.deepEqual(headers, {
    Connection: '',
    Host: '$host',
    'X-Forwarded-For': '$remote_addr',
    'X-Forwarded-Proto': '$scheme',
    Forwarded: '',
  });
  assert.equal(argumentsOf(server, 'proxy_http_version'), '1.1');
  assert.ok(seconds(argumentsOf(server, 'proxy_read_timeout')) > LONGEST_ANSWER);
  const batch = all(server, 'location').find(({ words }) => words[2] === '/v1/products/batch');
  assert.ok(seconds(argumentsOf(batch?.block ?? [], 'proxy_read_timeout')) > LONGEST_SILENCE);
  assert.equal(argumentsOf(server, 'proxy_next_upstream'), 'error timeout');
  assert.ok(seconds(argumentsOf(conf, 'upstream', 'keepalive_timeout')) < KEEP_ALIVE);
  assert.ok(Number(argumentsOf(conf, 'upstream', 'keepalive')) > 0);
  const [, size = '0'] = argumentsOf(server, 'large_client_header_buffers').split(' ');
  assert.ok(Number.parseInt(size, 10) * 1_024 > 8_192 + 100);
  const metrics = all(server, 'location').find(
    ({ words }) => words[1] === '=' && words[2] === '/metrics',
  );
  assert.equal(argumentsOf(metrics?.block ?? [], 'return'), '404');
});

test('Caddy passes the address on as it was written, and closes /metrics', () => {
  const conf = parsed('Caddyfile', 'caddy');
  const site = all(conf, 'shelf.example.com')[0]?.block ?? [];
  for (const changing of ['rewrite', 'uri', 'handle_path', 'route', 'redir']) {
    assert.deepEqual(all(site, changing), [], changing);
  }
  assert.match(argumentsOf(site, '@metrics'), /^path \/metrics\b/);
  assert.equal(argumentsOf(site, 'respond'), '@metrics 404');
  const proxy = all(site, 'reverse_proxy')[0]?.block ?? [];
  assert.equal(argumentsOf(proxy, 'health_uri'), '/readyz');
  assert.ok(seconds(argumentsOf(proxy, 'transport', 'response_header_timeout')) > LONGEST_ANSWER);
  assert.ok(seconds(argumentsOf(proxy, 'transport', 'keepalive')) < KEEP_ALIVE);
  // Caddy sets X-Forwarded-For itself unless it trusts a proxy in front of it.
  assert.deepEqual(
    all(proxy, 'header_up').map(({ words }) => words[1]),
    ['-Forwarded'],
  );
  assert.doesNotMatch(
    JSON.stringify(conf.map(({ block }) => block.map(({ words }) => words))),
    /trusted_proxies/,
  );
});

const MIB = 1_048_576;
const bytes = (text: string): number => {
  const [, count = '', unit = ''] = /^(\d+)(k|m|KB|MB)$/.exec(text) ?? [];
  return (
    Number(count) * { k: 1_024, m: MIB, KB: 1_000, MB: 1_000_000 }[unit as 'k' | 'm' | 'KB' | 'MB']
  );
};
/** 10,000 lines with an address of 200 characters each. */
const LARGE_BATCH = 10_000 * 212;
const LARGEST_SHEET = 4 * MIB;

test('the samples let a batch of 10,000 lines and the largest sheet through, and 64 KB elsewhere', () => {
  const server = all(parsed('nginx.conf', 'nginx'), 'server').at(-1)?.block ?? [];
  const nginxSize = (path: string) =>
    bytes(
      argumentsOf(
        all(server, 'location').find(({ words }) => words[2] === path)?.block ?? [],
        'client_max_body_size',
      ),
    );
  assert.ok(nginxSize('/v1/products/batch') >= LARGE_BATCH);
  assert.ok(nginxSize('/console/sheet') >= LARGEST_SHEET);
  assert.equal(argumentsOf(server, 'client_max_body_size'), '64k');
  const site = all(parsed('Caddyfile', 'caddy'), 'shelf.example.com')[0]?.block ?? [];
  const caddySize = (name: string) =>
    bytes(
      argumentsOf(
        all(site, 'request_body').find(({ words }) => words[1] === name)?.block ?? [],
        'max_size',
      ),
    );
  assert.equal(argumentsOf(site, '@batch'), 'path /v1/products/batch');
  assert.ok(caddySize('@batch') >= LARGE_BATCH);
  assert.equal(argumentsOf(site, '@sheet'), 'path /console/sheet');
  assert.ok(caddySize('@sheet') >= LARGEST_SHEET);
  assert.equal(argumentsOf(site, '@others'), 'not path /v1/products/batch /console/sheet');
  assert.equal(caddySize('@others'), 64_000);
});

for (const [tool, args] of [
  ['caddy', ['validate', '--adapter', 'caddyfile', '--config', 'deploy/proxy/Caddyfile']],
] as const) {
  test(`${tool} accepts its sample, where there is one to ask`, (t) => {
    const done = spawnSync(tool, args, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' });
    if (done.error !== undefined) t.skip(`no ${tool} on this machine`);
    else assert.equal(done.status, 0, done.stderr);
  });
}

test('a request as these proxies pass it on finds its product, and no metrics', async () => {
  await using service = await startService({ env: { OPENSHELF_TRUST_PROXY: 'true' } });
  const { hostname, port } = new URL(service.url);
  const passedOn = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        host: 'shelf.example.com',
        'x-forwarded-for': '203.0.113.7',
        'x-forwarded-proto': 'https',
        authorization: `Bearer ${service.key}`,
      };
      const sent = request({ hostname, port, path, headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end();
    });
  const { json_ld: page } = service.sandbox.describe().url;
  assert.equal(await passedOn(`/v1/products/${encodeURIComponent(page)}`), 200);
  assert.equal(await passedOn('/readyz'), 200);
  assert.equal(await passedOn('/metrics'), 404);
});
