// Things that are made for another thing: "Ear pads for Arden QX700" shares every rare word with the headphones
// and is none. Not part of `compare`: as a veto it costs the labelled pairs two points of recall, because titles of
// products say "for" too; among the hits of a search, where accessories stand between the products, it is worth it.

import { plainText, squeezed } from './words.ts';

/** Behind these words of several languages stands what a thing is made for. */
const FOR =
  /\b(?:for|fits|compatible with|replaces|suitable for|works with|f(?:ü|u|ue)r|pour|para|per)\b(?: (?:the|your|use with))?/u;

/** Shorter names stand in other words by chance. */
const LEAST_NAME = 4;

export type NamedProduct = {
  readonly title: string | null;
  readonly brand: string | null;
  /** Model or part number. */
  readonly model: string | null;
};

/**
 * Whether the first is made for the second: brand or model number of the second stand right behind the first one's
 * "for" and nowhere before, and the second's own title has no such word.
 */
export function isMadeFor(accessory: NamedProduct, product: NamedProduct): boolean {
  const plain = plainText(accessory.title ?? '');
  const found = FOR.exec(plain);
  if (found === null || FOR.test(plainText(product.title ?? ''))) return false;
  const what = squeezed(plain.slice(0, found.index));
  const whom = squeezed(plain.slice(found.index + found[0].length));
  const names = [product.brand, product.model]
    .map((name) => squeezed(plainText(name ?? '')))
    .filter((name) => name.length >= LEAST_NAME);
  return names.some((name) => whom.startsWith(name)) && !names.some((name) => what.includes(name));
}
