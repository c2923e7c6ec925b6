// HTTP message signatures (RFC 9421) with an Ed25519 key. Pure: its callers decide who signs which request, and when.

import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** An Ed25519 key pair. */
export type SigningKey = {
  readonly privateKey: KeyObject;
  /** The public key as base64url (RFC 8037). */
  readonly x: string;
  /** The SHA-256 thumbprint of the public key (RFC 7638), which serves as its id. */
  readonly thumbprint: string;
};

/** The bytes before the 32 of the seed in a PKCS #8 private key (RFC 8410). */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the key pair of a seed of 32 bytes. */
export function signingKeyOf(seed: Uint8Array): SigningKey {
  const der = Buffer.concat([PKCS8_START, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const thumbprint = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { privateKey, x, thumbprint };
}

type SignedParts = {
  readonly label: string;
  /** The covered components in order: each identifier as it is written in the header, and its value. */
  readonly covered: readonly (readonly [identifier: string, value: string])[];
  /** The parameters in order: numbers are written as such, texts in quotation marks. */
  readonly parameters: readonly (readonly [name: string, value: string | number])[];
};

/** Returns the two headers of a signature. */
export function signMessage(
  { privateKey }: Pick<SigningKey, 'privateKey'>,
  { label, covered, parameters }: SignedParts,
): { readonly 'signature-input': string; readonly signature: string } {
  const names = covered.map(([identifier]) => identifier).join(' ');
  const stated = parameters.map(
    ([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`,
  );
  const input = `(${names})${stated.join('')}`;
  const lines = [...covered, ['"@signature-params"', input]].map(
    ([identifier, value]) => `${identifier}: ${value}`,
  );
  const signature = sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64');
  return { 'signature-input': `${label}=${input}`, signature: `${label}=:${signature}:` };
}
