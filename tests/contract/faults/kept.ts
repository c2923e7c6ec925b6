// Faults of the way of kept answers.

import type { Fault } from './fault.ts';

const WAY = '../http/prepared-way.test.ts';

export const FAULTS_OF_KEPT: readonly Fault[] = [
  {
    name: 'a kept answer is given whatever its revisions are',
    file: 'http/prepared-way.ts',
    find: 'metering.charge(caller, { requestId, route, tokens, revisions })',
    replace: 'metering.charge(caller, { requestId, route, tokens, revisions: [] })',
    tests: [WAY],
  },
  {
    name: 'a kept answer outlives its time',
    file: 'http/prepared-answers.ts',
    find: 'return nowMs >= fromMs && nowMs < untilMs && circumstances === noted.circumstances();',
    replace: 'return nowMs >= fromMs && untilMs > 0 && circumstances === noted.circumstances();',
    tests: [WAY],
  },
  {
    name: 'a kept answer is given to a key without the scope',
    file: 'http/prepared-way.ts',
    find: '(isKnown || prepared.isOfNow(answer)) && caller.scopes.includes(SCOPE)',
    replace: 'prepared.isOfNow(answer)',
    tests: [WAY],
  },
  {
    name: 'a kept answer is free',
    file: 'http/prepared-way.ts',
    find: 'metering.charge(caller, { requestId, route, tokens, revisions })',
    replace: 'metering.charge(caller, { requestId, route, tokens: 0, revisions })',
    tests: [WAY],
  },
  {
    name: 'a kept answer replays an Idempotency-Key',
    file: 'http/prepared-way.ts',
    find: "  'host',\n  'pragma',",
    replace: "  'host',\n  'idempotency-key',\n  'pragma',",
    tests: [WAY],
  },
  {
    name: 'a kept answer says another id than the call',
    file: 'http/prepared-way.ts',
    find: "const named = requestIdOf(headerOf(request, 'x-request-id'), requestId);",
    replace: 'const named = requestIdOf(undefined, requestId);',
    tests: [WAY],
  },
  {
    name: 'what is written of a listing is no news for its barcodes',
    file: 'store/revisions.ts',
    find: 'return [reviseSubjects(ids), reviseBarcodesOf(ids, codes)];',
    replace: 'return [reviseSubjects(ids)];',
    tests: [WAY],
  },
  {
    name: 'a compressed kept answer is sent to who takes none',
    file: 'http/prepared-way.ts',
    find: "if (accepted === undefined || accepted === '') return false;",
    replace: "if (accepted === undefined || accepted === '') return true;",
    tests: [WAY],
  },
];
