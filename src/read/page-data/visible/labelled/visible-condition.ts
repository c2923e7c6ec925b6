// Finds the condition shown on a page: next to a label ("Zustand: gebraucht"), or as a badge next to the heading.

import { compile } from '../../../../base/listing/words/all-languages.ts';
import { readCondition } from '../../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../../base/listing/offer.ts';
import { labelOf, valuesOfOthers } from './labelled-values.ts';
import type { LabelledLine } from './labelled-values.ts';
import type { VisibleLine, VisiblePart } from '../lines/visible-lines.ts';
import { MARK } from '../lines/visible-marks.ts';

const LABEL = labelOf('conditionLabel');

/** Unambiguous badge words: "Mint" may be a colour, and "New" may mean just arrived. */
const BADGE = compile(
  'conditionBadge',
  (words) => `^(?:certified |factory |manufacturer |grade [a-c] )?${words}$`,
);
/** Maximum distance of a badge from the heading, in displayed characters. */
const BADGE_NEAR = 160;
const BADGE_LENGTH = 32;

/** Text in a link or a button leads to other goods or is one of several choices. */
const CHOICES = MARK.aside | MARK.option | MARK.hidden | MARK.click | MARK.link;

/** Returns the condition that a value states or begins with: "Gebraucht - Sehr gut". */
function conditionIn(value: string): Condition | null {
  const [first = ''] = value.split(/\s[-–—/]\s/, 1);
  return readCondition(value).meaning ?? readCondition(first).meaning;
}

function badgeOf({ text, at, marks }: VisibleLine): Condition | null {
  const bare = text.trim();
  if (bare.length > BADGE_LENGTH || Math.abs(at) > BADGE_NEAR || (marks & CHOICES) !== 0)
    return null;
  return BADGE.test(bare) ? readCondition(bare).meaning : null;
}

const oneOf = (found: readonly Condition[]): Condition | null =>
  new Set(found).size === 1 ? (found[0] ?? null) : null;

/** Returns the condition shown on the page; null when it shows none or several. */
export function visibleCondition(
  { lines }: VisiblePart,
  labelled: readonly LabelledLine[],
): Condition | null {
  const stated = valuesOfOthers(labelled, LABEL, conditionIn);
  if (stated.length > 0) return oneOf(stated);
  const badge = oneOf(lines.map(badgeOf).filter((one) => one !== null));
  return badge === 'new' ? null : badge;
}
