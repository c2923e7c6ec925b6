// GET /metrics: who gets an answer, its format, and that its numbers change.

import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';

import { noteBackup } from '../../src/answer/metrics/process-figures.ts';
import { readConfig } from '../../src/edge/config.ts';
import { isOnPostgres } from '../support/databases.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService({ withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

type MetricsAnswer = { readonly status: number; readonly type: string; readonly text: string };

/** Sends a request without a key; `fetch` would not send our own Host. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<MetricsAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<MetricsAnswer>();
  const asked = request(url, { headers }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        text: Buffer.concat(pieces).toString('utf8'),
      }),
    );
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

const metricsOf = async () => (await ask(`${service.url}/metrics`)).text;

/** Returns the value of one sample; 0 if it is missing. */
function valueOf(text: string, sample: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? 0 : Number(line.slice(sample.length + 1));
}

const SAMPLE =
  /^[a-z_]+(?:\{[a-z_]+="(?:[^"\\\n]|\\.)*"(?:,[a-z_]+="(?:[^"\\\n]|\\.)*")*\})? -?(?:[\d.]+(?:e[+-]?\d+)?|\+Inf)$/;

test('a caller on the machine is answered without a key, in the text format', async () => {
  const { status, type, text } = await ask(`${service.url}/metrics`);
  assert.equal(status, 200);
  assert.equal(type, 'text/plain; version=0.0.4; charset=utf-8');
  const lines = text.split('\n');
  assert.equal(lines.pop(), '');
  const families = new Set<string>();
  let family = '';
  for (const line of lines) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') {
      assert.ok(!families.has(name), `${name} stands once`);
      families.add(name);
      family = name;
    } else if (word === 'TYPE') {
      assert.ok(name === family && ['counter', 'gauge', 'histogram'].includes(rest), line);
    } else {
      assert.match(line, SAMPLE);
      assert.ok(line.startsWith(family), `${line} belongs to ${family}`);
    }
  }
  for (const name of ['process_resident_memory_bytes', 'openshelf_jobs', 'openshelf_build_info']) {
    assert.ok(families.has(name), name);
  }
  assert.equal(valueOf(text, 'openshelf_store_up'), 1);
});

const FORWARDED: readonly (readonly [string, string])[] = [
  ['x-forwarded-for', '203.0.113.7'],
  // A caller can set this header itself; it does not make the request local.
  ['x-forwarded-for', '127.0.0.1'],
  ['forwarded', 'for=203.0.113.7'],
  ['x-real-ip', '203.0.113.7'],
  ['via', '1.1 proxy'],
  ['cf-connecting-ip', '203.0.113.7'],
  ['true-client-ip', '203.0.113.7'],
  ['x-request-id', 'a'],
  ['x-scheme', 'https'],
  ['fly-client-ip', '203.0.113.7'],
  // An unknown header: anything a client does not send by itself was added on the way.
  ['some-proxy-of-tomorrow', '1'],
  ['host', 'shelf.example.com'],
];

for (const trustProxy of ['true', 'false']) {
  test(`a request that a proxy forwarded is not answered, OPENSHELF_TRUST_PROXY=${trustProxy}`, async () => {
    await using behind = await startService({ env: { OPENSHELF_TRUST_PROXY: trustProxy } });
    for (const [name, value] of FORWARDED) {
      const { status, text } = await ask(`${behind.url}/metrics`, { [name]: value });
      assert.equal(status, 404, `${name}: ${value}`);
      assert.equal((JSON.parse(text) as { code: string }).code, 'unknown_route');
      assert.ok(!text.includes('process_'), text);
    }
    assert.equal((await ask(`${behind.url}/metrics`)).status, 200);
  });
}

test('scrapers, browsers and command-line clients on the machine are answered', async () => {
  const clients: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'user-agent': 'curl/8.5.0', accept: '*/*' },
    {
      'user-agent': 'Prometheus/3.5.0',
      accept: 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3',
      'accept-encoding': 'gzip',
      authorization: 'Bearer scraper',
      'x-prometheus-scrape-timeout-seconds': '10',
    },
    { 'sec-fetch-mode': 'navigate', cookie: 'a=b', 'upgrade-insecure-requests': '1' },
  ];
  for (const headers of clients) {
    assert.equal(
      (await ask(`${service.url}/metrics`, headers)).status,
      200,
      JSON.stringify(headers),
    );
  }
  assert.equal((await fetch(`${service.url}/metrics`)).status, 200);
});

test('a request in HTTP/1.0, which simple proxies speak, is not answered', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let text = '';
  for await (const piece of socket) text += String(piece);
  assert.match(text, /^HTTP\/1\.\d 404 /);
});

