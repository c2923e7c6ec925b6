// Asking retailer_w's affiliate product API (official): addresses, signed headers. Reads no answer.

import { wireForms } from '../../identifiers/gtin.ts';
import type { PageRequest } from '../../listing/page.ts';
import type { Access, RetailerQuestion, Source } from '../adapter.ts';
import { AFFILIATE_BASE, retailerWAddressBook } from './address-book.ts';
import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** `/items/{id}`, or the lookup of a barcode: UPC-12 is the only kind that it takes. */
function addressOf(question: RetailerQuestion): string | null {
  if (question.kind === 'product') {
    const { identifier } = question;
    if (retailerWAddressBook.productUrl(identifier) === null) return null;
    return `${AFFILIATE_BASE}/items/${identifier.value}?format=json`;
  }
  if (question.kind !== 'barcode') return null;
  const { upc } = wireForms(question.gtin);
  return upc === null ? null : `${AFFILIATE_BASE}/items?upc=${upc}&format=json`;
}

/** Null: the operator's key is no RSA private key, so the source cannot be asked. */
function signedHeaders(access: Access): Readonly<Record<string, string>> | null {
  const { CONSUMER_ID = '', KEY_VERSION = '', PRIVATE_KEY = '' } = access.credentials;
  const key = readPrivateKey(PRIVATE_KEY);
  if (key === null) return null;
  return {
    'wm_consumer.id': CONSUMER_ID,
    'wm_consumer.intimestamp': String(access.nowMs),
    'wm_sec.key_version': KEY_VERSION,
    'wm_sec.auth_signature': signatureOf(
      canonicalText(CONSUMER_ID, access.nowMs, KEY_VERSION),
      key,
    ),
    accept: 'application/json',
  };
}

function request(question: RetailerQuestion, access: Access): PageRequest | null {
  const url = addressOf(question);
  const headers = url === null ? null : signedHeaders(access);
  return url === null || headers === null ? null : { url, accept: 'json', headers };
}

export const affiliateSource: Source = {
  name: 'affiliate',
  needs: ['CONSUMER_ID', 'KEY_VERSION', 'PRIVATE_KEY'],
  isOfficial: true,
  credentialProblem: ({ PRIVATE_KEY: key = '' }) =>
    readPrivateKey(key) === null ? 'the private key is no RSA key in PEM or base64' : null,
  // It holds most of the catalog, not all of it: what it lacks the pages may have.
  isAuthoritative: false,
  readerOf: () => 'api:affiliate_item',
  request,
};

/** What is signed: each part followed by a line feed. */
export function canonicalText(consumerId: string, timestampMs: number, keyVersion: string): string {
  return `${consumerId}\n${timestampMs}\n${keyVersion}\n`;
}

/**
 * An RSA private key as operators can put it into one line of a settings file: PEM with line feeds or with
 * `\n` written out, or the bare base64 of PKCS#8. Null when it is no such key.
 */
export function readPrivateKey(text: string): KeyObject | null {
  const unescaped = text.trim().replaceAll('\\n', '\n');
  const body = unescaped.replaceAll(/\s/g, '');
  const pem = unescaped.startsWith('-----BEGIN')
    ? unescaped
    : `-----BEGIN PRIVATE KEY-----\n${body.replaceAll(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
}

/** Base64 of the RSA-SHA256 signature (PKCS#1 v1.5) of a text. */
export function signatureOf(text: string, key: KeyObject): string {
  return sign('sha256', new TextEncoder().encode(text), key).toString('base64');
}
