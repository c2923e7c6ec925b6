// Recognizes listings of two brands. Each listing states a brand with which its title begins, and neither has the other's brand
// anywhere. A brand on one side only proves nothing, because a title without it may begin with a kind of goods, in some language.

import type { Prepared } from '../prepared/prepared.ts';

/** Letters of one alphabet: a brand may be written in two. Shorter names are abbreviations ("HP", "WD"). */
const NAME = /^[a-z]{3,}$/;

/** This many letters identify a brand: "Corsair" of "Corsair Memory". */
const BEGINNING = 5;

/** Returns whether two listings are of two brands by what both state. Symmetric. */
export function haveOtherBrands(a: Prepared, b: Prepared): boolean {
  if (a.brand === null || b.brand === null || a.brand === b.brand) return false;
  if (!beginsWithBrand(a.brand, a) || !beginsWithBrand(b.brand, b)) return false;
  return !isNamedIn(a.brand, b) && !isNamedIn(b.brand, a);
}

function beginsWithBrand(brand: string, { squeezed }: Prepared): boolean {
  return NAME.test(brand) && squeezed.startsWith(brand);
}

function isNamedIn(name: string, { squeezed, squeezedDescription, brand }: Prepared): boolean {
  const beginning = name.slice(0, BEGINNING);
  if (squeezed.includes(beginning) || squeezedDescription.includes(beginning)) return true;
  return brand !== null && (brand.includes(beginning) || name.includes(brand.slice(0, BEGINNING)));
}