const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test(
  'a caller from another address of the network is not answered',
  { skip: outside === undefined },
  async () => {
    await using open = await startService({ env: { HOST: '0.0.0.0' } });
    const { port } = new URL(open.url);
    const { status } = await ask(`http://${outside}:${port}/metrics`, { host: '127.0.0.1' });
    assert.equal(status, 404);
  },
);

test('with OPENSHELF_METRICS, metrics are answered at that address only', async () => {
  await using apart = await startService({ env: { OPENSHELF_METRICS: '127.0.0.1:0' } });
  const { metricsUrl } = apart;
  assert.ok(metricsUrl !== null);
  const reported = await ask(`${metricsUrl}/metrics`, { 'x-forwarded-for': '203.0.113.7' });
  assert.equal(reported.status, 200);
  assert.equal((await ask(`${apart.url}/metrics`)).status, 404);
  assert.equal((await ask(`${metricsUrl}/v1`)).status, 404);
  assert.equal((await ask(`${metricsUrl}/livez`)).status, 404);
});

test('an invalid address for metrics prevents the start, and a valid one is read', () => {
  for (const text of [
    '9464',
    'localhost',
    '127.0.0.1:99999',
    'http://127.0.0.1:1',
    ':1',
    '[::1]',
  ]) {
    assert.throws(() => readConfig({ OPENSHELF_METRICS: text }), /OPENSHELF_METRICS/, text);
  }
  const { metrics } = readConfig({ OPENSHELF_METRICS: '[::1]:9464' });
  assert.deepEqual(metrics, { host: '::1', port: 9464 });
  assert.equal(readConfig({}).metrics, null);
});

test('requests, tokens, fetches and fields move with a lookup', async () => {
  const before = await metricsOf();
  const { item_id: id } = service.sandbox.describe();
  assert.equal((await service.lookup(id)).status, 200);
  assert.equal((await service.lookup('not an identifier')).status, 400);
  assert.equal((await service.get('/no/such/route')).status, 404);
  const after = await metricsOf();
  const grown = (sample: string) => valueOf(after, sample) - valueOf(before, sample);
  const requests = (route: string, status: number) =>
    grown(`openshelf_http_requests_total{route="${route}",method="GET",status="${status}"}`);
  assert.equal(requests('/v1/products/{id}', 200), 1);
  assert.equal(requests('/v1/products/{id}', 400), 1);
  assert.equal(requests('unknown', 404), 1);
  const duration = 'openshelf_http_request_duration_seconds_count{route="/v1/products/{id}"}';
  assert.equal(grown(duration), 2);
  assert.equal(grown('openshelf_tokens_charged_total{route="GET /v1/products/{id}"}'), 1);
  assert.ok(grown('openshelf_upstream_fetches_total{retailer="retailer_w",outcome="2xx"}') >= 1);
  const place = 'retailer="retailer_w",page_kind="product"';
  assert.equal(valueOf(after, `openshelf_field_fill_ratio{${place},field="title"}`), 1);
  assert.ok(grown(`openshelf_readings_today{${place},outcome="read"}`) >= 1);
});

test('what an operator has to fix is read from the machine and the store when it is scraped', async () => {
  const before = await metricsOf();
  assert.ok(!before.includes('openshelf_backup_timestamp_seconds'));
  noteBackup(service.dataDir, 1_764_547_200_000);
  await service.lookup(service.sandbox.describe().upc, '?retailer=all');
  const text = await metricsOf();
  const value = (name: string) => valueOf(text, `openshelf_${name}`);
  if (!isOnPostgres()) {
    const { bavail, bsize } = statfsSync(service.dataDir);
    const free = value('disk_free_bytes');
    assert.ok(Math.abs(free / (bavail * bsize) - 1) < 0.1, `${free}`);
    assert.equal(value('backup_timestamp_seconds'), 1_764_547_200);
  } else assert.ok(!/openshelf_(?:disk|backup)/.test(text));
  assert.match(text, /^openshelf_clock_offset_seconds -?[\d.]+$/m);
  assert.ok(Math.abs(value('clock_offset_seconds')) < 60);
  assert.match(text, /^openshelf_channels_locked 0$/m);
  assert.match(text, /^openshelf_job_age_seconds \d/m);
});

test('nothing that a caller chooses becomes a label', async () => {
  for (let round = 0; round < 20; round += 1) {
    await service.get(`/v1/products/secret-${round}`);
    await service.get(`/secret/${round}`);
  }
  assert.ok(!(await metricsOf()).includes('secret'));
});
