// The headers in the OpenAPI document: the meaning of each, and which answers have it (D15, D20, D21, D55).

import { IDEMPOTENCY_KEY } from '../../base/idempotency-key.ts';

const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1 } as const;

/** The request header `X-Request-Id`. */
export const REQUEST_ID_PARAMETER = {
  name: 'X-Request-Id',
  in: 'header' as const,
  required: false,
  description:
    "An ID for the request, which is returned in the response and written to the service's logs. It " +
    'has 1 to 128 characters of A-Z, a-z, 0-9 and ._~:+/=-; any other value is replaced.',
  schema: text,
};

export const HEADERS = {
  'X-Request-Id': {
    description:
      'The ID of the request: the one that was sent, otherwise a new one. Quote it when you report a ' +
      'problem.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      "The organization's limits by name: `q` is the number allowed, `w` the window in seconds. " +
      '`throttle` counts calls, `force-refresh` forced fetches, `quota` the tokens of the month. Sent ' +
      'with every response to a known key.',
    required: false,
    schema: text,
  },
  RateLimit: {
    description:
      'The remainder of each limit: `r` is the number left, `t` the seconds until more is ' +
      'available. Sent with every response to a known key.',
    required: false,
    schema: text,
  },
  'Retry-After': {
    description: 'The number of seconds to wait before sending the same request again.',
    required: false,
    schema: seconds,
  },
  'Idempotency-Replayed': {
    description:
      'Present if this is the stored response to an earlier request with the same `Idempotency-Key`; ' +
      'nothing was fetched or billed for this request.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  'Accept-Encoding': {
    description: 'The codings that the `Content-Encoding` of a request may name.',
    required: true,
    schema: text,
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate (with a bearer key), and what is wrong with the key in the request.',
    required: true,
    schema: text,
  },
} as const;

type HeaderName = keyof typeof HEADERS;

type Operation = {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly unknown[];
};

/** Statuses that are answered before the key is checked. */
const BEFORE_THE_KEY = new Set(['401', '413', '414', '415']);
const WITH_RETRY = new Set(['409', '429', '503']);
const UNAUTHORIZED = new Set(['401', '403']);

function takesIdempotencyKey({ parameters = [] }: Operation): boolean {
  return (parameters as readonly { name?: string }[]).some(({ name }) => name === IDEMPOTENCY_KEY);
}

/** Returns references to the headers of an operation's answers with this status. */
export function answerHeaders(operation: Operation, status: string) {
  const needsKey = (operation.security ?? []).length > 0;
  const names: HeaderName[] = ['X-Request-Id'];
  if (needsKey) {
    if (!BEFORE_THE_KEY.has(status)) names.push('RateLimit-Policy', 'RateLimit');
    if (UNAUTHORIZED.has(status)) names.push('WWW-Authenticate');
    if (WITH_RETRY.has(status)) names.push('Retry-After');
    if (status === '415') names.push('Accept-Encoding');
  }
  if (status === '200' && takesIdempotencyKey(operation)) names.push('Idempotency-Replayed');
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
