// Assigns the numbers of "10 x 5 x 3 in" to sides: by letters, words of several languages, headings such as "(L x W x H)",
// and otherwise by the customary order.

import type { NumberWithUnit } from './number-with-unit.ts';
import { UNITS } from './units.ts';
import type { Unit } from './units.ts';

type Sides = {
  readonly height: number | null;
  readonly width: number | null;
  readonly length: number | null;
};

type Side = keyof Sides | 'diameter';

const LABEL_LINES: readonly (readonly [Side, string])[] = [
  [
    'height',
    'h ht height high tall höhe hoehe hoch hoogte hauteur haut altura alto al altezza alt ' +
      'høyde højde ' +
      'höjd korkeus wysokość wys výška výš vys v magasság yükseklik înălțime inaltime высота ' +
      'выс в ' +
      'ارتفاع الارتفاع a 高 高さ',
  ],
  [
    'width',
    'w wd width wide breite breit b br breedte largeur larg ancho anchura an largura larghezza ' +
      'bredde ' +
      'bredd leveys szerokość szer šířka š sir szélesség genişlik lățime latime ширина шир ш عرض ' +
      'العرض 宽 幅',
  ],
  [
    'length',
    'l length long lg länge laenge lang lengte longueur largo longitud comprimento comp c ' +
      'lunghezza ' +
      'längd lengde længde pituus długość dł délka dĺžka hosszúság uzunluk lungime длина дл ' +
      'طول الطول ' +
      'd depth deep dp tiefe tief t diepte profondeur prof p profundidad fondo f profundidade ' +
      'profondità djup dybde syvyys głębokość gł hloubka hl hĺbka mélység derinlik adâncime ' +
      'глубина ' +
      'глуб д г عمق العمق 长 長さ 奥行',
  ],
  ['diameter', 'dia diam diameter ø ⌀ durchmesser diamètre diámetro diametro średnica průměr'],
];

const LABELS: ReadonlyMap<string, Side> = new Map(
  LABEL_LINES.flatMap(([side, words]) =>
    words.split(' ').map((word): [string, Side] => [word, side]),
  ),
);

