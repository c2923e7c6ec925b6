// The fault for each way in which fetching or reading a page can fail (D48-D50).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { FetchFailureKind } from '../../../src/base/listing/page.ts';
import { failedFetch, outcomeOfVerdict } from '../../../src/answer/collect/asking/failed-fetch.ts';

const failures: readonly (readonly [FetchFailureKind, string, string])[] = [
  ['refused', 'url_not_allowed', 'url_not_allowed'],
  ['unresolved', 'upstream_unavailable', 'upstream_error'],
  ['unsent', 'upstream_unavailable', 'upstream_error'],
  ['timeout', 'upstream_unavailable', 'upstream_timeout'],
  ['reset', 'upstream_unavailable', 'upstream_reset'],
  ['busy', 'upstream_unavailable', 'upstream_blocked'],
  ['too_large', 'source_unusable', 'upstream_too_large'],
  ['bad_encoding', 'source_unusable', 'upstream_bad_encoding'],
  ['bad_response', 'source_unusable', 'upstream_bad_response'],
  ['untrusted', 'source_unusable', 'upstream_bad_response'],
  ['redirect_loop', 'source_unusable', 'upstream_redirect_loop'],
  ['robots', 'source_unusable', 'robots_disallowed'],
];

test('each failed fetch has its code, its outcome, and a Retry-After only when waiting helps', () => {
  for (const [kind, code, outcome] of failures) {
    const { fault } = failedFetch({ kind, detail: '10.0.0.1 is private' });
    assert.equal(fault.code, code);
    assert.equal(fault.upstream ?? fault.code, outcome);
    assert.equal(fault.retryAfterSeconds !== undefined, code === 'upstream_unavailable', kind);
    assert.doesNotMatch(JSON.stringify(fault), /10\.0\.0\.1/);
  }
});

test('without a trusted connection HTTP is not mentioned, and the message says what the operator should check', () => {
  const { detail } = failedFetch({ kind: 'untrusted', detail: 'CERT_HAS_EXPIRED' }).fault;
  assert.match(detail, /certificate has expired, is for another name/);
  assert.match(detail, /clock/);
  assert.doesNotMatch(detail, /not valid HTTP/);
});

test('a refused address gives the same answer whatever the reason was', () => {
  const reasons = ['NXDOMAIN', '127.0.0.1: loopback', 'port 22'];
  const faults = reasons.map((detail) => JSON.stringify(failedFetch({ kind: 'refused', detail })));
  assert.equal(new Set(faults).size, 1);
});

test('the wait that the shop or our pacing named is passed on', () => {
  const paced = failedFetch({ kind: 'busy', detail: '', retryAfterSeconds: 42 });
  const blocked = outcomeOfVerdict({ kind: 'blocked', why: '', retryAfterSeconds: 120 });
  const soon = outcomeOfVerdict({ kind: 'retry', why: '', retryAfterSeconds: 0 });
  assert.ok(blocked.kind === 'failed' && soon.kind === 'failed');
  const waits = [paced, blocked, soon].map(({ fault }) => fault.retryAfterSeconds);
  assert.deepEqual(waits, [42, 120, 1]);
});

test('verdicts have their outcomes', () => {
  const why = 'no such page';
  assert.deepEqual(outcomeOfVerdict({ kind: 'not_found', why }), {
    kind: 'miss',
    miss: { detail: why, upstream: null },
  });
  assert.deepEqual(outcomeOfVerdict({ kind: 'not_a_product', why }), {
    kind: 'miss',
    miss: { detail: why, upstream: 'not_a_product' },
  });
  const failures = [
    [{ kind: 'blocked', why }, 'blocked', 'upstream_blocked'],
    [{ kind: 'retry', why }, 'error', 'upstream_error'],
    [{ kind: 'retry', why, isUnread: true }, 'error', 'upstream_timeout'],
    [{ kind: 'unreadable', why }, 'error', 'upstream_bad_response'],
  ] as const;
  for (const [verdict, status, upstream] of failures) {
    const outcome = outcomeOfVerdict(verdict);
    assert.ok(outcome.kind === 'failed');
    assert.deepEqual([outcome.status, outcome.fault.upstream], [status, upstream]);
  }
});
