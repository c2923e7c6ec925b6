// Recognizes amounts whose cents are in a separate element after the sign, as in French and Portuguese shops: `249` and `€99`
// side by side are 249.99, while "12" pieces next to "€99" are unrelated. Also handles cents after a colon: "15:90".

import { crownsWithCents } from '../../../../base/listing/money/number-rules.ts';
import { MARK } from './visible-marks.ts';

/** A text that may be part of such an amount, with the known facts about its surrounding elements. */
export type AmountPart = {
  readonly text: string;
  readonly marks: number;
  /** The marks of the immediately enclosing element. */
  readonly own: number;
  /** The nearest element named after a price; null if none is near. */
  readonly priced: object | null;
  /** Whether that element has a name: without one, nothing visually separates the texts. */
  readonly isNamed: boolean;
  /** Whether whitespace separates it from the next text. */
  readonly isApart: boolean;
};

/** `sign`: the preceding number's sign; `apart`: unrelated to the preceding text; `unsure`: cents or a price. */
export type Beside = 'cents' | 'sign' | 'unsure' | 'apart';

const LONGEST = 13;
const PART = /^\s?(?:\d{1,3}(?:[ .]?\d{3}){0,2}\s?\p{Sc}?|\p{Sc}\s?(?:\d\d)?)\s?$/u;
const CENTS = /^\s?(\p{Sc}?)\s?\d\d\s?$/u;
const WHOLE = /^\s?\d[\d .]*\s?$/;
const WHOLE_AND_SIGN = /^\s?\d[\d .]*\p{Sc}\s?$/u;
const SIGN = /^\p{Sc}$/u;

/** Two texts that differ in one of these marks belong to two amounts. */
const TELLING = MARK.former | MARK.regular | MARK.charge | MARK.aside | MARK.hidden | MARK.net;
/** A number and a price in one of several choices are a size and its price. */
const CHOICE = MARK.option | MARK.click;

/** Whether a text may be a part of such an amount: few texts are. */
export function mayBePart(text: string): boolean {
  return text.length <= LONGEST && PART.test(text);
}

/** Classifies a part relative to the previous one. */
export function besidePart(before: AmountPart | null, part: AmountPart): Beside {
  if (before === null) return 'apart';
  const isWhole = WHOLE.test(before.text);
  if (isWhole && !before.isApart && SIGN.test(part.text)) return 'sign';
  const sign = CENTS.exec(part.text)?.[1];
  // Digits in an element named cents need no sign before them: `R$`, `799` and `90` in three elements.
  const areNamedCents = sign === '' && isWhole && (part.own & MARK.cents) !== 0;
  const mayBeCents = sign === '' ? WHOLE_AND_SIGN.test(before.text) : isWhole;
  if (sign === undefined || !(mayBeCents || areNamedCents)) return 'apart';
  const isOther =
    ((before.marks ^ part.marks) & TELLING) !== 0 ||
    ((before.marks | part.marks) & CHOICE) !== 0 ||
    (before.own & MARK.count) !== 0;
  if (isOther) return 'apart';
  if (areNamedCents) return 'cents';
  // Digits after a sign that are not cents are already separated by that sign.
  const unsure = sign === '' ? 'apart' : 'unsure';
  const isTogether = !before.isApart && !/\s/.test(part.text) && !/\s$/.test(before.text);
  const isNamed = before.isNamed || part.isNamed;
  const isOfOnePrice = before.priced === part.priced && (part.priced !== null || !isNamed);
  const isEuro = sign === '€' || before.text.includes('€');
  const isCents = (isOfOnePrice && isEuro) || (part.own & MARK.cents) !== 0;
  if (isCents) return isTogether ? 'cents' : unsure;
  if (before.priced !== part.priced) {
    return (before.own & part.own & MARK.price) === 0 ? 'apart' : unsure;
  }
  return isTogether || isOfOnePrice ? unsure : 'apart';
}

/** Returns the part waiting for its cents after a part has been read. */
export function waitingPart(
  before: AmountPart | null,
  part: AmountPart,
  beside: Beside,
): AmountPart {
  if (before === null || beside !== 'sign') return part;
  return { ...before, text: before.text + part.text };
}

/** Currencies whose cents may follow a colon. */
const CROWNS: ReadonlySet<string | null> = new Set(['SEK', 'NOK', 'DKK']);

/**
 * Returns the text of a line with a price in crowns whose cents follow a colon: without a price name on its element it may be
 * a time.
 */
export function crownsOf(
  { text, marks }: Pick<AmountPart, 'text' | 'marks'>,
  currency: string | null,
): string | null {
  return (marks & MARK.price) !== 0 && CROWNS.has(currency) ? crownsWithCents(text) : null;
}
