// API keys: osk_live_<8 base62: id>_<32 base62: secret><6 base62: CRC-32 of all before>. The checksum rejects typing errors
// and garbage without a database read; the secret is stored only as SHA-256 (190 random bits need no slow hash).

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
export const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^(osk_live_([0-9A-Za-z]{8})_([0-9A-Za-z]{32}))([0-9A-Za-z]{6})$/;

export type ApiKey = { readonly id: string; readonly secret: string };

/**
 * Whether a text can be the id of a key. Any other text identifies no key, and may contain characters that a database
 * rejects.
 */
export const isKeyId = (text: string): boolean => /^[0-9A-Za-z]{8}$/.test(text);

/** Formats a key's text from its parts. */
export function formatApiKey({ id, secret }: ApiKey): string {
  const body = `osk_live_${id}_${secret}`;
  return body + checksumOf(body);
}

/** Parses a key's text. Null for any other text, and if the checksum is wrong. */
export function parseApiKey(text: string): ApiKey | null {
  const match = KEY.exec(text);
  if (match === null) return null;
  const [, body = '', id = '', secret = '', checksum = ''] = match;
  return checksumOf(body) === checksum ? { id, secret } : null;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Returns the SHA-256 of a secret as stored, in lower-case hexadecimal. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** A hash that no key's secret has. Secrets of unknown ids are compared with it, so that the comparison takes the same time. */
const NO_HASH = hashSecret('');

/** Compares in constant time. With `storedSha256` null (unknown id) it takes equally long and returns false. */
export function isSecret(secret: string, storedSha256: string | null): boolean {
  const given = Buffer.from(hashSecret(secret), 'hex');
  const stored = Buffer.from(storedSha256 ?? NO_HASH, 'hex');
  const isEqual = stored.length === given.length && timingSafeEqual(given, stored);
  return isEqual && storedSha256 !== null;
}

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte. Bytes from there on are skipped: they would make some digits more frequent
    // than others.
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

type NewApiKey = {
  readonly id: string;
  /** The key itself: shown once, it cannot be read again. */
  readonly text: string;
  readonly secretSha256: string;
};

/** A new random key. */
export function generateKey(): NewApiKey {
  const id = randomBase62(ID_LENGTH);
  const secret = randomBase62(SECRET_LENGTH);
  return { id, text: formatApiKey({ id, secret }), secretSha256: hashSecret(secret) };
}
