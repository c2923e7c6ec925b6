// What the official APIs answer when they refuse or fail: the statuses and bodies of their documentation. An answer that an API
// does not document is missing.

export const API_FAILURES = {
  wrong_key: 'refuses the credentials',
  expired_token: 'refuses every token as expired, or a signature as too old',
  not_eligible: 'accepts the credentials, but not this account',
  throttled: 'answers 429 with Retry-After: 30',
  throttled_silently: 'says that requests come too fast, without Retry-After',
  quota_spent: 'says that the calls of the day are used up',
  broken: 'answers 500',
  unavailable: 'answers 503',
  html: 'answers 200 with an HTML page instead of JSON',
  empty: 'has no product',
  several: 'finds two products by one barcode',
  redirected: 'redirects each question to another host',
  token_redirected: 'redirects each request for a token to another host',
} as const;

export type ApiFailure = keyof typeof API_FAILURES;

/** `token`: the address that issues tokens fails, not the API. */
export type Documented = {
  readonly part?: 'token';
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

const RETRY_AFTER = { 'retry-after': '30' };

/** The error envelope of OAuth (RFC 6749, section 5.2). */
function oauth(error: string, description: string): object {
  return { error, error_description: description };
}

function browse(errorId: number, domain: string, message: string, longMessage: string): object {
  return { errors: [{ errorId, domain, category: 'REQUEST', message, longMessage }] };
}

function sellingPartner(code: string, message: string, details = ''): object {
  return { errors: [{ code, message, details }] };
}

function marketplace(code: string, description: string): object {
  const field = 'Authorization';
  return { error: [{ code, field, description, severity: 'ERROR', category: 'DATA' }] };
}

function affiliate(code: number, message: string): object {
  return { errors: [{ code, message }] };
}

const BUSY = browse(
  2001,
  'ACCESS',
  'Too many requests.',
  'The request limit has been reached for the resource.',
);
const OVER_QUOTA = sellingPartner(
  'QuotaExceeded',
  'You exceeded your quota for the requested resource.',
);
const DENIED = 'Access to requested resource is denied.';
const TOO_FAST = marketplace('REQUEST_THRESHOLD_VIOLATED.GMP_GATEWAY_API', 'Too many requests');
const THROTTLED = { type: 'ThrottleException', serviceCode: 'creatorsapi' };
const A_SECOND = { ...THROTTLED, quotaCode: 'RequestsPerSecond' };

/** retailer_e's Browse API has one answer for all its limits; the Selling Partner API has limits per second only. */
export const DOCUMENTED = {
  affiliate: {
    expired_token: {
      status: 401,
      body: affiliate(4002, 'The time stamp of the request is not current'),
    },
    throttled: { status: 429, body: affiliate(429, 'Too many requests'), headers: RETRY_AFTER },
    throttled_silently: { status: 429, body: affiliate(429, 'Too many requests') },
    broken: { status: 500, body: affiliate(5000, 'Internal error') },
  },
  marketplace: {
    wrong_key: {
      part: 'token',
      status: 401,
      body: marketplace('UNAUTHORIZED.GMP_GATEWAY_API', 'Unauthorized'),
    },
    expired_token: {
      status: 401,
      body: marketplace('UNAUTHORIZED.GMP_GATEWAY_API', 'Access token is invalid or expired'),
    },
    throttled: { status: 429, body: TOO_FAST, headers: RETRY_AFTER },
    throttled_silently: {
      status: 429,
      body: TOO_FAST,
      headers: { 'x-current-token-count': '0' },
    },
    broken: { status: 500, body: marketplace('SYSTEM_ERROR.GMP_ITEM_QUERY_API', 'System error') },
  },
  creators: {
    wrong_key: {
      part: 'token',
      status: 401,
      body: oauth('invalid_client', 'Client authentication failed'),
    },
    expired_token: {
      status: 401,
      body: {
        type: 'UnauthorizedException',
        reason: 'TokenExpired',
        message: 'The token has expired.',
      },
    },
    not_eligible: {
      status: 403,
      body: {
        type: 'AccessDeniedException',
        reason: 'AssociateNotEligible',
        message: 'Your account does not meet the requirements of the Creators API.',
      },
    },
    throttled: { status: 429, body: A_SECOND, headers: RETRY_AFTER },
    throttled_silently: { status: 429, body: A_SECOND },
    quota_spent: { status: 429, body: { ...THROTTLED, quotaCode: 'RequestsPerDay' } },
    broken: {
      status: 500,
      body: { type: 'InternalServerException', message: 'The server encountered an error.' },
    },
  },
  selling_partner: {
    wrong_key: {
      part: 'token',
      status: 401,
      body: oauth('invalid_client', 'Client authentication failed'),
    },
    expired_token: {
      status: 403,
      body: sellingPartner('Unauthorized', DENIED, 'The access token you provided has expired.'),
    },
    not_eligible: { status: 403, body: sellingPartner('Unauthorized', DENIED) },
    throttled: { status: 429, body: OVER_QUOTA, headers: RETRY_AFTER },
    throttled_silently: {
      status: 429,
      body: OVER_QUOTA,
      headers: { 'x-amzn-ratelimit-limit': '2.0' },
    },
    broken: {
      status: 500,
      body: sellingPartner('InternalFailure', 'We encountered an internal error. Try again.'),
    },
    unavailable: {
      status: 503,
      body: sellingPartner('ServiceUnavailable', 'The service is temporarily unavailable.'),
    },
  },
  browse: {
    wrong_key: {
      part: 'token',
      status: 401,
      body: oauth('invalid_client', 'client authentication failed'),
    },
    expired_token: {
      status: 401,
      body: browse(1001, 'OAuth', 'Invalid access token', 'Invalid access token. Check its value.'),
    },
    not_eligible: {
      status: 403,
      body: browse(
        1100,
        'ACCESS',
        'Access denied',
        'Insufficient permissions to fulfill the request.',
      ),
    },
    throttled: { status: 429, body: BUSY, headers: RETRY_AFTER },
    quota_spent: { status: 429, body: BUSY },
    broken: {
      status: 500,
      body: browse(12_000, 'API_BROWSE', 'Internal error', 'There was a problem with an eBay API.'),
    },
  },
  products: {
    wrong_key: {
      status: 403,
      body: { errorCode: '403', errorMessage: 'The provided API Key is invalid or missing' },
    },
    throttled: {
      status: 429,
      body: { errorCode: '429', errorMessage: 'Too many requests' },
      headers: RETRY_AFTER,
    },
    throttled_silently: {
      status: 403,
      body: {
        errorCode: '403',
        errorMessage: 'The provided API Key has reached the per second limit allotted to it.',
      },
    },
    quota_spent: {
      status: 403,
      body: {
        errorCode: '403',
        errorMessage: 'The provided API Key has reached the daily limit allotted to it.',
      },
    },
    broken: { status: 500, body: { errorCode: '500', errorMessage: 'Internal server error' } },
  },
} as const satisfies Readonly<Record<string, Partial<Record<ApiFailure, Documented>>>>;

/** Named like the sources of the service that query them. */
export type OfficialApi = keyof typeof DOCUMENTED;
