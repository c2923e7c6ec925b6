// The files in which an installation publishes its identity: the key directory, signed with its own key, and the card of
// its agent (draft-ietf-webbotauth-httpsig-protocol, draft-meunier-webbotauth-registry). Pure.

import { createHash } from 'node:crypto';

import { DAY_MS, SECOND_MS } from '../../base/clock.ts';
import { signMessage, type SigningKey } from './message-signature.ts';

const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
const CARD_PATH = '/bot';

/** A file to be served: its path, its text, and the headers that it needs. */
export type PublishedFile = {
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};

type Publishing = {
  readonly key: SigningKey;
  /** The origin at which both are served. */
  readonly origin: string;
  readonly nowMs: number;
  /** How long the signature of the directory is valid. */
  readonly days: number;
};

const CACHED_A_DAY = 'public, max-age=86400';

export function keyDirectory({ key, origin, nowMs, days }: Publishing): PublishedFile {
  const { x, thumbprint: kid } = key;
  const text = JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig' }] });
  const digest = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
  const created = Math.floor(nowMs / SECOND_MS);
  const signature = signMessage(key, {
    label: 'binding',
    covered: [
      ['"@authority";req', new URL(origin).host],
      ['"content-digest"', digest],
    ],
    parameters: [
      ['created', created],
      ['expires', created + (days * DAY_MS) / SECOND_MS],
      ['keyid', kid],
      ['tag', 'http-message-signatures-directory'],
    ],
  });
  const headers = {
    'content-type': 'application/http-message-signatures-directory+json',
    'cache-control': CACHED_A_DAY,
    'content-digest': digest,
    ...signature,
  };
  return { path: DIRECTORY_PATH, text, headers };
}

type Agent = {
  readonly origin: string;
  readonly userAgent: string;
  /** The contact address of the operator for shops; null if it is not set. */
  readonly contact: string | null;
};

export function agentCard({ origin, userAgent, contact }: Agent): PublishedFile {
  const card = {
    client_id: `${origin}${CARD_PATH}`,
    client_name: `openshelf at ${new URL(origin).host}`,
    client_uri: origin,
    ...(contact === null ? {} : { contacts: [contact] }),
    jwks_uri: `${origin}${DIRECTORY_PATH}`,
    web_bot_auth: {
      'expected-user-agent': userAgent,
      'rfc9309-product-token': 'openshelf',
      'rfc9309-compliance': ['User-Agent', 'Allow', 'Disallow', 'Content-Usage'],
      trigger: 'fetcher',
      purpose: 'search',
      'rate-control': '429',
    },
  };
  const headers = { 'content-type': 'application/json', 'cache-control': CACHED_A_DAY };
  return { path: CARD_PATH, text: JSON.stringify(card), headers };
}
