// Encrypts secrets of callers for storage (D71): AES-256-GCM, each text with its own nonce and bound to its owner, so that
// write access to the database is not enough to move a secret to another owner.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns `v1.<start of the key's SHA-256>.<nonce, tag and cipher text>`. `key` has 32 bytes; `about` identifies the owner of
 * the text.
 */
export function sealText(key: Uint8Array, about: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  return `${beginningWith(key)}${bytes.toString('base64url')}`;
}

/** Returns the prefix of every text sealed with the key. */
export function beginningWith(key: Uint8Array): string {
  return `v1.${nameOf(key)}.`;
}

/** Null if the text was sealed with another key, belongs to something else or was changed. */
export function openText(key: Uint8Array, about: string, sealed: string): string | null {
  const [version, name, body = ''] = sealed.split('.');
  if (version !== 'v1' || name !== nameOf(key)) return null;
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(about))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Returns a name for the key that reveals nothing about it. */
function nameOf(key: Uint8Array): string {
  return createHash('sha256').update('openshelf secrets key').update(key).digest('hex').slice(0, 8);
}
