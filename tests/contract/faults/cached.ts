// Faults of cached and of computed answers.

import type { Fault } from './fault.ts';

const ALIVE = '../server/alive.test.ts';
const ARRIVALS = '../server/arrivals.test.ts';
const CACHED = '../server/cached-answers.test.ts';
const CHANGES = '../server/changes-stream.test.ts';
const COMPUTED = '../server/computed-answers.test.ts';
const REPEATED = '../server/repeated-requests.test.ts';
const CACHE = '../answer/lookup/answer-cache.test.ts';
const SESSION = '../answer/lookup/read-session.test.ts';
const STORED = '../answer/lookup/stored-answers.test.ts';

export const FAULTS_OF_CACHED: readonly Fault[] = [
  {
    name: 'a request is answered by the head of another one',
    file: 'server/listen/arrivals.ts',
    find: 'length === rest.length && rest.compare(bytes, end) === 0',
    replace: 'length === rest.length',
    tests: [ARRIVALS],
  },
  {
    name: 'a request has the id of another one on its connection',
    file: 'server/listen/arrivals.ts',
    find: "const fields = new Map(head.fields).set('x-request-id', found.requestId);",
    replace: 'const { fields } = head;',
    tests: [ARRIVALS],
  },
  {
    name: 'a note in a head may hold anything',
    file: 'server/listen/head-shape.ts',
    find: 'if (byte < first || byte > LAST_PRINTED) break;',
    replace: '',
    tests: [ARRIVALS],
  },
  {
    name: 'a repeated request passes those that came before it',
    file: 'server/listen/arrivals.ts',
    find: '!parts.isClosing() && isFree(connection)',
    replace: '!parts.isClosing()',
    tests: [ARRIVALS],
  },
  {
    name: 'a head is known in the middle of a body',
    file: 'server/listen/arrivals.ts',
    find: '    isAtRest = known !== null;',
    replace: '    isAtRest = true;',
    tests: [ARRIVALS],
  },
  {
    name: 'a cached answer is given whatever its revisions are',
    file: 'server/cached-answer.ts',
    find: 'return await metering.charge(caller, { requestId: callId, route, tokens, revisions });',
    replace:
      'return await metering.charge(caller, { requestId: callId, route, tokens, revisions: [] });',
    tests: [CACHED, REPEATED],
  },
  {
    name: 'a cached answer outlives its time',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: 'return nowMs >= fromMs && nowMs < untilMs && basis.circumstances === circumstances();',
    replace: 'return nowMs >= fromMs && untilMs > 0 && basis.circumstances === circumstances();',
    tests: [CACHED],
  },
  {
    name: 'a cached answer is given to a key without the scope',
    file: 'server/cached-answer.ts',
    find: '  metering.requireScope(caller, SCOPE);\n',
    replace: '',
    tests: [CACHED],
  },
  {
    name: 'a cached answer is free',
    file: 'server/cached-answer.ts',
    find: 'return await metering.charge(caller, { requestId: callId, route, tokens, revisions });',
    replace:
      'return await metering.charge(caller, { requestId: callId, route, tokens: 0, revisions });',
    tests: [CACHED],
  },
  {
    name: 'a cached answer passes over an Idempotency-Key',
    file: 'server/cached-answer.ts',
    find: 'if (found === null || idempotencyKeyOf(asked) !== null) return null;',
    replace: 'if (found === null) return null;',
    tests: [CACHED],
  },
  {
    name: 'an answer says another id than the caller gave',
    file: 'server/call.ts',
    find: "requestId: requestIdOf(asked.headers.get('x-request-id'), callId),",
    replace: 'requestId: callId,',
    tests: [CACHED, COMPUTED],
  },
  {
    name: 'what is written of a listing is not news for its barcodes',
    file: 'data/answers/revisions.ts',
    find: 'return [reviseSubjects(ids), reviseBarcodesOf(ids, codes)];',
    replace: 'return [reviseSubjects(ids)];',
    tests: [CACHED],
  },
  {
    name: 'a compressed cached answer is sent to who takes none',
    file: 'server/encoding.ts',
    find: 'if (accepted === undefined) return null;',
    replace: "if (accepted === undefined) return 'gzip';",
    tests: [CACHED],
  },
  {
    name: 'an answer is computed for a key without the scope',
    file: 'server/pipeline.ts',
    find: "  if (scope !== 'any key') metering.requireScope(caller, scope);\n",
    replace: '',
    tests: [COMPUTED],
  },
  {
    name: 'a computed answer passes over an Idempotency-Key',
    file: 'server/pipeline.ts',
    find: 'return key === null ? undefined : { key, fingerprint: fingerprintOf(asked, body) };',
    replace: 'return key === body ? { key, fingerprint: fingerprintOf(asked, body) } : undefined;',
    tests: [COMPUTED],
  },
  {
    name: 'a fault of a cached answer has no words',
    file: 'server/pipeline.ts',
    find: 'await cachedAnswer(parts, call, cached);',
    replace:
      "await cachedAnswer(parts, call, cached).catch(() => Promise.reject(new Error('no words')));",
    tests: [COMPUTED],
  },
  {
    name: 'a computed answer is under another route',
    file: 'server/pipeline.ts',
    find: 'call.route = found.entry.path;',
    replace: "call.route = found.entry.path.replace('/history', '');",
    tests: [COMPUTED],
  },
  {
    name: 'a query that is not right is read as far as it goes',
    file: 'server/parsed-call.ts',
    find: '  throw new FaultError(faultOfIssues(read.error.issues, given, Object.keys(schema.shape)));',
    replace: '  return schema.parse(NOTHING);',
    tests: [COMPUTED],
  },
  {
    name: 'a computed answer is not counted',
    file: 'server/pipeline.ts',
    find: '} else metrics.requestAnswered({ route, method, status, seconds });',
    replace: '}',
    tests: [COMPUTED],
  },
  {
    name: 'a call that failed is logged without its time',
    file: 'server/pipeline.ts',
    find: 'const ms = clock.now() - call.startedMs;',
    replace: 'const ms = status < 400 ? clock.now() - call.startedMs : 0;',
    tests: [COMPUTED],
  },
  {
    name: 'a miss that is over goes on in what is cached',
    file: 'data/answers/misses.ts',
    find: "reviseMisses('id = $1', params), ",
    replace: '',
    tests: [SESSION],
  },
  {
    name: 'a cached answer of an address is counted under another path',
    file: 'answer/lookup/cache/cached-bodies.ts',
    find: 'target.startsWith(BY_URL)',
    replace: "target.startsWith('/v2')",
    tests: [CACHED],
  },
  {
    name: 'an answer says nothing to pages of other origins',
    file: 'server/headers.ts',
    find: 'const isCrossOrigin = origins.length > 0;',
    replace: 'const isCrossOrigin = origins.length > 1;',
    tests: [CACHED],
  },
  {
    name: 'a batch gives a cached answer of the past',
    file: 'server/cached-answer.ts',
    find: '  if (!cache.isOfNow(found)) return null;\n',
    replace: '',
    tests: [CACHE],
  },
  {
    name: 'the revisions of a cached answer are read after it was made',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: '  const { found, madeFrom } = await make(true);\n',
    replace:
      '  const { found, madeFrom } = await make(true);\n' +
      '  Object.assign(before, await basisBefore(parts, known));\n',
    tests: [CACHE],
  },
  {
    name: 'a cached product is given whatever its revisions are',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: 'isOfNow(parts, old) && hasAll(before.revisions, old.revisions);',
    replace: 'isOfNow(parts, old);',
    tests: [STORED],
  },
  {
    name: 'a cached product outlives its time',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: 'isOfNow(parts, old) && hasAll(before.revisions, old.revisions);',
    replace: 'hasAll(before.revisions, old.revisions);',
    tests: [STORED],
  },
  {
    name: 'an answer is cached though a revision of it was not read before',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: '  if (revisions.length < subjects.length) return null;\n',
    replace: '',
    tests: [CACHE],
  },
  {
    name: 'the organization is not part of a question',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: 'JSON.stringify([kind, own, currency, terms, asked])',
    replace: 'JSON.stringify([kind, currency, terms, asked])',
    tests: [CACHE],
  },
  {
    name: 'the currency is not part of a question',
    file: 'answer/lookup/cache/answer-cache.ts',
    find: 'JSON.stringify([kind, own, currency, terms, asked])',
    replace: 'JSON.stringify([kind, own, terms, asked])',
    tests: [CACHE],
  },
  {
    name: 'what is one organization’s own is found by everybody’s path',
    file: 'answer/lookup/cache/cached-bodies.ts',
    find: 'if (!entry.isCommon || targets.includes(target)) return;',
    replace: 'if (targets.includes(target)) return;',
    tests: [CACHE],
  },
  {
    name: 'an answer that is forgotten leaves its text',
    file: 'answer/lookup/cache/cached-bodies.ts',
    find: '    texts.delete(body);\n',
    replace: '',
    tests: [CACHE],
  },
  {
    name: 'an answer that is forgotten is still found by its path',
    file: 'answer/lookup/cache/cached-bodies.ts',
    find: '    for (const target of targets) byTarget.delete(target);\n',
    replace: '',
    tests: [CACHE],
  },
  {
    name: 'one presentation of an answer is given for another',
    file: 'answer/lookup/cache/cached-bodies.ts',
    find: 'each.presentation === presentation && each.pattern === pattern',
    replace: 'each.pattern === pattern',
    tests: [CACHE],
  },
  {
    name: 'what was read of a replica is cached',
    file: 'answer/lookup/cache/read-session.ts',
    find: '        return await work(lagging(asked.own));',
    replace: '        return await work(openReadSession(replica.store, clock.now()));',
    tests: [SESSION],
  },
  {
    name: 'who fetched reads a replica that does not have it yet',
    file: 'answer/lookup/cache/read-session.ts',
    find: '    if (!replica.hasSince(fetchedAtMs)) return false;\n',
    replace: '',
    tests: [SESSION],
  },
  {
    name: 'archived offers are cached though they have no revision',
    file: 'answer/lookup/cache/read-session.ts',
    find: 'findNewestOffers: (...asked) => unknown(notes, offers.findNewestOffers(...asked)),',
    replace: 'findNewestOffers: (...asked) => offers.findNewestOffers(...asked),',
    tests: [SESSION],
  },
  {
    name: 'a price does not grow stale in a cached answer',
    file: 'answer/lookup/cache/read-session.ts',
    find: '      noteTied(notes, found);\n',
    replace: '',
    tests: [SESSION],
  },
  {
    name: 'a process that lives says so in other words',
    file: 'server/listen/alive.ts',
    find: '{"status":"ok"}',
    replace: '{"status":"up"}',
    tests: [ALIVE],
  },
  {
    name: 'a stream goes on without its client',
    file: 'server/send.ts',
    find: "    response.once('close', over);\n",
    replace: '',
    tests: [CHANGES],
  },
];
