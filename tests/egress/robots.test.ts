// RFC 9309: groups, precedence, wildcards, spellings; and the consequences of an unreadable robots.txt.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createRobotsGate } from '../../src/egress/robots/robots-gate.ts';
import type { RobotsTxtOutcome } from '../../src/egress/robots/robots-gate.ts';
import { isAllowed, parseRobots, type RobotsPolicy } from '../../src/egress/robots/robots-txt.ts';
import { contextOf } from '../support/contexts.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { usedBytes } from '../support/retained-bytes.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const cases: readonly (readonly [string, string, string, boolean])[] = [
  ['an empty file allows', '', '/x', true],
  ['a page of HTML allows', '<html>\n<p>Disallow all</p>', '/x', true],
  ['the general group applies', 'User-agent: *\nDisallow: /x', '/x/1', false],
  ['a prefix is not a whole path', 'User-agent: *\nDisallow: /x', '/y/x', true],
  [
    'an own group replaces the general one',
    'User-agent: *\nDisallow: /\nUser-agent: openshelf\nDisallow: /a',
    '/b',
    true,
  ],
  ['an own group is found in any case', 'User-Agent: OpenShelf\nDisallow: /', '/b', false],
  ['a version after the token is ignored', 'User-agent: openshelf/2.0\nDisallow: /', '/b', false],
  [
    'another token that begins alike is not ours',
    'User-agent: openshelfbot\nDisallow: /',
    '/b',
    true,
  ],
  [
    'groups of one agent are merged',
    'User-agent: openshelf\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: openshelf\nDisallow: /b',
    '/b',
    false,
  ],
  [
    'several agents share a group',
    'User-agent: x\nUser-agent: openshelf\nDisallow: /',
    '/a',
    false,
  ],
  [
    'a new agent after a rule starts a group',
    'User-agent: openshelf\nAllow: /a\nUser-agent: x\nDisallow: /',
    '/a',
    true,
  ],
  [
    'the longest rule wins',
    'User-agent: *\nDisallow: /shop\nAllow: /shop/item',
    '/shop/item/1',
    true,
  ],
  [
    'the longest rule wins the other way',
    'User-agent: *\nAllow: /shop\nDisallow: /shop/item',
    '/shop/item/1',
    false,
  ],
  ['allow wins a tie', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['an empty Disallow is not a rule', 'User-agent: *\nDisallow:', '/a', true],
  ['a star is any run', 'User-agent: *\nDisallow: /*/cart', '/en/cart', false],
  ['a star may be empty', 'User-agent: *\nDisallow: /a*b', '/ab', false],
  ['a query is part of the path', 'User-agent: *\nDisallow: /*?sort=', '/p?sort=1', false],
  ['a dollar is the end', 'User-agent: *\nDisallow: /*.json$', '/p.json', false],
  ['a dollar is only the end', 'User-agent: *\nDisallow: /*.json$', '/p.json?x', true],
  ['an escaped star is a star of the path', 'User-agent: *\nDisallow: /a%2Ab', '/a*b', false],
  ['an escaped star is not a wildcard', 'User-agent: *\nDisallow: /a%2ab', '/axb', true],
  ['a star of the path may be escaped', 'User-agent: *\nDisallow: /a%2Ab', '/a%2ab', false],
  ['a wildcard matches a star of the path', 'User-agent: *\nDisallow: /a*b', '/a*b', false],
  ['an escaped dollar is a dollar of the path', 'User-agent: *\nDisallow: /p%24', '/p$/1', false],
  ['an escaped dollar is not an end', 'User-agent: *\nDisallow: /p%24', '/p', true],
  ['a dollar inside is a dollar of the path', 'User-agent: *\nDisallow: /a$b$', '/a$b', false],
  ['a dollar without a star', 'User-agent: *\nDisallow: /p$', '/p/1', true],
  ['the end may not overlap the start', 'User-agent: *\nDisallow: /ab*ba$', '/aba', true],
  ['comments and spaces are cut', 'User-agent: * # all\n  Disallow : /a # here', '/a', false],
  ['old line ends', 'User-agent: *\rDisallow: /a\r\nAllow: /b', '/a', false],
  ['a byte order mark', '\ufeffUser-agent: *\nDisallow: /a', '/a', false],
  ['escapes of plain letters are plain', 'User-agent: *\nDisallow: /%61bc', '/abc', false],
  ['escapes compare without case', 'User-agent: *\nDisallow: /a%3fb', '/a%3Fb', false],
  ['letters beyond ASCII are escaped', 'User-agent: *\nDisallow: /é', '/%C3%A9', false],
  ['sitemaps end no group', 'User-agent: openshelf\nSitemap: /s\nDisallow: /a', '/a', false],
  [
    'rules before any agent belong to no group',
    'Disallow: /\nUser-agent: x\nDisallow: /',
    '/a',
    true,
  ],
  ['robots.txt itself is always allowed', 'User-agent: *\nDisallow: /', '/robots.txt', true],
];

const policyOf = (text: string) => parseRobots(text, 'openshelf', () => Promise.resolve());

for (const [title, text, path, allowed] of cases) {
  test(`robots.txt: ${title}`, async () => {
    assert.equal(isAllowed(await policyOf(text), path), allowed);
  });
}

test('500 KiB of hostile patterns cost less than a second of processor time', async () => {
  const rules = 'Disallow: /*a*a*a*a*b$\n'.repeat(22_000);
  const policy = await policyOf(`User-agent: *\n${rules}`);
  const startedMs = cpuMs();
  isAllowed(policy, `/${'a'.repeat(8_000)}`);
  assert.ok(cpuMs() - startedMs < 1_000);
});

test('2,000 wildcards and an address of 7,600 characters are compared in a moment, and what is not compared disallows more', async () => {
  const path = `/shop/${'aaaaaab'.repeat(1_085)}c`;
  const wild = (from: string) => `Disallow: ${from}*aaaaab*aaaaab*d\n`.repeat(1_900);
  const verdict = async (text: string) => isAllowed(await policyOf(`User-agent: *\n${text}`), path);
  const startedMs = cpuMs();
  assert.equal(await verdict(wild('/other')), true);
  assert.equal(await verdict(wild('/shop')), false);
  assert.equal(await verdict(`${wild('/other')}Allow: /shop/*c\nDisallow: /shop`), false);
  assert.equal(await verdict(`${wild('/other')}Disallow: /s\nAllow: /shop`), true);
  assert.ok(cpuMs() - startedMs < 1_000);
});

test('Crawl-delay is read for our group only', async () => {
  const text = 'User-agent: x\nCrawl-delay: 9\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /a';
  assert.equal((await policyOf(text)).crawlDelaySeconds, 2.5);
});

function gateWith(answers: RobotsTxtOutcome[]) {
  const clock = createVirtualClock();
  const gate = createRobotsGate(clock, 'openshelf');
  let fetches = 0;
  const check = (pathAndQuery: string, mapped = false) =>
    gate({
      origin: 'https://shop.example',
      pathAndQuery,
      mapped,
      context: contextOf(),
      fetchRobotsTxt: async () => {
        const answer = answers[Math.min(fetches, answers.length - 1)];
        fetches += 1;
        assert.ok(answer);
        return answer;
      },
    });
  return { clock, check, fetches: () => fetches };
}

const answered = (status: number, body = '', retryAfterSeconds: number | null = null) => ({
  kind: 'answered' as const,
  status,
  body: new TextEncoder().encode(body),
  retryAfterSeconds,
});

test('robots.txt is fetched once a day, however many callers wait for it', async () => {
  const { clock, check, fetches } = gateWith([answered(200, 'User-agent: *\nDisallow: /no')]);
  const verdicts = await Promise.all(['/a', '/no', '/b'].map((path) => check(path)));
  assert.deepEqual(
    verdicts.map((each) => each.ok),
    [true, false, true],
  );
  await clock.advance(86_399_000);
  await check('/a');
  assert.equal(fetches(), 1);
  await clock.advance(2_000);
  await check('/a');
  assert.equal(fetches(), 2);
});

test('a missing robots.txt allows everything; one that fails blocks the shop for an hour or its Retry-After', async () => {
  const missing = gateWith([answered(404)]);
  assert.equal((await missing.check('/a')).ok, true);
  for (const [answer, seconds] of [
    [answered(503), 3_600],
    [answered(429, '', 7_200), 7_200],
  ] as const) {
    const { clock, check, fetches } = gateWith([answer, answered(404)]);
    const refused = await check('/a');
    assert.ok(!refused.ok);
    assert.deepEqual([refused.failure.kind, refused.failure.retryAfterSeconds], ['busy', seconds]);
    await check('/a');
    assert.equal(fetches(), 1);
    await clock.advance(seconds * 1_000);
    assert.equal((await check('/a')).ok, true);
  }
});

test('a robots.txt that fails allows nothing, also where it may be asked for again at once', async () => {
  for (const [status, seconds] of [
    [503, 0],
    [429, 0],
    [500, -1],
  ] as const) {
    const { check, fetches } = gateWith([
      answered(status, '', seconds),
      answered(status, '', seconds),
      answered(404),
    ]);
    for (let page = 1; page <= 2; page += 1) {
      const refused = await check('/a');
      assert.ok(!refused.ok, `${status}`);
      assert.deepEqual([refused.failure.kind, refused.failure.retryAfterSeconds], ['busy', 1]);
      assert.equal(fetches(), page);
    }
    assert.equal((await check('/a')).ok, true);
  }
});

test('a failed fetch of robots.txt is the failure of the page, and is tried again next time', async () => {
  const failed = { kind: 'failed' as const, failure: { kind: 'timeout' as const, detail: 'x' } };
  const { check, fetches } = gateWith([failed, answered(404)]);
  const refused = await check('/a');
  assert.ok(!refused.ok);
  assert.equal(refused.failure.kind, 'timeout');
  assert.equal((await check('/a')).ok, true);
  assert.equal(fetches(), 2);
});

test('an older copy holds while the robots.txt of a shop fails', async () => {
  const { clock, check } = gateWith([answered(200, 'User-agent: *\nDisallow: /no'), answered(500)]);
  await check('/a');
  await clock.advance(2 * 86_400_000);
  assert.equal((await check('/a')).ok, true);
  assert.equal((await check('/no')).ok, false);
});

test('while an older copy holds, the robots.txt is asked for once an hour or when the shop says', async () => {
  const failed = { kind: 'failed' as const, failure: { kind: 'timeout' as const, detail: 'x' } };
  for (const [failing, seconds] of [
    [answered(500), 3_600],
    [answered(503, '', 600), 600],
    [failed, 3_600],
  ] as const) {
    const first = answered(200, 'User-agent: *\nDisallow: /no');
    const { clock, check, fetches } = gateWith([first, failing, failing, answered(404)]);
    await check('/a');
    await clock.advance(2 * 86_400_000);
    for (let page = 0; page < 10; page += 1) await check('/a');
    assert.equal(fetches(), 2);
    await clock.advance(seconds * 1_000 - 1);
    assert.equal((await check('/no')).ok, false);
    assert.equal(fetches(), 2);
    await clock.advance(1);
    assert.equal((await check('/no')).ok, false);
    assert.equal(fetches(), 3);
    await clock.advance(seconds * 1_000);
    assert.equal((await check('/no')).ok, true);
  }
});

test('of a mapped origin a robots.txt that fails blocks nothing and is not remembered', async () => {
  const { check, fetches } = gateWith([answered(500)]);
  assert.equal((await check('/a', true)).ok, true);
  assert.equal((await check('/a', true)).ok, true);
  assert.equal(fetches(), 2);
});

test('a robots.txt behind endless redirects counts as absent', async () => {
  const failure = { kind: 'redirect_loop' as const, detail: 'x' };
  const { check } = gateWith([{ kind: 'failed', failure }]);
  assert.equal((await check('/a')).ok, true);
});

test('500 KB of any robots.txt are parsed without holding up other work', async () => {
  const fill = (piece: string, size = 500 * 1024) => piece.repeat(Math.floor(size / piece.length));
  const general = 'User-agent: *\n';
  const texts = [
    general + fill('Disallow: /a\n'),
    general + fill('Disallow: /é%41\n'),
    `${general}Disallow: /${fill('é')}`,
    fill(general, 100_000) + fill('Disallow: /x\n', 400_000),
    fill('\n'),
  ];
  for (const text of texts) {
    let longestMs = 0;
    let startedMs = cpuMs();
    const rest = () => {
      longestMs = Math.max(longestMs, cpuMs() - startedMs);
    };
    await parseRobots(text, 'openshelf', async () => {
      rest();
      await new Promise((resolve) => setImmediate(resolve));
      startedMs = cpuMs();
    });
    rest();
    assert.ok(longestMs < 50, `${longestMs} ms for ${text.slice(0, 40)}`);
  }
});

test('a robots.txt that is kept takes no more memory than its rules', async () => {
  const policies: RobotsPolicy[] = [];
  const before = usedBytes();
  for (let n = 0; n < 40; n += 1) {
    const text = `User-agent: *\nDisallow: /of/shop/number/${n}\n# ${'x'.repeat(490_000)}`;
    policies.push(await parseRobots(text, 'openshelf', async () => undefined));
  }
  const held = usedBytes() - before;
  assert.ok(held < 2_000_000, `${held} bytes of ${policies.length} files`);
});

test('an agent named thousands of times before a rule has the rule once', async () => {
  const policy = await policyOf(`${'User-agent: *\n'.repeat(5_000)}Disallow: /x\n`);
  assert.deepEqual(policy.rules, [{ allow: false, pattern: '/x' }]);
});
