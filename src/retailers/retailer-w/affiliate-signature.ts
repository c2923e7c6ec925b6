// The signature of retailer_w's affiliate API: RSA-SHA256 over consumer id, time and key version (reference
// 1.1). The only file of the readers that signs; the key is handed in and kept nowhere.

import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

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
