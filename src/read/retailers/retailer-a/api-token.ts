// Access tokens for retailer_a's official APIs. The token services use the same fields and
// answer format.

import type { PageRequest } from '../../../base/listing/page.ts';
import { numberAt, textAt } from '../../page-data/json/json-path.ts';
import type { TokenExchange } from '../adapter.ts';
import { jsonBody } from '../json-body.ts';

type TokenFields = Readonly<Record<string, string>>;

/** Builds the token request as a form. */
export function tokenForm(url: string, fields: TokenFields): PageRequest {
  return post(url, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());
}

/** Builds the token request as JSON. */
export function tokenJson(url: string, fields: TokenFields): PageRequest {
  return post(url, 'application/json', JSON.stringify(fields));
}

function post(url: string, contentType: string, body: string): PageRequest {
  const headers = { accept: 'application/json', 'content-type': contentType };
  return { url, accept: 'json', method: 'POST', headers, body, isOfficial: true };
}

/** A token without a stated lifetime is valid for an hour. */
export const readToken: TokenExchange['read'] = (page) => {
  if (page.status !== 200) return null;
  const root = jsonBody(page);
  const token = textAt(root, 'access_token');
  const seconds = numberAt(root, 'expires_in');
  if (token === null || token.length > 20_000 || /[^\x21-\x7e]/.test(token)) return null;
  return { token, expiresInSeconds: seconds !== null && seconds > 0 ? seconds : 3600 };
};
