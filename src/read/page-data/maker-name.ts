// Decides whether a text is a maker name. For products without a maker, shops state in the field that there is none, or leave
// their system's default. Some write the address of a brand page. Texts that are also a real maker's name ("4711", "all", "No
// Name") are accepted.

import { compile } from '../../base/listing/words/all-languages.ts';

/** Texts stating that there is no maker, and addresses. They only match as the whole text. */
const NO_MAKER = compile(
  'noMaker',
  (words) => `^(?:[\\p{P}\\p{S}\\s]+|${words}|https?:.*|\\/\\/.*|www\\..*)$`,
);

/** Whether a text may be a maker name: it is not an address and does not state that there is none. */
export function isMakerName(text: string): boolean {
  return !NO_MAKER.test(text.trim());
}
