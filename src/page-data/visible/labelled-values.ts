// What a page says beside a label, in its line or in the line below: "Výrobca: Acme", a row of a table.

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
/** The same behind a bar or a dot: "Maker: Acme | SKU: 12". */
const PARTED = /\s*[|·•]\s*\p{L}[\p{L}\d\s.-]{1,30}[:：].*$/u;

/** The text of a line up to its second label. */
function upToNextLabel({ text, pieces }: VisibleLine): string {
  const next = pieces.find(
    ({ from }, index) =>
      text.slice(0, from).trim() !== '' &&
      NEXT_LABEL.test(text.slice(from, pieces[index + 1]?.from)),
  );
  return text.slice(0, next?.from).replace(PARTED, '').trim();
}

/** What stands beside the label, or below it where that is no label itself; null where the line is no such label. */
function valueAt(lines: readonly VisibleLine[], index: number, label: Label): string | null {
  const line = lines[index];
  const text = line === undefined ? '' : upToNextLabel(line);
  const beside = /[:：]/.test(text) ? label.beside.exec(text)?.[1]?.trim() : undefined;
  if (beside !== undefined) return beside;
  if (text.length > LONGEST || !label.alone.test(text)) return null;
  const next = (lines[index + 1]?.text ?? '').trim().replace(/^:\s*/, '');
  return next.endsWith(':') ? null : next;
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
    const value = valueAt(lines, index, label);
    const one = value === null ? null : read(value);
    if (one !== null) found.push(one);
  }
  return found;
}
