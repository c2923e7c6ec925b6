// Finds values that a page shows next to a label, on its line or the line below: "Výrobca: Acme", a table row.

import { compile } from '../../../../base/listing/words/all-languages.ts';
import type { Meaning } from '../../../../base/listing/words/language-words.ts';
import type { VisiblePiece } from '../lines/line-draft.ts';
import type { VisibleLine } from '../lines/visible-lines.ts';
import { MARK } from '../lines/visible-marks.ts';

/** A standalone label in the languages of shops, with or without a colon. */
export type Label = RegExp;

/** Returns the label for a meaning in the language files. */
export function labelOf(meaning: Meaning): Label {
  return compile(meaning, (words) => `^${words}\\s*[:：]?$`);
}

/** Maximum label length: longer lines are not compared with every label. */
const LONGEST = 32;

/** A label and its colon at the start of an element. */
const NEXT_LABEL = /^\s*\p{L}[\p{L}\d\s.-]{1,30}[:：]/u;
/** The separator between two labels in one text: "Maker: Acme | SKU: 12", "Maker: Acme, SKU: 12". */
const PARTING = /\s*[|·•,;]\s*(?=\p{L}[\p{L}\d\s.-]{1,30}[:：])/u;

/** Splits a line into texts that begin with their own labels; most lines are one. */
function labelledTexts({ text, pieces }: VisibleLine): readonly string[] {
  const isOne = pieces.length === 1 && !/[|·•,;]/.test(text);
  if (isOne || !/[:：]/.test(text)) return [text.trim()];
  const starts = pieces
    .filter(({ from }, index) => NEXT_LABEL.test(text.slice(from, pieces[index + 1]?.from)))
    .map(({ from }) => from)
    .filter((from) => text.slice(0, from).trim() !== '');
  return [0, ...starts]
    .flatMap((from, index) => text.slice(from, starts[index]).split(PARTING))
    .map((part) => part.trim());
}

/** Separators allowed between a value and the link after it. */
const BEFORE_LINK = /[\s|·•,;/(–—-]+$/u;

/** Returns a value up to the end of its own link, or up to the start of a link to other things: "Acme | More of Acme". */
function withoutLinks({ text, pieces }: VisibleLine, value: string): string {
  if (pieces.length < 2) return value;
  const start = text.lastIndexOf(value);
  const isLinked = (piece: VisiblePiece | undefined): boolean =>
    ((piece?.marks ?? 0) & MARK.click) !== 0;
  const first = pieces.findLast(({ from }) => from <= start);
  const next = pieces.find(
    (piece) =>
      piece.from > start &&
      piece.from < start + value.length &&
      isLinked(piece) !== isLinked(first) &&
      text.slice(start, piece.from).trim() !== '',
  );
  if (next === undefined) return value;
  return text.slice(start, next.from).replace(BEFORE_LINK, '');
}

/** A possible label and its value. */
type Labelled = { readonly label: string; readonly value: string };

/** A line's possible labels and the values next to or below them, before any label is matched. */
export type LabelledLine = {
  readonly line: VisibleLine;
  /** Labels and values separated by a colon, or by a space before a number. */
  readonly beside: readonly Labelled[];
  /** Separated by an element boundary: `<label>Marca</label> <a>Acme</a>`. */
  readonly after: Labelled | null;
  /** The last text of the line, if it is short enough for a label, and the line below. */
  readonly last: string | null;
  readonly below: VisibleLine | null;
};

/** The value allowed after a label and its colon. */
const VALUE = /^\S.{0,60}$/u;

/** Splits a text at its colon into label and value; null if either is missing. */
function partedByColon(text: string): Labelled | null {
  const colon = text.search(/[:：]/);
  if (colon < 0) return null;
  const value = text.slice(colon + 1).trim();
  return VALUE.test(value) ? { label: text.slice(0, colon).trimEnd(), value } : null;
}

/** A number after its label without a colon: "Artikelnummer 88-221". */
const NUMBERED = /^(\p{L}[^\d:：]{1,30}?)\s(\S*\d\S*)$/u;

function partedByBlank(text: string): Labelled | null {
  const [, label, value] = NUMBERED.exec(text) ?? [];
  return label === undefined || value === undefined || value.length < 3 ? null : { label, value };
}

function afterElement({ text, pieces }: VisibleLine): Labelled | null {
  const next = pieces[1];
  if (next === undefined || next.from > LONGEST) return null;
  const value = text.slice(next.from).trim();
  return value === '' ? null : { label: text.slice(0, next.from).trim(), value };
}

/** Returns the text shown on the line below a label. */
const shownBelow = ({ text }: VisibleLine): string => text.trim().replace(/^:\s*/, '');

/** Parses the product lines that may have labels, once for all kinds of labels. */
export function labelledLines(lines: readonly VisibleLine[]): readonly LabelledLine[] {
  const labelled: LabelledLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.text.length > 120 || (line.marks & (MARK.aside | MARK.option)) !== 0) continue;
    const texts = labelledTexts(line);
    const beside = texts
      .map((text) => partedByColon(text) ?? partedByBlank(text))
      .filter((part) => part !== null);
    const after = afterElement(line);
    const end = texts.at(-1) ?? '';
    const next = lines[index + 1];
    const isLast = end.length <= LONGEST && next !== undefined;
    if (beside.length === 0 && after === null && !isLast) continue;
    labelled.push({ line, beside, after, last: isLast ? end : null, below: next ?? null });
  }
  return labelled;
}

/** Returns the values of a line: next to the label, or below it if that is not itself a label. */
function valuesAt(labelled: LabelledLine, label: Label): readonly string[] {
  const { line, after, last, below } = labelled;
  const beside = labelled.beside.filter((part) => label.test(part.label));
  if (beside.length > 0) return beside.map(({ value }) => withoutLinks(line, value));
  if (after !== null && label.test(after.label)) return [withoutLinks(line, after.value)];
  if (last === null || below === null || !label.test(last)) return [];
  const value = shownBelow(below);
  return value.endsWith(':') ? [] : [withoutLinks(below, value)];
}

/** Returns all values of the page's product shown next to a label, parsed by `read`. */
export function valuesOfOthers<T>(
  lines: readonly LabelledLine[],
  label: Label,
  read: (value: string) => T | null,
): readonly T[] {
  return lines
    .flatMap((line) => valuesAt(line, label))
    .map(read)
    .filter((one) => one !== null);
}
