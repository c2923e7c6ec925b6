// Recognizes accessories: "Ear pads for Arden QX700" shares every rare word with the headphones. Not part of `compare`,
// where it would cost two points of recall because product titles also say "for". Search hits include accessories among the
// products, and there it helps.

import { plainText, squeezed } from '../words/words.ts';

/** The words, in several languages, before the name of what an accessory is made for. */
const FOR =
  /\b(?:for|fits|compatible with|replaces|suitable for|works with|f(?:ü|u|ue)r|pour|para|per)\b(?: (?:the|your|use with))?/u;

/** Shorter names occur inside other words by chance. */
const LEAST_NAME = 4;

type NamedProduct = {
  readonly title: string | null;
  readonly brand: string | null;
  /** Model or part number. */
  readonly model: string | null;
};

/**
 * Returns whether `accessory` is made for `product`: its title has "for" followed by the brand or model of the product,
 * neither comes before the "for", and the title of the product has no "for".
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
