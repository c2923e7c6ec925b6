// Calls with one mistake each, for every route of a service's OpenAPI document: the mistakes a client may make, up to the
// longest request that is read. A new route gets its rows by being documented.

import {
  operationsOf,
  resolved,
  type Json,
  type Operation,
} from '../../tests/support/openapi-walk.ts';

export type SentRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type Mistake = SentRequest & {
  /** The route and its mistake. */
  readonly name: string;
};

/** The path parameters of a correct call of any route. */
type PathValues = Readonly<Record<string, string>>;

type BodiedOperation = Operation & { readonly requestBody?: Json };

/** Length of a name that is as long as a URL allows. */
const LONG = 8_000;
/** Bytes of a small body. */
const SMALL_BODY = 1_000;
/** Bytes of the largest body that a JSON route reads, less the surrounding JSON. */
const LARGE_BODY = 64_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns the mistakes in calls of every route that needs a key, except those in a body. */
export function mistakesOf(document: Json, values: PathValues): readonly Mistake[] {
  const operations = operationsOf(document).filter(
    ({ security, method }) => (security ?? []).length > 0 && method !== 'HEAD',
  );
  const routes = operations.flatMap((operation) => {
    const label = `${operation.method} ${operation.path}`;
    const named = ([what, request]: readonly [string, SentRequest]) => ({
      name: `${label}: ${what}`,
      ...request,
    });
    return mistakesOfRoute(document, operation, values).map(named);
  });
  return [...routes, ...unknownRoutes(), ...agentMistakes()];
}

type Named = readonly [what: string, request: SentRequest];

function mistakesOfRoute(
  document: Json,
  operation: BodiedOperation,
  values: PathValues,
): readonly Named[] {
  const { method, path: pattern, parameters, requestBody } = operation;
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'nothing');
  const body = requestBody === undefined ? undefined : '{}';
  const right = { method, ...(body === undefined ? {} : { body, headers: JSON_TYPE }) };
  const query = (text: string): SentRequest => ({ ...right, target: `${path}?${text}` });
  const [known] = parameters.filter((each) => each.in === 'query');
  const hasKey = parameters.some((each) => each.name === 'Idempotency-Key');
  const headers = { ...right.headers, 'idempotency-key': 'x'.repeat(300) };
  return [
    ['an unknown parameter', query('inclde_stats=1')],
    ['an unknown parameter, long', query(`${'q'.repeat(LONG)}=1`)],
    ['many unknown parameters', query(filled(SMALL_BODY, (at) => `p${at}=1`, '&'))],
    ...(known === undefined
      ? []
      : ([
          ['a parameter twice', query(`${known.name}=1&${known.name}=2`)],
          ['a wrong value', query(`${known.name}=%00nonsense`)],
        ] as const)),
    ...(hasKey ? ([['a bad Idempotency-Key', { ...right, target: path, headers }]] as const) : []),
    ['a wrong method', { method: 'PUT', target: path }],
    ...(pattern.includes('{')
      ? ([
          ['an unknown id', { ...right, target: pattern.replaceAll(/\{\w+\}/g, 'hello%20world!') }],
          ['a long id', { ...right, target: pattern.replaceAll(/\{\w+\}/g, '1'.repeat(LONG)) }],
        ] as const)
      : []),
    ...bodyMistakes(document, operation, { method, target: path }),
  ];
}

function bodyMistakes(
  document: Json,
  { requestBody }: BodiedOperation,
  request: SentRequest,
): readonly Named[] {
  const sent = (body: string, headers = JSON_TYPE): SentRequest => ({ ...request, headers, body });
  if (requestBody === undefined) {
    return [['a body', sent(JSON.stringify({ text: 'x'.repeat(SMALL_BODY) }))]];
  }
  const content = requestBody['content'] as Readonly<Record<string, { readonly schema: Json }>>;
  const schema = content['application/json']?.schema;
  if (schema === undefined) return [['an empty body', sent('\n')]];
  const { properties } = resolved(document, schema);
  const [field = 'name'] = Object.keys(properties ?? {});
  return [
    ...jsonMistakes(SMALL_BODY).map(([what, body]) => [what, sent(body)] as const),
    ['a wrong value', sent(JSON.stringify({ [field]: { of: [1, 2, 3] } }))],
    ['another Content-Type', sent('{}', { 'content-type': 'text/plain' })],
    ['a body that is too large', sent(JSON.stringify({ text: 'x'.repeat(2 * LARGE_BODY) }))],
  ];
}

