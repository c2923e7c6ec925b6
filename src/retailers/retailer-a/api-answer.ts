// What the official APIs of retailer_a share: tokens, JSON bodies, and refusals as verdicts with the reason that the
// API gives. Credentials never reach a verdict.

import type { Page, PageRequest, PageVerdict } from '../../listing/page.ts';
import { numberAt, textAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import type { TokenExchange } from '../adapter.ts';
import { readStatus } from '../page-status.ts';
import { jsonBody } from '../json-body.ts';

export type Refusal = Exclude<
  PageVerdict<never>,
  { readonly kind: 'read' } | { readonly kind: 'follow' }
>;

/** Paths at which the two APIs and the token service give the reason of a refusal. */
const REASONS = ['errors.0.code', 'reason', 'type', 'code', 'error', 'message', '__type'];

function reasonIn(root: unknown): string {
  for (const path of REASONS) {
    const reason = lineAt(root, path, 120);
    if (reason !== null) return `: ${reason}`;
  }
  return '';
}

/** The verdict of the status; null when the body has the answer. 429 is retried after the stated time. */
export function refusalOf(page: Page, root: unknown): Refusal | null {
  const { status } = page;
  if (status === 200) {
    return typeof root === 'object' && root !== null && !Array.isArray(root)
      ? null
      : { kind: 'unreadable', why: 'the answer is not a JSON object' };
  }
  const why = `the API answered ${status}${reasonIn(root)}`;
  if (status === 404) return { kind: 'not_found', why };
  const early = readStatus(page);
  const seconds =
    early?.kind === 'blocked' || early?.kind === 'retry' ? early.retryAfterSeconds : undefined;
  return seconds === undefined
    ? { kind: 'retry', why }
    : { kind: 'retry', why, retryAfterSeconds: seconds };
}

/** The request for a token. */
export function tokenForm(url: string, fields: Readonly<Record<string, string>>): PageRequest {
  return {
    url,
    accept: 'json',
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
    isOfficial: true,
  };
}

/** Both token services answer alike; a token without a stated lifetime is valid for an hour. */
export const readToken: TokenExchange['read'] = (page) => {
  if (page.status !== 200) return null;
  const root = jsonBody(page);
  const token = textAt(root, 'access_token');
  const seconds = numberAt(root, 'expires_in');
  if (token === null || token.length > 20_000 || /[^\x21-\x7e]/.test(token)) return null;
  return { token, expiresInSeconds: seconds !== null && seconds > 0 ? seconds : 3600 };
};
