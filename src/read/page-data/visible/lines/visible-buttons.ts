// Finds the buy buttons around a page's heading, by their labels in the languages of shops, and which of them belong to the
// product. A label consists of exactly these words: running text contains them too.

import { compile, oneOf, wholeText } from '../../../../base/listing/words/all-languages.ts';
import { decodeEntities } from '../../../../base/listing/text/text.ts';
import type { MarkupScanner } from '../../html/markup.ts';
import { MARK } from './visible-marks.ts';

export type BuyButton = {
  readonly at: number;
  readonly isDisabled: boolean;
  readonly marks: number;
};

/** The position range of the product's button, in displayed characters from the heading. */
const FIRST = -400;
const LAST = 3500;

/** Whether a button buys the product of the page. */
export function isBuyingPlace(button: BuyButton): boolean {
  return isPressed(button) && button.at > FIRST && button.at < LAST;
}

/** Whether a button can be pressed and its names do not mark it as belonging to other goods. */
export function isPressed({ isDisabled, marks }: BuyButton): boolean {
  return !isDisabled && (marks & MARK.aside) === 0;
}

/** Whether the range of the product's buttons has ended. */
export function isPastButtons(at: number): boolean {
  return at >= LAST;
}

/** Whether one of the buttons buys the product. */
export function hasBuyButton(buttons: readonly BuyButton[]): boolean {
  return buttons.some(isBuyingPlace);
}

/** The text range of a clickable element within its line. */
export type ClickedText = {
  readonly from: number;
  readonly to: number;
  /** Whether its element is named after a button, so that it looks like one in any line. */
  readonly isButton: boolean;
};

/** Classes of links that look like buttons. */
const BUTTON_CLASS = new RegExp(`(?:^|[\\s_-])${oneOf('nameButton')}(?:$|[\\s_-])`, 'i');

/** Whether an element's names mark it as a button. */
export function isButtonClass(names: string): boolean {
  return BUTTON_CLASS.test(names);
}

/** Elements named after a button they contain among much else: `<form class="add_to_basket">`. */
const HOLDERS: ReadonlySet<string> = new Set(
  'form fieldset section article main table tbody tr ul ol dl'.split(' '),
);

/** Whether an element with this name contains buttons but is not one, regardless of its classes. */
export function holdsButtons(name: string): boolean {
  return HOLDERS.has(name);
}

/**
 * The end of a name that makes any element a button: `btn-group` contains several. The lookbehind runs last, for few names.
 */
const BARE_BUTTON = /(?:btn|button)(?!\S)(?<=(?:^|[\s_-])(?:btn|button))/i;

/**
 * Whether the names of an element make it a button although it is not one: `<div class="add-to-cart">`, `<div
 * class="btn">`.
 */
export function isBuyNamed(names: string): boolean {
  return isBuyClass(names) || BARE_BUTTON.test(names);
}

/** Attributes that may contain the label of a button, and of an image button. */
const LABELLING = ['value', 'aria-label', 'title'] as const;
const DEPICTING = ['alt', 'title'] as const;

/** Whether an attribute of a button contains a buy label; `kind` is the input type. */
export function isBuyLabelled(tag: MarkupScanner, kind: string): boolean {
  const labelling = tag.name === 'img' || kind === 'image' ? DEPICTING : LABELLING;
  return labelling.some((attribute) => {
    const text = tag.attribute(attribute);
    return text !== null && isBuyLabel(decodeEntities(text));
  });
}

/** Whether an element's classes mark it as disabled. */
export function isDisabledClass(names: string): boolean {
  return names.includes('disabled') && /(?:^|\s)(?:is-)?disabled(?:\s|$)/.test(names);
}

/** A displayed line, with its clickable elements. */
type ClickedLine = {
  readonly text: string;
  readonly pieces: readonly { readonly from: number; readonly marks: number }[];
  readonly clicks: readonly ClickedText[];
};

/**
 * Returns the labels of a line: the whole line or, if it only consists of adjacent links and buttons, the text of each; next to
 * other words ("In stock"), also the texts of those that look like buttons.
 */
export function labelsOf({ text, pieces, clicks }: ClickedLine): readonly string[] {
  const isOnlyClicks =
    clicks.length > 1 &&
    pieces.every(
      ({ from, marks }, index) =>
        (marks & MARK.click) !== 0 || text.slice(from, pieces[index + 1]?.from).trim() === '',
    );
  const said = ({ from, to }: ClickedText): string => text.slice(from, to).trim();
  if (isOnlyClicks) return clicks.map(said);
  return [text.trimEnd(), ...clicks.filter(({ isButton }) => isButton).map(said)];
}

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

/** Whether a label belongs to a buy button. */
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

/** A part that each of these names contains, and few others do. */
const BUY_PART = /add|buy|submit/i;

/** Whether the class or id of an element marks it as a buy button. */
export function isBuyClass(words: string): boolean {
  return BUY_PART.test(words) && BUY_CLASS.test(words);
}
