// Checks a request as retailer_w's affiliate API does: an RSA signature over three header values.

import { generateKeyPairSync, verify } from 'node:crypto';

/** The caller makes the key pair and gives the sandbox its public half (PEM). */
export type SignedCaller = {
  readonly consumerId: string;
  readonly keyVersion: string;
  readonly publicKey: string;
};

/** Verifies RSA-SHA256 (PKCS#1 v1.5) over each value followed by a line feed, base64. */
export function isSigned(caller: SignedCaller, timestamp: string, signature: string): boolean {
  const text = `${caller.consumerId}\n${timestamp}\n${caller.keyVersion}\n`;
  return verify('sha256', Buffer.from(text), caller.publicKey, Buffer.from(signature, 'base64'));
}

/** Makes a caller of the affiliate API. `privateKey` is PKCS#8 as base64. */
export function newSignedCaller(
  consumerId: string,
  keyVersion: string,
): {
  readonly caller: SignedCaller;
  readonly privateKey: string;
} {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    caller: {
      consumerId,
      keyVersion,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    },
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
}
