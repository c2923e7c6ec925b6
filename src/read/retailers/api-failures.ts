// A table of the documented failures of official APIs and their kinds (D79). Marks are the words by which an API states the
// reason; nothing else of its text is repeated, because some APIs quote the credentials that they reject.

import type { SourceFailureKind } from '../../base/source-state.ts';
import type { Page } from '../../base/listing/page.ts';
import { decodeJson } from '../page-data/decode-bytes.ts';

/** The target of a request to an official source: its API, or the endpoint that issues its access tokens. */
export type ApiEndpoint = 'api' | 'token';

type ApiFailure = {
  readonly kind: SourceFailureKind;
  /** The status, and the mark by which the kind was recognized: `403 AssociateNotEligible`. */
  readonly reason: string;
  /** The rest that the documentation implies; absent if it does not. */
  readonly restSeconds?: number;
};

type FailureRow = {
  readonly kind: SourceFailureKind;
  /** All statuses of a class as `5xx`. */
  readonly statuses: readonly string[];
  /** Sources as `<slug>.<name>`; every source if absent. */
  readonly sources?: readonly string[];
  /** Both endpoints if absent. */
  readonly endpoint?: ApiEndpoint;
  /** Found in the first characters of the body. */
  readonly mark?: RegExp;
  /** Only for a body that is neither empty nor JSON. */
  readonly isNotJson?: true;
  readonly restSeconds?: number;
};

const CREATORS = ['retailer_a.creators'];
const SELLING_PARTNER = ['retailer_a.selling_partner'];
const WALMART = ['retailer_w.affiliate', 'retailer_w.marketplace'];
const BROWSE = ['retailer_e.browse'];
const BEST_BUY = ['retailer_b.products', 'retailer_b.open_box'];

/** In this order; the first row that fits decides. An answer that fits none is the reader's to judge. */
const API_FAILURES: readonly FailureRow[] = [
  { statuses: ['408', '5xx'], kind: 'unreachable' },

  // A wrong key and both limits are a 403 of this API, in XML where a request does not ask for JSON.
  {
    sources: BEST_BUY,
    statuses: ['403', '429'],
    mark: /over qps|per second limit|queries per second/i,
    kind: 'throttled',
    restSeconds: 1,
  },
  {
    sources: BEST_BUY,
    statuses: ['403', '429'],
    mark: /over (?:rate|quota)|daily|per day|rate limit|exceeded/i,
    kind: 'quota_spent',
  },

  {
    sources: BEST_BUY,
    statuses: ['403'],
    mark: /inactive|api key|not authorized/i,
    kind: 'credentials_refused',
  },

  // A token bucket that is empty is "QuotaExceeded" in the Selling Partner API.
  { sources: SELLING_PARTNER, statuses: ['429'], kind: 'throttled' },
  {
    sources: CREATORS,
    endpoint: 'api',
    statuses: ['429'],
    mark: /"quotaCode"\s*:\s*"[^"]*(?:second|tps|rate)/i,
    kind: 'throttled',
  },
  {
    sources: CREATORS,
    endpoint: 'api',
    statuses: ['429'],
    mark: /"quotaCode"\s*:\s*"[^"]/,
    kind: 'quota_spent',
  },
  {
    sources: WALMART,
    endpoint: 'api',
    statuses: ['403', '429'],
    mark: /quota|daily|per day/i,
    kind: 'quota_spent',
  },
  // Browse has a limit of calls a day, and answers 429 beyond it.
  { sources: BROWSE, endpoint: 'api', statuses: ['429'], kind: 'quota_spent' },
  { statuses: ['429'], kind: 'throttled' },

  {
    endpoint: 'api',
    statuses: ['401'],
    mark: /TokenExpired|InvalidToken|InvalidIssuer|MissingClaim|MissingKeyId|UnsupportedClient|InvalidClient|MissingCredential|UNAUTHORIZED/,
    kind: 'credentials_refused',
  },
  { statuses: ['401'], kind: 'credentials_refused' },
  // Some token endpoints answer an unknown client with a bare "Bad Request".
  {
    endpoint: 'token',
    statuses: ['400'],
    mark: /invalid_client|invalid_grant|invalid_scope|unauthorized_client/,
    kind: 'credentials_refused',
  },
  { endpoint: 'token', statuses: ['400'], kind: 'credentials_refused' },

  // A proxy or a gateway answers in HTML, and some APIs in XML.
  { statuses: ['2xx', '3xx', '4xx'], isNotJson: true, kind: 'unreadable' },

  {
    sources: CREATORS,
    endpoint: 'api',
    statuses: ['400'],
    mark: /InvalidPartnerTag|InvalidAssociate/,
    kind: 'credentials_refused',
  },
  {
    sources: CREATORS,
    endpoint: 'api',
    statuses: ['403'],
    mark: /AssociateNotEligible/,
    kind: 'not_eligible',
  },
  // The message of an expired or a malformed token is in `details`; without it, a role is missing.
  {
    sources: SELLING_PARTNER,
    endpoint: 'api',
    statuses: ['403'],
    mark: /"details"\s*:\s*"[^"]*\btoken\b/i,
    kind: 'credentials_refused',
  },
  {
    sources: [...SELLING_PARTNER, 'retailer_w.marketplace', ...BROWSE],
    endpoint: 'api',
    statuses: ['403'],
    kind: 'not_eligible',
  },
  { statuses: ['403'], kind: 'credentials_refused' },

  { endpoint: 'token', statuses: ['2xx', '3xx', '4xx'], kind: 'unreadable' },
];

/** Marks are at the start of an error's body. */
const HEAD_BYTES = 4_000;

type ApiAnswer = Pick<Page, 'status' | 'headers' | 'body'>;

/** Returns the failure that an answer of an official API documents; null if the answer has to be read. */
export function apiFailure(
  source: string,
  endpoint: ApiEndpoint,
  { status, headers, body }: ApiAnswer,
): ApiFailure | null {
  const head = decodeJson(body.subarray(0, HEAD_BYTES), headers['content-type']).trim();
  const fitting = API_FAILURES.find(
    (row) =>
      row.statuses.some(
        (each) => each === `${status}` || each === `${Math.floor(status / 100)}xx`,
      ) &&
      row.sources?.includes(source) !== false &&
      (row.endpoint ?? endpoint) === endpoint &&
      row.mark?.test(head) !== false &&
      (row.isNotJson !== true || (head !== '' && !/^[{[]/.test(head))),
  );
  if (fitting === undefined) return null;
  const word = /[a-z][\w ]*/i.exec(fitting.mark?.exec(head)?.[0] ?? '')?.[0];
  const { kind, restSeconds } = fitting;
  const reason = word === undefined ? `${status}` : `${status} ${word}`;
  return restSeconds === undefined ? { kind, reason } : { kind, reason, restSeconds };
}
