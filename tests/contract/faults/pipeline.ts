// Faults of the order of a call, of its head, and of how its row is found.

import type { Fault } from './fault.ts';

const ERRORS = 'errors.test.ts';
const SERVICE = 'get-service.test.ts';
const ASKED = '../server/asked.test.ts';
const CACHED = '../server/cached-answers.test.ts';
const REFUSALS = '../server/refusals.test.ts';
const TABLE = '../server/table.test.ts';

export const FAULTS_OF_PIPELINE: readonly Fault[] = [
  {
    name: 'a call is answered without a key',
    file: 'server/pipeline.ts',
    find: "  if (scope === 'no key') return;",
    replace: '  if (scope.length > 0) return;',
    tests: [ERRORS],
  },
  {
    name: 'any key may do what needs a scope',
    file: 'server/pipeline.ts',
    find: "  if (scope !== 'any key') metering.requireScope(caller, scope);",
    replace: '',
    tests: ['refresh-product.test.ts'],
  },
  {
    name: 'an address may be as long as its client likes',
    file: 'server/pipeline.ts',
    find: 'if (length <= MAX_TARGET) return;',
    replace: 'if (length > 0) return;',
    tests: [ERRORS],
  },
  {
    name: 'a refused call does not state the limits of its key',
    file: 'server/pipeline.ts',
    find: '  if (caller !== null) {\n    call.rateLimit ??=',
    replace: '  if (caller === null) {\n    call.rateLimit ??=',
    tests: [ERRORS],
  },
  {
    name: 'an answer that was asked for with a key may be stored by a proxy',
    file: 'server/headers.ts',
    find: "      head.push('cache-control', 'private, no-store');\n",
    replace: '',
    tests: [REFUSALS],
  },
  {
    name: 'a page of any origin may read answers',
    file: 'server/headers.ts',
    find: 'origin !== undefined && origins.includes(origin)',
    replace: 'origin !== undefined',
    tests: [CACHED],
  },
  {
    name: 'a cached answer is given to a key that may not read products',
    file: 'server/cached-answer.ts',
    find: '  metering.requireScope(caller, SCOPE);\n',
    replace: '',
    tests: [CACHED],
  },
  {
    name: 'a slash after a path leads to its route',
    file: 'server/table.ts',
    find: 'return data.leadsSlash === true ? leadFrom(asked, data) : null;',
    replace: 'return leadFrom(asked, data);',
    tests: [TABLE],
  },
  {
    name: 'a name that is written with escapes is not a route',
    file: 'server/table.ts',
    find: 'if (!ESCAPED_NAME.test(path)) return path;',
    replace: "if (path !== '') return path;",
    tests: [TABLE],
  },
  {
    name: 'a backslash in a path is a slash',
    file: 'server/asked.ts',
    find: "if ((target.split('?', 1)[0] ?? '').includes('\\\\')) return null;",
    replace: '',
    tests: [ASKED],
  },
  {
    name: 'a parameter that is given twice is given once',
    file: 'server/asked.ts',
    find: '    else before.push(value);',
    replace: '',
    tests: [ASKED, '../server/invalid-values.test.ts'],
  },
  {
    name: 'a message of an agent counts twice',
    file: 'server/routes/mcp.ts',
    find: '    // The route that is called counts its call, answered or refused.\n    call.isCounted = true;\n',
    replace: '',
    tests: [ERRORS],
  },
  {
    name: 'a wrong body is taken where a route takes none',
    file: 'server/bodies.ts',
    find: "if (text !== null && /^\\s*(?:\\{\\s*\\}\\s*)?$/.test(text)) return '';",
    replace: "if (text !== '') return '';",
    tests: [ERRORS],
  },
  {
    name: 'a document is sent in a coding that its client does not take',
    file: 'server/encoding.ts',
    find: 'return most <= 0 ? null :',
    replace: 'return most < 0 ? null :',
    tests: ['../server/constant-text.test.ts', SERVICE],
  },
  {
    name: 'the routes of a process that works in the background answer',
    file: 'server/listen/endpoints.ts',
    find: '    if (!answersApi) return healthTable(shared);\n',
    replace: '',
    tests: ['../edge/cli/workers.test.ts'],
  },
];
