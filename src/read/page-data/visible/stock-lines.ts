// Lines around a page's heading that say that its product cannot be bought, or only be ordered.

import { compile } from '../../../base/listing/words/all-languages.ts';
import { availabilityIn, isOnlyToOrder } from '../../../base/listing/vocabularies/availability.ts';
import type { VisibleLine, VisiblePart } from './lines/visible-lines.ts';
import { MARK } from './lines/visible-marks.ts';

/** Maximum distance of stock words from the price or the heading. */
const STOCK_NEAR = 900;
/** The start of a line that states the stock. */
const STOCK_LABEL = compile('stockLabel', (words) => `^\\s*${words}\\s*:`);

/** Whether a line is named after stock, or has a stock label. */
const isCalledStock = ({ marks, text }: VisibleLine): boolean =>
  (marks & MARK.stock) !== 0 || STOCK_LABEL.test(text);

/** Whether a line may state the stock of the page's product. */
function mayBeStock({ at, marks, text }: VisibleLine): boolean {
  if (at < 0 || at > STOCK_NEAR || text.length > 60) return false;
  return (marks & (MARK.aside | MARK.option | MARK.hidden)) === 0;
}

/** Whether a line near the heading says that the product cannot be bought. */
export function saysOutOfStock(line: VisibleLine): boolean {
  const { text } = line;
  if (!mayBeStock(line) || availabilityIn(text)?.inStock !== false) return false;
  if (isOnlyToOrder(text, true) && !isOnlyToOrder(text, isCalledStock(line))) return false;
  return /\p{L}{3}|[\u3040-\u9fff\uac00-\ud7af]{2}/u.test(text);
}

/** Whether a line named after stock says "in stock": then the words of others may be about other variants. */
function saysInStock(line: VisibleLine): boolean {
  return isCalledStock(line) && mayBeStock(line) && availabilityIn(line.text)?.inStock === true;
}

/** Whether a button near the product can be pressed. */
function isOpen({ buttons }: VisiblePart): boolean {
  return buttons.some(
    (button) =>
      !button.isDisabled &&
      button.at > -200 &&
      button.at < 2600 &&
      (button.marks & MARK.aside) === 0,
  );
}

/** Whether the part says that the product cannot be bought: stock words, and no button that can be pressed. */
export function isShownOutOfStock(part: VisiblePart): boolean {
  return !isOpen(part) && part.lines.some(saysOutOfStock);
}

/** Maximum distance from the price for unlabelled stock words, and maximum length of their line. */
const BESIDE_PRICE = 200;
const ALONE_LENGTH = 32;

const isAloneBeside = ({ at, text }: VisibleLine, priceAt: number): boolean =>
  Math.abs(at - priceAt) <= BESIDE_PRICE && text.length <= ALONE_LENGTH;

/** Whether a line with only stock words next to the price's position says that the product cannot be bought. */
export function isOutOfStockBeside({ lines }: VisiblePart, priceAt: number): boolean {
  return lines.some((line) => isAloneBeside(line, priceAt) && saysOutOfStock(line));
}

/** Whether a line named after stock, or with a stock label, says that the product cannot be bought. */
export function isCalledOutOfStock({ lines }: VisiblePart): boolean {
  return lines.some((line) => isCalledStock(line) && saysOutOfStock(line));
}

/**
 * Whether the part says that the product can only be ordered or looked at. Such words are compatible with a button that can be
 * pressed, so they must be next to the price or named after stock, and no other line named so may say "in stock".
 */
export function isShownToOrder({ lines }: VisiblePart, priceAt: number | null): boolean {
  const says = lines.some((line) => {
    const isCalled = isCalledStock(line);
    const isPlaced = isCalled || (priceAt !== null && isAloneBeside(line, priceAt));
    return isPlaced && mayBeStock(line) && isOnlyToOrder(line.text, isCalled);
  });
  return says && !lines.some(saysInStock);
}

/**
 * Whether the words for out of stock are beyond doubt: named after stock, next to the price, or the label of a button. Words further
 * away may speak of one shop or one way of delivery.
 */
export function isOutOfStockForSure(part: VisiblePart, priceAt: number | null): boolean {
  if (isOpen(part) || part.lines.some(saysInStock)) return false;
  return part.lines.some((line) => {
    const isLabel = (line.marks & MARK.click) !== 0 && line.text.length <= ALONE_LENGTH;
    const isPlaced =
      isCalledStock(line) || isLabel || (priceAt !== null && isAloneBeside(line, priceAt));
    return isPlaced && saysOutOfStock(line);
  });
}