const SEPARATORS = new Set(['x', 'by', 'and', 'und', 'et', 'y', 'por', 'na', 'op', 'per']);
const MARKS = /^[\s,;:.|()[\]\-\u2013=&"]*$/;

type Gap = { readonly after: string | null; readonly before: string | null };

/** Splits a gap into words, with `10Lx5W` taken apart: `Lx` is a label and a separator. */
function wordsOf(gap: string): readonly string[] {
  return (gap.match(/[\p{L}⌀]+/gu) ?? []).flatMap((word) => {
    const lower = word.toLowerCase();
    if (SEPARATORS.has(lower) || LABELS.has(lower) || !lower.endsWith('x')) return [word];
    return [word.slice(0, -1), 'x'];
  });
}

/** Returns the labels between two quantities, or null if the quantities do not belong together. */
function gapOf(gap: string, labelsFirst: boolean): Gap | null {
  if (gap.length > 40) return null;
  const words = wordsOf(gap);
  if (!MARKS.test(gap.replaceAll(/[\p{L}⌀]+/gu, ' '))) return null;
  const separator = words.findIndex((word) => SEPARATORS.has(word.toLowerCase()));
  const known = words.every((word, index) => index === separator || LABELS.has(word.toLowerCase()));
  if (!known || words.length > 3) return null;
  if (separator < 0) {
    // No separator: `Height 10 cm Width 5 cm` or `10"H 5"W`; a bare blank or dash does not join quantities.
    const [word] = words;
    if (words.length === 2) return { after: words[0] ?? null, before: words[1] ?? null };
    if (word === undefined) return null;
    return labelsFirst ? { after: null, before: word } : { after: word, before: null };
  }
  return {
    after: separator > 0 ? (words[0] ?? null) : null,
    before: separator < words.length - 1 ? (words[separator + 1] ?? null) : null,
  };
}

export type LabelledSide = { readonly quantity: NumberWithUnit; label: string | null };

/** Returns the label directly before the first quantity of a row: `H 10`, `Width: 5`. */
function labelBefore(text: string, start: number): string | null {
  const word = /([\p{L}⌀]+)\.?\s?[:=(]?\s*$/u.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  return word !== undefined && LABELS.has(word.toLowerCase()) ? word : null;
}

function labelAfter(text: string, end: number): string | null {
  const word = /^\.?\s?[-(]?\s?([\p{L}⌀]+)(?![/\d])/u.exec(text.slice(end, end + 24))?.[1];
  return word !== undefined && LABELS.has(word.toLowerCase()) ? word : null;
}

/** Returns rows of quantities that belong together, at most three per row. */
export function rowsOf(
  text: string,
  quantities: readonly NumberWithUnit[],
): readonly (readonly LabelledSide[])[] {
  const rows: LabelledSide[][] = [];
  let row: LabelledSide[] = [];
  let labelsFirst = false;
  const usable = (each: NumberWithUnit): boolean =>
    each.unit === null ? !carriesOtherUnit(text, each.end) : each.unit.kind === 'length';
  for (const quantity of quantities) {
    const previous = row.at(-1);
    const gap =
      previous === undefined || row.length >= 3 || !usable(quantity)
        ? null
        : gapOf(text.slice(previous.quantity.end, quantity.start), labelsFirst);
    if (previous !== undefined && gap !== null) {
      previous.label ??= gap.after;
      row.push({ quantity, label: gap.before });
      continue;
    }
    closeRow(text, row);
    row = [];
    if (!usable(quantity) || endsRange(text, quantity.start)) continue;
    const label = labelBefore(text, quantity.start);
    labelsFirst = label !== null;
    row.push({ quantity, label });
    rows.push(row);
  }
  closeRow(text, row);
  return rows;
}

/** `128GB`, `160MB`: letters attached to a number that are neither a side nor a separator. */
function carriesOtherUnit(text: string, end: number): boolean {
  const word = /^\p{L}{1,12}/u.exec(text.slice(end, end + 12))?.[0].toLowerCase() ?? '';
  return word !== '' && !SEPARATORS.has(word) && !LABELS.has(word.replace(/x$/, ''));
}

/** `10-22mm`: the second number of a range is not a side. */
function endsRange(text: string, start: number): boolean {
  return /\d\s?[-\u2013]$/.test(text.slice(Math.max(0, start - 3), start));
}

function closeRow(text: string, row: LabelledSide[]): void {
  const last = row.at(-1);
  if (last === undefined || row[0]?.label === undefined) return;
  if (last.label === null) last.label = labelAfter(text, last.quantity.end);
}

/** Returns the labels of a heading: "(L x W x H)", "HxWxD:", "B/H/T". */
function headingLabels(text: string): readonly string[] {
  for (const match of text.matchAll(/\p{L}+(?:\s?[x×/]\s?\p{L}+){1,2}/gu)) {
    const parts = match[0].split(/\s?[x×/]\s?|(?<=\p{L})x(?=\p{L})/u);
    if (parts.length >= 2 && parts.every((part) => LABELS.has(part.toLowerCase()))) return parts;
  }
  return [];
}

/** Returns the unit in a heading: "Size (cm)", "in inches". */
function headingUnit(text: string): Unit | null {
  for (const match of text.matchAll(/[([]\s?(\p{L}{1,12})\.?\s?[)\]]|\bin (\p{L}{2,12})\b/gu)) {
    const unit = UNITS.get((match[1] ?? match[2] ?? '').toLowerCase());
    if (unit?.kind === 'length') return unit;
  }
  return null;
}

/** Returns the unit after the last label: `10L x 5W x 3H in`. */
function trailingUnit(text: string, row: readonly LabelledSide[]): Unit | null {
  const end = row.at(-1)?.quantity.end ?? 0;
  const word = /^\.?\s?\(?\p{L}+\)?\s?(\p{L}{1,12})/u.exec(text.slice(end, end + 30))?.[1] ?? '';
  const unit = UNITS.get(word.toLowerCase());
  return unit?.kind === 'length' ? unit : null;
}

/** Returns each quantity of a row in inches; null if one has no unit at all. */
export function inchesOf(
  row: readonly LabelledSide[],
  fallback: Unit | null,
): readonly number[] | null {
  const inches: number[] = [];
  for (const [index, { quantity }] of row.entries()) {
    const later = row.slice(index).find((each) => each.quantity.unit !== null)?.quantity.unit;
    const unit = later ?? fallback ?? row.findLast((each) => each.quantity.unit)?.quantity.unit;
    if (unit === null || unit === undefined) return null;
    inches.push(quantity.unit === null ? quantity.value * unit.factor : quantity.value);
  }
  return inches;
}

/**
 * Returns the side for a label. Some letters mean a different side in some languages; the other labels of the row reveal the
 * language.
 */
function sideOf(label: string, labels: readonly string[]): Side | undefined {
  const lower = label.toLowerCase();
  const others = labels.map((each) => each.toLowerCase());
  // French `L x l x H`, Italian `L x P x H`, Portuguese `A x L x P`: l is the width.
  const romance = others.some((each) => ['a', 'p', 'c'].includes(each));
  if (lower === 'l' && romance) return 'width';
  if (label === 'l' && labels.includes('L')) return 'width';
  // Czech `š x v x h`: h is the depth.
  if (lower === 'h' && others.some((each) => each === 'š' || each === 'v')) return 'length';
  return LABELS.get(lower);
}

function assign(labels: readonly (string | null)[], inches: readonly number[]): Sides {
  const sides: { -readonly [K in keyof Sides]: number | null } = {
    height: null,
    width: null,
    length: null,
  };
  const known = labels.filter((label) => label !== null);
  const rest: number[] = [];
  for (const [index, value] of inches.entries()) {
    const label = labels[index] ?? null;
    const side = label === null ? undefined : sideOf(label, known);
    if (side === 'diameter') {
      sides.width ??= value;
      sides.length ??= value;
    } else if (side !== undefined && sides[side] === null) {
      sides[side] = value;
    } else {
      rest.push(value);
    }
  }
  for (const value of rest) {
    const free = (['length', 'width', 'height'] as const).find((side) => sides[side] === null);
    if (free !== undefined) sides[free] = value;
  }
  return sides;
}

/**
 * Returns the sides that a line states, in inches: from its first row of three, otherwise of two, otherwise of one with a
 * label. `unit` applies to numbers that have none.
 */
export function sidesOf(
  text: string,
  quantities: readonly NumberWithUnit[],
  unit: Unit | null,
): Sides | null {
  const heading = headingLabels(text);
  const fallback = headingUnit(text) ?? unit;
  const rows = [...rowsOf(text, quantities)].sort((a, b) => b.length - a.length);
  for (const row of rows) {
    const own = row.map(({ label }) => label);
    // A heading's last letter is directly before the first number: "(L x W x H) 10 x 5 x 3".
    const headed = heading.length === row.length && own.slice(1).every((label) => label === null);
    const labels = headed ? heading : own;
    const [label] = labels;
    if (row.length === 1 && (label === null || label === undefined)) continue;
    // `usb 2.0 a`: a lone letter next to a number without a unit is not a side.
    if (row.length === 1 && label?.length === 1 && row[0]?.quantity.unit === null) continue;
    const inches = inchesOf(row, trailingUnit(text, row) ?? fallback);
    if (inches !== null) return assign(labels, inches);
  }
  return null;
}
