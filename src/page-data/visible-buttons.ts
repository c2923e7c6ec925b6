// The buttons to buy that a page shows around its heading, and which of them are of the product.

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
export function isBuyingPlace({ at, isDisabled, marks }: BuyButton): boolean {
  return !isDisabled && at > FIRST && at < LAST && (marks & MARK.aside) === 0;
}

/** Whether no button of the product can come any more. */
export function isPastButtons(at: number): boolean {
  return at >= LAST;
}

/** Whether one of the buttons buys the product. */
export function hasBuyButton(buttons: readonly BuyButton[]): boolean {
  return buttons.some(isBuyingPlace);
}
