// Names through real DNS packets: a rebinding server on loopback UDP, set by OPENSHELF_DNS_SERVERS.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import {
  createOperatorsResolver,
  createResolver,
  resolveBounded,
} from '../../src/egress/guard/resolver.ts';
import { startDnsServer } from '../support/dns-server.ts';
import type { DnsServer } from '../support/dns-server.ts';
import { openPublicWorld } from '../support/public-world.ts';
import type { PublicWorld } from '../support/public-world.ts';
import { clock } from '../support/vector-cases.ts';
import { contextOf } from '../support/contexts.ts';

let world: PublicWorld;
let dns: DnsServer;
before(async () => {
  world = await openPublicWorld();
  dns = await startDnsServer();
});
beforeEach(() => {
  world.reset();
  dns.answers.clear();
  dns.silent.clear();
  dns.asked.clear();
});
after(async () => {
  await dns.close();
  await world.close();
});

function openFetcher() {
  return createFetcher({
    clock,
    version: '1',
    hostIntervalMs: 0,
    dnsServers: [dns.address],
    extraCertificates: [world.certificate],
  });
}

function ask(
  host: string,
  fetcher = openFetcher(),
  organization: string | null = null,
  scheme = 'https',
) {
  return fetcher(
    { url: `${scheme}://${host}/p`, accept: 'html' },
    contextOf(AbortSignal.timeout(20_000), { kind: 'caller', organization }),
  );
}

test('a name that turns private after the check is still connected where it was checked', async () => {
  for (const [host, first, second] of [
    ['one.example.com', '9.9.9.9', '127.0.0.1'],
    ['two.example.com', '2600::9', '::1'],
  ] as const) {
    world.reset();
    dns.answers.set(host, [[first], [second]]);
    const outcome = await ask(host);
    assert.ok(outcome.ok, host);
    assert.deepEqual(new Set(world.attempts.map((each) => each.address)), new Set([first]));
    assert.equal(dns.asked.get(`A ${host}`), 1);
    assert.equal(dns.asked.get(`AAAA ${host}`), 1);
  }
});

test('a redirect on the same host is looked up again, and a private answer ends it', async () => {
  dns.answers.set('three.example.com', [['9.9.9.9'], ['10.0.0.1']]);
  world.answer = (request, response) => {
    if (request.url === '/p') response.writeHead(302, { Location: '/q' });
    response.end();
  };
  const outcome = await ask('three.example.com');
  assert.ok(!outcome.ok);
  assert.equal(outcome.failure.kind, 'refused');
  assert.ok(world.attempts.every((each) => each.address === '9.9.9.9'));
});

test('private, mixed, absent and empty names are refused alike, without a socket', async () => {
  dns.answers.set('private.example.com', [['192.168.1.1']]);
  dns.answers.set('mixed.example.com', [['9.9.9.9', '::1']]);
  dns.answers.set('empty.example.com', [[]]);
  for (const name of ['private', 'mixed', 'empty', 'absent']) {
    const outcome = await ask(`${name}.example.com`);
    assert.ok(!outcome.ok, name);
    assert.equal(outcome.failure.kind, 'refused', name);
  }
  assert.deepEqual(world.attempts, []);
});

test('a resolver that never answers says nothing about the address, one with too many answers refuses it', async () => {
  const limits = { dnsMs: 50, maxAnswers: 2 };
  const silent = resolveBounded(() => new Promise(() => {}), 'a.example', limits);
  await assert.rejects(silent, { kind: 'unresolved', message: /no DNS answer within 50 ms/ });
  const many = resolveBounded(
    () => Promise.resolve(['9.9.9.9', '9.9.9.8', '9.9.9.7']),
    'a',
    limits,
  );
  await assert.rejects(many, { kind: 'refused' });
});

test('a DNS server that is not an address prevents the start', () => {
  assert.throws(() => createResolver(['not a server']));
});

test('while 50 names of a dead name server are looked up, the name of another organization resolves within two seconds, and so it does right after', async () => {
  dns.silent.add('dead.example.com');
  dns.answers.set('live.example.com', [['9.9.9.9']]);
  const fetcher = openFetcher();
  const askLive = async () => {
    const startedAt = performance.now();
    const outcome = await ask('live.example.com', fetcher, 'another', 'http');
    assert.ok(outcome.ok);
    assert.ok(performance.now() - startedAt < 2_000);
  };
  await askLive();
  const names = Array.from({ length: 50 }, (_, index) => `n${index}.dead.example.com`);
  const dead = Promise.all(names.map((name) => ask(name, fetcher, 'one')));
  await askLive();
  assert.equal(new Set([...dns.asked.keys()].filter((each) => each.startsWith('A n'))).size, 8);
  const kinds = (await dead).map((outcome) => (outcome.ok ? 'page' : outcome.failure.kind));
  assert.deepEqual(new Set(kinds), new Set(['unresolved', 'busy']));
  await askLive();
});

test('more names of one organization than are looked up at once wait for their turn', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `n${index}.example.com`);
  for (const name of names) dns.answers.set(name, [['9.9.9.9']]);
  const fetcher = openFetcher();
  const outcomes = await Promise.all(names.map((name) => ask(name, fetcher, 'one')));
  assert.ok(outcomes.every(({ ok }) => ok));
});

test('a name of which no server says anything is not refused, and is looked up twice', async () => {
  dns.silent.add('dead.example.com');
  const limits = { dnsMs: 60_000, maxAnswers: 64 };
  const silent = resolveBounded(createResolver([dns.address]), 'shop.dead.example.com', limits);
  await assert.rejects(silent, { kind: 'unresolved', message: /ETIMEOUT/ });
  assert.equal(dns.asked.get('A shop.dead.example.com'), 2);
  const unserved = resolveBounded(createResolver(['127.0.0.1:9']), 'shop.example.com', limits);
  await assert.rejects(unserved, { kind: 'unresolved', message: /ECONNREFUSED/ });
});

test('names that callers choose never take a thread of the system, those of the operator may stand in its hosts file', async () => {
  const tooLong = `${'a'.repeat(64)}.example.com`;
  await assert.rejects(createResolver([])(tooLong), { syscall: /^queryA/ });
  const [address = ''] = await createOperatorsResolver([])('localhost');
  assert.match(address, /^(?:127\.0\.0\.1|::1)$/);
});
