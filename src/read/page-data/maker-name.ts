// Decides whether a text names a maker. For a product without a maker, shops write into the field that there is none, or leave
// what their system was delivered with. Some write the address of a page of the brand. Texts that are also the name of a real
// maker ("4711", "all", "No Name") stay.

import { compile } from '../../base/listing/words/all-languages.ts';

/** Texts that say that there is no maker, and addresses. They match only as the whole text. */
const NO_MAKER = compile(
  'noMaker',
  (words) => `^(?:[\\p{P}\\p{S}\\s]+|${words}|https?:.*|\\/\\/.*|www\\..*)$`,
);

/** Whether a text may be the name of a maker: it is not an address and does not say that there is none. */
export function isMakerName(text: string): boolean {
  return !NO_MAKER.test(text.trim());
}
