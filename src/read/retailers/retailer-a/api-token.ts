// Access tokens for retailer_a's official APIs. Both token services use the same request and answer format.

import type { PageRequest } from '../../../base/listing/page.ts';
import { numberAt, textAt } from '../../page-data/json/json-path.ts';
import type { TokenExchange } from '../adapter.ts';
import { jsonBody } from '../json-body.ts';

/** Builds the token request. */
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

/** A token without a stated lifetime is valid for an hour. */
export const readToken: TokenExchange['read'] = (page) => {
  if (page.status !== 200) return null;
  const root = jsonBody(page);
  const token = textAt(root, 'access_token');
  const seconds = numberAt(root, 'expires_in');
  if (token === null || token.length > 20_000 || /[^\x21-\x7e]/.test(token)) return null;
  return { token, expiresInSeconds: seconds !== null && seconds > 0 ? seconds : 3600 };
};
