// Makes the ids of what callers create: a prefix and 22 characters of a digest, so that the same name makes the same id.

import { hash } from 'node:crypto';

type IdPrefix = 'wat' | 'chn' | 'dlv' | 'ntc';

/** The same name always gives the same id. */
export function madeId(prefix: IdPrefix, name: string): string {
  return `${prefix}_${shortDigest(name)}`;
}

/** 132 bits of a digest in 22 characters: a name of any length as the key of a row. */
export function shortDigest(name: string): string {
  return digestOf(name).slice(0, 22);
}

/** A digest of 43 characters: a name of any length as a key. */
export function digestOf(name: string): string {
  return hash('sha256', name, 'base64url');
}

/**
 * Whether the text may be such an id. Any other text names nothing, and may hold characters that a database cannot be asked
 * for.
 */
export function isMadeId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[\w-]{22}$/.test(text.slice(prefix.length + 1));
}
