// Finds the maker shown on a page: next to a label ("Výrobca: Acme", a table row), otherwise alone in an element named after
// the maker, near the heading.

import { compile } from '../../../../base/listing/words/all-languages.ts';
import { isMakerName } from '../../maker-name.ts';
import { bareName } from '../../page-names.ts';
import { labelOf, valuesOfOthers } from './labelled-values.ts';
import type { LabelledLine } from './labelled-values.ts';
import type { VisibleLine } from '../lines/visible-lines.ts';
import { MARK } from '../lines/visible-marks.ts';
import type { VisiblePage } from '../visible-page.ts';

/** Labels for a brand, which take precedence over labels for a manufacturer. */
const BRAND = labelOf('brand');
const MAKER = labelOf('maker');
/** Text next to such a label that is not a name. */
const NO_NAME = /^(?:[\p{P}\p{S}\d\s]+|all|see more|more|info)$/iu;
/** Maximum length of a maker's name. */
const LONGEST = 50;

function isName(text: string): boolean {
  return (
    text.length > 1 &&
    text.length <= LONGEST &&
    isMakerName(text) &&
    !NO_NAME.test(text) &&
    text.split(/\s+/).length <= 6
  );
}

/** A dash between a table's label and its value: `<td>Brand</td><td> - Acme</td>`. */
const LEADING_DASH = /^[-–—]\s+/u;

/** Returns the name if all are the same; null for none or several. */
function oneOf(names: readonly string[]): string | null {
  const [first = null, ...others] = names;
  const isSame = (name: string): boolean => name.toLowerCase() === first?.toLowerCase();
  return others.every(isSame) ? first : null;
}

/** The position range of a maker element, in displayed characters from the heading. */
const NEAR = { before: -80, after: 400 };
const ALONE_WORDS = 3;
/** "More from Acme", "de Acme": a link to its goods rather than a standalone name. */
const SENTENCE = compile('nameParticle', (words) => `(?<!\\p{L})${words}(?!\\p{L})|[:!?]`);
const NOT_ALONE = MARK.aside | MARK.option | MARK.hidden;

/** Returns the standalone text of an element named after the maker: `<h3 class="manufacturer">Acme</h3>`. */
function nameAlone(
  { text, at, marks, pieces }: VisibleLine,
  shops: ReadonlySet<string>,
): string | null {
  if ((marks & MARK.maker) === 0 || (marks & NOT_ALONE) !== 0) return null;
  if (at < NEAR.before || at > NEAR.after || at === 0) return null;
  const name = text.trim();
  if (!isName(name) || name.split(/\s+/).length > ALONE_WORDS || SENTENCE.test(name)) return null;
  if (/^\p{Ll}/u.test(name) || shops.has(bareName(name))) return null;
  // "Merkki Acme" in two elements is a label with its value, regardless of the language.
  const said = pieces.filter(({ from }, index) => text.slice(from, pieces[index + 1]?.from).trim());
  return said.length === 1 && pieces.every((piece) => (piece.marks & MARK.maker) !== 0)
    ? name
    : null;
}

/** Returns the maker if all those shown around the heading are the same; null otherwise. */
export function visibleBrand(
  { part: { lines }, shops }: VisiblePage,
  labelled: readonly LabelledLine[],
): string | null {
  const read = (text: string): string | null => {
    const name = text.replace(LEADING_DASH, '');
    return isName(name) ? name : null;
  };
  const branded = valuesOfOthers(labelled, BRAND, read);
  if (branded.length > 0) return oneOf(branded);
  const made = valuesOfOthers(labelled, MAKER, read);
  if (made.length > 0) return oneOf(made);
  return oneOf(lines.map((line) => nameAlone(line, shops)).filter((name) => name !== null));
}