/** Returns JSON bodies of about this many bytes that are not the expected object. */
function jsonMistakes(bytes: number): readonly (readonly [what: string, body: string])[] {
  return [
    ['an unknown field', JSON.stringify({ identifer: 'x'.repeat(bytes) })],
    ['an unknown field, long', JSON.stringify({ ['n'.repeat(bytes)]: 1 })],
    ['many unknown fields', `{${filled(bytes, (at) => `"f${at}":1`, ',')}}`],
    ['no JSON', 'x'.repeat(bytes)],
    ['JSON that ends early', `{"identifier":"${'x'.repeat(bytes)}`],
    ['a list', `[${filled(bytes, String, ',')}]`],
    ['deep JSON', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  ];
}

/** Returns the same mistakes in the largest accepted body, and a correct body of the same size. */
export function largeBodies(right: SentRequest): {
  readonly right: SentRequest;
  readonly mistakes: readonly Mistake[];
} {
  const sent = (body: string): SentRequest => ({ ...right, headers: JSON_TYPE, body });
  return {
    right: sent(right.body?.padEnd(LARGE_BODY) ?? ''),
    mistakes: jsonMistakes(LARGE_BODY).map(([what, body]) => ({
      name: `${right.method} of 64 KB: ${what}`,
      ...sent(body),
    })),
  };
}

/** Returns paths that match no route: similar to one, and of the maximum length. */
function unknownRoutes(): readonly Mistake[] {
  const targets = {
    'a misspelt route': '/v1/watchez',
    'a route with one s too many': '/v1/usages',
    'the route of another service': '/v1/lookup?upc=614141000005',
    'a long path': `/v1/${'w'.repeat(LONG)}`,
    'a path of many segments': `/v1${'/a'.repeat(LONG / 2)}`,
    'a long path below a route': `/v1/watches/${'w/'.repeat(LONG / 2)}`,
    'a path that nearly fits': `/v1/products/${'%20'.repeat(LONG / 3 - 20)}/historx`,
  };
  return Object.entries(targets).map(([what, target]) => ({
    name: `no route: ${what}`,
    method: 'GET',
    target,
  }));
}

const AGENT_HEADERS = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };

function agentMistakes(): readonly Mistake[] {
  const call = (name: string, input: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input },
    });
  const bodies = {
    'an unknown tool': call('lokup', { identifier: '614141000005' }),
    'an unknown tool, long': call('l'.repeat(SMALL_BODY), {}),
    'a missing argument': call('lookup', {}),
    'an unknown argument': call('lookup', { ['n'.repeat(SMALL_BODY)]: 1 }),
    'a wrong argument': call('compare', { identifier: '614141000005', cost: -1 }),
    'a wrong identifier': call('lookup', { identifier: 'hello world!' }),
    'an unknown method': JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/cal' }),
    'no message': JSON.stringify({ text: 'x'.repeat(SMALL_BODY) }),
    'no JSON': 'x'.repeat(SMALL_BODY),
    'a list of messages': `[${filled(SMALL_BODY, String, ',')}]`,
  };
  return Object.entries(bodies).map(([what, body]) => ({
    name: `POST /mcp: ${what}`,
    method: 'POST',
    target: '/mcp',
    headers: AGENT_HEADERS,
    body,
  }));
}

/** Returns as many texts as make up that many characters. */
function filled(characters: number, textOf: (at: number) => string, separator: string): string {
  const texts: string[] = [];
  for (let length = 0; length < characters; length += (texts.at(-1)?.length ?? 0) + 1) {
    texts.push(textOf(texts.length));
  }
  return texts.join(separator);
}
