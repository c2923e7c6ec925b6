// The buttons to buy that a page shows around its heading, and which of them are of the product.

import { oneOf } from '../../../../base/listing/words/all-languages.ts';
import { decodeEntities } from '../../../../base/listing/text/text.ts';
import type { MarkupScanner } from '../../html/markup.ts';
import { isBuyClass, isBuyLabel } from './buy-words.ts';
import { MARK } from './visible-marks.ts';

export type BuyButton = {
  readonly at: number;
  readonly isDisabled: boolean;
  readonly marks: number;
};

/** Where a button of the product may stand, in characters shown from the heading on. */
const FIRST = -400;
const LAST = 3500;

/** Whether a button buys the product of the page. */
export function isBuyingPlace(button: BuyButton): boolean {
  return isPressed(button) && button.at > FIRST && button.at < LAST;
}

/** Whether a button can be pressed, and is of no other goods by its names. */
export function isPressed({ isDisabled, marks }: BuyButton): boolean {
  return !isDisabled && (marks & MARK.aside) === 0;
}

/** Whether no button of the product can come any more. */
export function isPastButtons(at: number): boolean {
  return at >= LAST;
}

/** Whether one of the buttons buys the product. */
export function hasBuyButton(buttons: readonly BuyButton[]): boolean {
  return buttons.some(isBuyingPlace);
}

/** Where the text of something that can be clicked begins and ends in its line. */
export type ClickedText = {
  readonly from: number;
  readonly to: number;
  /** Whether its element is named after a button, so that it looks like one in any line. */
  readonly isButton: boolean;
};

/** Classes of links that look like buttons. */
const BUTTON_CLASS = new RegExp(`(?:^|[\\s_-])${oneOf('nameButton')}(?:$|[\\s_-])`, 'i');

/** Whether the names of an element call it a button. */
export function isButtonClass(names: string): boolean {
  return BUTTON_CLASS.test(names);
}

/** Elements that are named after the button that they hold, among much else: `<form class="add_to_basket">`. */
const HOLDERS: ReadonlySet<string> = new Set(
  'form fieldset section article main table tbody tr ul ol dl'.split(' '),
);

/** Whether an element of this name holds buttons and is not one, whatever its classes are. */
export function holdsButtons(name: string): boolean {
  return HOLDERS.has(name);
}

/** The end of a name that makes any element a button: `btn-group` holds several. What stands before it is asked last, of few names. */
const BARE_BUTTON = /(?:btn|button)(?!\S)(?<=(?:^|[\s_-])(?:btn|button))/i;

/** Whether an element that is no button is one by its names: `<div class="add-to-cart">`, `<div class="btn">`. */
export function isBuyNamed(names: string): boolean {
  return isBuyClass(names) || BARE_BUTTON.test(names);
}

/** Attributes that may hold the label of a button, and of one that is a picture. */
const LABELLING = ['value', 'aria-label', 'title'] as const;
const DEPICTING = ['alt', 'title'] as const;

/** Whether an attribute of a button holds a label that says that it buys; `kind` is the type of an input. */
export function isBuyLabelled(tag: MarkupScanner, kind: string): boolean {
  const labelling = tag.name === 'img' || kind === 'image' ? DEPICTING : LABELLING;
  return labelling.some((attribute) => {
    const text = tag.attribute(attribute);
    return text !== null && isBuyLabel(decodeEntities(text));
  });
}

/** Whether the classes of an element say that it cannot be pressed. */
export function isDisabledClass(names: string): boolean {
  return names.includes('disabled') && /(?:^|\s)(?:is-)?disabled(?:\s|$)/.test(names);
}

/** A line as it was shown, with what can be clicked in it. */
type ClickedLine = {
  readonly text: string;
  readonly pieces: readonly { readonly from: number; readonly marks: number }[];
  readonly clicks: readonly ClickedText[];
};

/**
 * The labels of a line: all of it, or, where it is nothing but links and buttons side by side, what each of them says; next to other
 * words ("In stock") what those say that look like buttons.
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
