// What a page says beside a label, in its line or in the line below: "Výrobca: Acme", a row of a table.

import type { VisiblePiece } from './line-draft.ts';
import type { VisibleLine } from './visible-lines.ts';
import { MARK } from './visible-marks.ts';

/** A label in the languages of shops: alone in a line, and with its value behind it. */
export type Label = { readonly alone: RegExp; readonly beside: RegExp };

/** `words`: its spellings, parted by `|`. */
export function labelOfWords(words: string): Label {
  return {
    alone: new RegExp(`^(?:${words})\\s*[:：]?$`, 'iu'),
    beside: new RegExp(`^(?:${words})\\s*[:：]\\s*(\\S.{0,60})$`, 'iu'),
  };
}

/** Longest label: longer lines need not be compared with all of them. */
const LONGEST = 32;

/** A label and its colon, as an element of its own begins with. */
const NEXT_LABEL = /^\s*\p{L}[\p{L}\d\s.-]{1,30}[:：]/u;
/** What parts two labels in one text: "Maker: Acme | SKU: 12", "Maker: Acme, SKU: 12". */
const PARTING = /\s*[|·•,;]\s*(?=\p{L}[\p{L}\d\s.-]{1,30}[:：])/u;

/** The texts of a line that begin with labels of their own; most lines are one. */
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

/** What may stand between a value and the link behind it. */
const BEFORE_LINK = /[\s|·•,;/(–—-]+$/u;

/** A value as far as its link goes, or to where a link to other things begins: "Acme | More of Acme". */
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

/** What stands in its line behind a label that is an element of its own: `<label>Marca</label> <a>Acme</a>`. */
function behindLabel({ text, pieces }: VisibleLine, label: Label): string | null {
  const next = pieces[1];
  if (next === undefined || next.from > LONGEST) return null;
  const rest = text.slice(next.from).trim();
  return rest !== '' && label.alone.test(text.slice(0, next.from).trim()) ? rest : null;
}

/** The values of a line: what stands beside the label, or below it where that is no label itself. */
function valuesAt(lines: readonly VisibleLine[], index: number, label: Label): readonly string[] {
  const line = lines[index];
  if (line === undefined) return [];
  const texts = labelledTexts(line);
  const beside = texts
    .filter((text) => /[:：]/.test(text))
    .map((text) => label.beside.exec(text)?.[1]?.trim())
    .filter((value) => value !== undefined);
  if (beside.length > 0) return beside.map((value) => withoutLinks(line, value));
  const rest = behindLabel(line, label);
  if (rest !== null) return [withoutLinks(line, rest)];
  const last = texts.at(-1) ?? '';
  if (last.length > LONGEST || !label.alone.test(last)) return [];
  const below = lines[index + 1];
  const next = (below?.text ?? '').trim().replace(/^:\s*/, '');
  return below === undefined || next.endsWith(':') ? [] : [withoutLinks(below, next)];
}

/** All values that a page shows beside a label and that are of its product, as `read` makes them. */
export function valuesBeside<T>(
  lines: readonly VisibleLine[],
  label: Label,
  read: (value: string) => T | null,
): readonly T[] {
  const found: T[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.text.length > 120 || (line.marks & (MARK.aside | MARK.option)) !== 0) continue;
    for (const value of valuesAt(lines, index, label)) {
      const one = read(value);
      if (one !== null) found.push(one);
    }
  }
  return found;
}
