// The headers of the service in the OpenAPI document: what each means, and which answers carry it (D15, D20,
// D21, D55).

const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1 } as const;

/** `X-Request-Id` of a request. */
export const REQUEST_ID_PARAMETER = {
  name: 'X-Request-Id',
  in: 'header' as const,
  required: false,
  description:
    'Names the call in your logs and in ours: it comes back in the answer. 1 to 128 of A-Z, a-z, 0-9 and ' +
    '._~:+/=-; anything else is replaced.',
  schema: text,
};

export const HEADERS = {
  'X-Request-Id': {
    description:
      'Id of the call: the one that was sent, else one that we made. Quote it in a report.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'The limits of the organization, by name: `q` is how much, `w` the window in seconds. `throttle` ' +
      'counts calls, `force-refresh` forced fetches, `quota` tokens of the month. On every answer to a ' +
      'known key.',
    required: false,
    schema: text,
  },
  RateLimit: {
    description:
      'Where the organization stands with each limit: `r` is what is left, `t` the seconds until there is ' +
      'more. On every answer to a known key.',
    required: false,
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds after which the same call is worth another try.',
    required: false,
    schema: seconds,
  },
  'Idempotency-Replayed': {
    description:
      'Only when this is the kept answer of an earlier call with the same `Idempotency-Key`: nothing was ' +
      'fetched or billed now.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate: a bearer key, and what was wrong with the one that was sent.',
    required: true,
    schema: text,
  },
} as const;

type HeaderName = keyof typeof HEADERS;

type Operation = {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly unknown[];
};

/** Answers that are given before the key is looked at. */
const BEFORE_THE_KEY = new Set(['401', '413', '414']);
const WITH_RETRY = new Set(['409', '429', '503']);
const UNAUTHORIZED = new Set(['401', '403']);

function takesIdempotencyKey({ parameters = [] }: Operation): boolean {
  return (parameters as readonly { name?: string }[]).some(
    ({ name }) => name === 'Idempotency-Key',
  );
}

/** The headers of an operation's answers with this status, as references. */
export function answerHeaders(operation: Operation, status: string) {
  const needsKey = (operation.security ?? []).length > 0;
  const names: HeaderName[] = ['X-Request-Id'];
  if (needsKey) {
    if (!BEFORE_THE_KEY.has(status)) names.push('RateLimit-Policy', 'RateLimit');
    if (UNAUTHORIZED.has(status)) names.push('WWW-Authenticate');
    if (WITH_RETRY.has(status)) names.push('Retry-After');
  }
  if (status === '200' && takesIdempotencyKey(operation)) names.push('Idempotency-Replayed');
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}
