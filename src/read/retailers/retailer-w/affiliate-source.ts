// Requests to retailer_w's affiliate product API (official): addresses and signed headers.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import type { Access, RetailerQuestion, Source } from '../adapter.ts';
import { affiliateOperation } from './affiliate-operations.ts';
import { AFFILIATE_BASE, retailerWAddressBook } from './address-book.ts';
import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/**
 * Returns the address of an item, its reviews, or a barcode lookup: 12 digits as UPC, others as GTIN of 14; null for other
 * questions.
 */
function addressOf(question: RetailerQuestion): string | null {
  if (question.kind === 'product') {
    const { identifier } = question;
    if (retailerWAddressBook.productUrl(identifier) === null) return null;
    return `${AFFILIATE_BASE}/items/${identifier.value}?format=json`;
  }
  if (question.kind === 'reviews') {
    const { identifier, page } = question;
    if (retailerWAddressBook.productUrl(identifier) === null || page < 1) return null;
    return `${AFFILIATE_BASE}/reviews/${identifier.value}?page=${page}&format=json`;
  }
  if (question.kind !== 'barcode') return null;
  const { upc } = wireForms(question.gtin);
  const query = upc === null ? `gtin=${question.gtin}` : `upc=${upc}`;
  return `${AFFILIATE_BASE}/items?${query}&format=json`;
}

/** Returns the signed headers; null when the operator's key is not an RSA private key. */
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
    readPrivateKey(key) === null ? 'the private key is not an RSA key in PEM or base64' : null,
  // The API has most but not all of the catalog; the pages may have the rest.
  isAuthoritative: false,
  takes: ['product', 'barcode', 'reviews'],
  readerOf: (kind) => (kind === 'reviews' ? 'api:affiliate_reviews' : 'api:affiliate_item'),
  request,
  operationOf: affiliateOperation,
};

/** Returns the text to sign: each part followed by a line feed. */
function canonicalText(consumerId: string, timestampMs: number, keyVersion: string): string {
  return `${consumerId}\n${timestampMs}\n${keyVersion}\n`;
}

/**
 * Parses an RSA private key from a setting: PEM with line feeds or literal `\n`, or the base64 of PKCS#8. Null when it is
 * not such a key.
 */
function readPrivateKey(text: string): KeyObject | null {
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

/** Returns the RSA-SHA256 signature (PKCS#1 v1.5) of a text in base64. */
function signatureOf(text: string, key: KeyObject): string {
  return sign('sha256', new TextEncoder().encode(text), key).toString('base64');
}
