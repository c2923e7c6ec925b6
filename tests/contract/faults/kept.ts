// Faults of the way before the framework: of kept answers, and of made ones.

import type { Fault } from './fault.ts';

const ALIVE = '../http/alive-way.test.ts';
const ARRIVALS = '../http/arrivals.test.ts';
const WAY = '../http/prepared-way.test.ts';
const MADE_WAY = '../http/made-way.test.ts';

export const FAULTS_OF_KEPT: readonly Fault[] = [
  {
    name: 'a request is answered by the head of another one',
    file: 'http/door/arrivals.ts',
    find: ' || rest.compare(bytes, end) !== 0',
    replace: '',
    tests: [ARRIVALS],
  },
  {
    name: 'a repeated request passes those that came before it',
    file: 'http/door/arrivals.ts',
    find: '!parts.isClosing() && isFree(connection)',
    replace: '!parts.isClosing()',
    tests: [ARRIVALS],
  },
  {
    name: 'a head is known in the middle of a body',
    file: 'http/door/arrivals.ts',
    find: '    isAtRest = known !== null;',
    replace: '    isAtRest = true;',
    tests: [ARRIVALS],
  },
  {
    name: 'a kept answer is given whatever its revisions are',
    file: 'http/short/prepared-way.ts',
    find: 'metering.charge(caller, { requestId: callId, route, tokens, revisions })',
    replace: 'metering.charge(caller, { requestId: callId, route, tokens, revisions: [] })',
    tests: [WAY],
  },
  {
    name: 'a kept answer outlives its time',
    file: 'lookup/kept/basis.ts',
    find: 'return nowMs >= fromMs && nowMs < untilMs && circumstances === noted.circumstances();',
    replace: 'return nowMs >= fromMs && untilMs > 0 && circumstances === noted.circumstances();',
    tests: [WAY],
  },
  {
    name: 'a kept answer is given to a key without the scope',
    file: 'http/short/prepared-way.ts',
    find: 'prepared.isOfNow(answer) && caller.scopes.includes(READS_PRODUCTS)',
    replace: 'prepared.isOfNow(answer)',
    tests: [WAY],
  },
  {
    name: 'a kept answer is free',
    file: 'http/short/prepared-way.ts',
    find: 'metering.charge(caller, { requestId: callId, route, tokens, revisions })',
    replace: 'metering.charge(caller, { requestId: callId, route, tokens: 0, revisions })',
    tests: [WAY],
  },
  {
    name: 'a kept answer replays an Idempotency-Key',
    file: 'http/short/plain-request.ts',
    find: "  'dnt',\n  'forwarded',",
    replace: "  'dnt',\n  'forwarded',\n  'idempotency-key',",
    tests: [WAY],
  },
  {
    name: 'a kept answer says another id than the call',
    file: 'http/short/prepared-way.ts',
    find: 'const requestId = requestIdOf(asked.requestId, callId);',
    replace: 'const requestId = callId;',
    tests: [WAY],
  },
  {
    name: 'what is written of a listing is no news for its barcodes',
    file: 'store/answers/revisions.ts',
    find: 'return [reviseSubjects(ids), reviseBarcodesOf(ids, codes)];',
    replace: 'return [reviseSubjects(ids)];',
    tests: [WAY],
  },
  {
    name: 'a compressed kept answer is sent to who takes none',
    file: 'http/short/plain-request.ts',
    find: "if (accepted === undefined || accepted === '') return false;",
    replace: "if (accepted === undefined || accepted === '') return true;",
    tests: [WAY],
  },
  {
    name: 'an answer is made for a key without the scope',
    file: 'http/short/made-way.ts',
    find: 'if (!caller.scopes.includes(READS_PRODUCTS)) return null;',
    replace: '',
    tests: [MADE_WAY],
  },
  {
    name: 'a made answer passes over an Idempotency-Key',
    file: 'http/short/plain-request.ts',
    find: 'if (!READ.has(name) && !isUnread(name)) return null;',
    replace: "if (name === 'expect') return null;",
    tests: [MADE_WAY],
  },
  {
    name: 'a fault of a made answer has no words',
    file: 'http/short/made-way.ts',
    find: 'short.otherwise({ error, startedMs, callId });',
    replace: "short.otherwise({ error: new Error('no words'), startedMs, callId });",
    tests: [MADE_WAY],
  },
  {
    name: 'a made answer is under another route',
    file: 'http/short/plain-target.ts',
    find: 'route: `/v1/products/{id}${suffix}`',
    replace: "route: '/v1/products/{id}'",
    tests: [MADE_WAY],
  },
  {
    name: 'a query that is not right is read as far as it goes',
    file: 'http/short/queried-calls.ts',
    find: 'return schema.safeParse(query).data ?? null;',
    replace: 'return schema.safeParse(query).data ?? schema.safeParse({}).data ?? null;',
    tests: [MADE_WAY],
  },
  {
    name: 'a made answer says another id than the caller gave',
    file: 'http/short/made-way.ts',
    find: 'const requestId = requestIdOf(asked.requestId, callId);',
    replace: 'const requestId = callId;',
    tests: [MADE_WAY],
  },
  {
    name: 'a made answer is not logged or counted',
    file: 'http/short/made-way.ts',
    find: 'parts.metrics.requestAnswered({ ...answered, seconds: ms / SECOND_MS });',
    replace: '',
    tests: [MADE_WAY],
  },
  {
    name: 'a call that failed before the framework is logged from where that begins',
    file: 'http/middleware.ts',
    find: 'refusedOf(c)?.startedMs ?? clock.now()',
    replace: 'clock.now()',
    tests: [MADE_WAY],
  },
  {
    name: 'a miss that is over goes on in what is kept',
    file: 'store/answers/misses.ts',
    find: "reviseMisses('id = $1', params), ",
    replace: '',
    tests: ['../lookup/noted-lookups.test.ts'],
  },
  {
    name: 'a kept answer of an address is counted under another path',
    file: 'http/short/prepared-answers.ts',
    find: 'target.startsWith(BY_URL)',
    replace: "target.startsWith('/v2')",
    tests: [WAY],
  },
  {
    name: 'a kept answer says nothing to pages of other origins',
    file: 'http/short/plain-answer.ts',
    find: 'crossOriginOf(corsOrigins)',
    replace: 'crossOriginOf(corsOrigins.slice(0, 0))',
    tests: [WAY],
  },
  {
    name: 'a batch gives a kept answer of the past',
    file: 'http/batch/kept-answers.ts',
    find: 'if (prepared?.isOfNow(answer) !== true) throw new AnswerChanged();',
    replace: '',
    tests: ['../http/prepared-answers.test.ts'],
  },
  {
    name: 'a process that lives says so in other words',
    file: 'http/door/alive-way.ts',
    find: '{"status":"ok"}',
    replace: '{"status":"up"}',
    tests: [ALIVE],
  },
];
