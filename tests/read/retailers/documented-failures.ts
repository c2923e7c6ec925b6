// Answers with which the official APIs refuse, as their documentation and public clients show them, and the kind of each
// (D79). Tests answer with them; nothing here is taken from the rule under test.

import type { SourceFailureKind } from '../../../src/base/source-state.ts';

export type DocumentedFailure = {
  /** `<slug>.<name>` of the source. */
  readonly source: string;
  readonly endpoint: 'api' | 'token';
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: SourceFailureKind;
};

const CREATORS_401 = [
  'TokenExpired',
  'InvalidToken',
  'InvalidIssuer',
  'MissingClaim',
  'MissingKeyId',
  'UnsupportedClient',
  'InvalidClient',
  'MissingCredential',
];

const HTML =
  '<!doctype html><html><body><h1>Access to this page has been denied</h1></body></html>';

type Answer = readonly [status: number, body: unknown, kind: SourceFailureKind];

const API: Readonly<Record<string, readonly Answer[]>> = {
  'retailer_a.creators': [
    ...CREATORS_401.map((reason) => [401, { reason }, 'credentials_refused'] as const),
    [400, { reason: 'InvalidPartnerTag', message: 'no such tag' }, 'credentials_refused'],
    [400, { reason: 'InvalidAssociate' }, 'credentials_refused'],
    [403, { reason: 'AssociateNotEligible', message: 'too few sales' }, 'not_eligible'],
    [403, { reason: 'AuthorizationFailed' }, 'credentials_refused'],
    [429, { message: 'Rate exceeded' }, 'throttled'],
    [429, { serviceCode: 'creatorsapi', quotaCode: 'RequestsPerDay' }, 'quota_spent'],
    [429, { serviceCode: 'creatorsapi', quotaCode: 'RequestsPerSecond' }, 'throttled'],
  ],
  'retailer_a.selling_partner': [
    [
      401,
      { errors: [{ code: 'Unauthorized', message: 'Access is denied.' }] },
      'credentials_refused',
    ],
    [
      403,
      {
        errors: [
          {
            code: 'Unauthorized',
            message: 'Access to requested resource is denied.',
            details: 'The access token you provided is revoked, malformed or invalid.',
          },
        ],
      },
      'credentials_refused',
    ],
    [
      403,
      {
        errors: [
          { code: 'Unauthorized', message: 'Access to requested resource is denied.', details: '' },
        ],
      },
      'not_eligible',
    ],
    [
      429,
      {
        errors: [
          { code: 'QuotaExceeded', message: 'You exceeded your quota for the requested resource.' },
        ],
      },
      'throttled',
    ],
  ],
  'retailer_w.affiliate': [
    [
      401,
      { errors: [{ code: 401, message: 'There is no Public Key for consumer Id' }] },
      'credentials_refused',
    ],
    [403, { errors: [{ code: 403, message: 'Invalid signature' }] }, 'credentials_refused'],
    [429, { errors: [{ code: 429, message: 'Daily quota exceeded' }] }, 'quota_spent'],
    [429, { errors: [{ code: 429, message: 'Too many requests' }] }, 'throttled'],
  ],
  'retailer_w.marketplace': [
    [
      401,
      { error: [{ code: 'UNAUTHORIZED.GMP_GATEWAY_API', description: 'Unauthorized' }] },
      'credentials_refused',
    ],
    [403, { error: [{ code: 'FORBIDDEN', description: 'Forbidden' }] }, 'not_eligible'],
    [429, { error: [{ code: 'REQUEST_THRESHOLD_VIOLATED.GMP_GATEWAY_API' }] }, 'throttled'],
  ],
  'retailer_e.browse': [
    [
      401,
      { errors: [{ errorId: 1001, domain: 'OAuth', message: 'Invalid access token' }] },
      'credentials_refused',
    ],
    [
      403,
      { errors: [{ errorId: 1100, domain: 'ACCESS', message: 'Access denied' }] },
      'not_eligible',
    ],
    [
      429,
      { errors: [{ errorId: 2001, domain: 'ACCESS', message: 'Too many requests.' }] },
      'quota_spent',
    ],
  ],
  'retailer_b.products': [
    [
      403,
      { errorCode: '403', errorMessage: 'We were unable to locate your API Key.' },
      'credentials_refused',
    ],
    [403, '<h1>Developer Inactive</h1>', 'credentials_refused'],
    [403, '<h1>Developer Over Qps</h1>', 'throttled'],
    [403, '<h1>Developer Over Rate</h1>', 'quota_spent'],
    [
      403,
      {
        errorCode: '403',
        errorMessage: 'The provided API Key has reached the per second limit allotted to it.',
      },
      'throttled',
    ],
    [
      403,
      {
        errorCode: '403',
        errorMessage: 'The provided API Key has reached the daily limit allotted to it.',
      },
      'quota_spent',
    ],
    [
      200,
      '<?xml version="1.0" encoding="UTF-8"?><products currentPage="1" total="0"></products>',
      'unreadable',
    ],
  ],
};

const TOKEN_SOURCES = [
  'retailer_a.creators',
  'retailer_a.selling_partner',
  'retailer_w.marketplace',
  'retailer_e.browse',
];

const TOKEN: readonly Answer[] = [
  [
    400,
    { error: 'invalid_client', error_description: 'client authentication failed' },
    'credentials_refused',
  ],
  [400, { error: 'invalid_grant' }, 'credentials_refused'],
  [400, 'Bad Request', 'credentials_refused'],
  [401, { error: 'invalid_client' }, 'credentials_refused'],
  [429, { error: 'slow_down' }, 'throttled'],
  [503, 'Service Unavailable', 'unreachable'],
  [200, HTML, 'unreadable'],
  [200, { token_type: 'bearer' }, 'unreadable'],
];

/** Failures that every API has. */
const ANY: readonly Answer[] = [
  [500, { message: 'Internal error' }, 'unreachable'],
  [503, HTML, 'unreachable'],
  [403, HTML, 'unreadable'],
  [200, HTML, 'unreadable'],
];

function failure(
  source: string,
  endpoint: DocumentedFailure['endpoint'],
  [status, body, kind]: Answer,
): DocumentedFailure {
  if (typeof body !== 'string') {
    return { source, endpoint, status, body: JSON.stringify(body), kind };
  }
  const type = body.startsWith('<?xml')
    ? 'text/xml'
    : body.startsWith('<')
      ? 'text/html'
      : 'text/plain';
  return { source, endpoint, status, body, type, kind };
}

export const DOCUMENTED_FAILURES: readonly DocumentedFailure[] = [
  ...Object.entries(API).flatMap(([source, answers]) =>
    [...answers, ...ANY].map((answer) => failure(source, 'api', answer)),
  ),
  ...TOKEN_SOURCES.flatMap((source) => TOKEN.map((answer) => failure(source, 'token', answer))),
];
