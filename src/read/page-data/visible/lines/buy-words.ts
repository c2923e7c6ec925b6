// Labels of the page's buy button, in the languages of shops. A label consists of exactly these words: running text
// contains them too.

import { compile, wholeText } from '../../../../base/listing/words/all-languages.ts';

const WHOLE = compile('buy', wholeText);
/** Text around the words on a button: an amount, an icon, a mark. */
const TRIMMED = /^[\s\p{P}\p{S}\d]+|[\s\p{P}\p{S}\d]+$/gu;
/** A price on the button: "Add to cart · $29.99", "Buy for 12 EUR". */
const AMOUNT =
  /\s*(?:[-–—·|:]|for|für)?\s*(?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,\s]*\s?(?:\p{Sc}|[A-Z]{3})?$/u;

/**
 * Whitespace other than single spaces. Most labels have none: normalizing each one took longer than comparing the words.
 */
const BLANKS = /\s\s|[^\S ]/;

/** Whether a label is that of a buy button. */
export function isBuyLabel(label: string): boolean {
  if (label.length > 80) return false;
  const words = /\d/.test(label) ? label.replace(AMOUNT, '') : label;
  const isTrim = /^[a-z](?:.*[a-z])?$/is.test(words);
  const trimmed = isTrim ? words : words.replaceAll(TRIMMED, '');
  const bare = BLANKS.test(trimmed) ? trimmed.replaceAll(/\s+/g, ' ') : trimmed;
  return bare !== '' && WHOLE.test(bare);
}

/** A button label that in a link leads to everything for sale: "Buy", next to "Rent". */
const BARE_LABEL = /^buy$/i;

/** Whether the label of a button that is not a link to another page is a buy label. */
export function isBuyButtonLabel(label: string): boolean {
  return isBuyLabel(label) || BARE_LABEL.test(label.trim());
}

/** Classes and ids of buy buttons. */
const BUY_CLASS =
  /(?:^|[\s_-])(?:add-?_?(?:to-?_?)?(?:cart|bag|basket)|buy-?now|btn-?buy|buy-?(?:btn|button)|single_add_to_cart_button|product-form__submit)(?:$|[\s_-])/i;

/** A part that each of them contains; few other names do. */
const BUY_PART = /add|buy|submit/i;

/** Whether the class or id of an element marks it as a buy button. */
export function isBuyClass(words: string): boolean {
  return BUY_PART.test(words) && BUY_CLASS.test(words);
}
