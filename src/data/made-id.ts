// Makes ids for objects that callers create: a prefix and 22 characters of a digest, so that the same name yields the same
// id.

import { hash } from 'node:crypto';

type IdPrefix = 'wat' | 'chn' | 'dlv' | 'ntc' | 'rul' | 'ses';

/** The same name always gives the same id. */
export function madeId(prefix: IdPrefix, name: string): string {
  return `${prefix}_${shortDigest(name)}`;
}

/** Returns 132 bits of a digest in 22 characters: a row key for a name of any length. */
export function shortDigest(name: string): string {
  return digestOf(name).slice(0, 22);
}

/** Returns a digest of 43 characters: a key for a name of any length. */
export function digestOf(name: string): string {
  return hash('sha256', name, 'base64url');
}

/**
 * Whether the text can be such an id. Any other text identifies nothing, and may contain characters that a database
 * rejects.
 */
export function isMadeId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[\w-]{22}$/.test(text.slice(prefix.length + 1));
}
