// Finds the column of what one unit costs: its heading means such a cost, and its cells are money. A cost of a package is
// divided by the column that states its contents. Pure.

import { codesAnywhere, wholeTextCodes } from '../../base/listing/money/currency-marker.ts';
import { readAmountCell, decimalMarkOf, type AmountCell, type DecimalMark } from './amount-cell.ts';
import {
  isCostHeading,
  isCostName,
  headingUnit,
  packagesCounted,
  packagesNamed,
  piecesStated,
} from './heading-words.ts';
import type { SheetRow } from './sheet-row.ts';

export type CostColumn = {
  readonly at: number;
  /** The character before the cents; null if it cannot be determined. */
  readonly mark: DecimalMark | null;
  readonly currency: string;
  /** The column with the currency of each row; null if there is none. */
  readonly currencyAt: number | null;
  /** How many pieces a package has: a number, or the column with it. Null if costs are taken as they are. */
  readonly pieces: { readonly count: number } | { readonly at: number } | null;
  /** Whether the cost of a piece is multiplied, because the codes identify packages. */
  readonly isMultiplied: boolean;
};

type ChosenCost = {
  readonly column: CostColumn | null;
  /** Complete sentences on how it was chosen that the user should know. */
  readonly remarks: readonly string[];
};

type Table = {
  readonly rows: readonly SheetRow[];
  /** What the user sees, and what the columns mean: with the words of a row above the headings. */
  readonly names: readonly string[];
  readonly headings: readonly string[];
  readonly identifier: number;
  /** Whether the codes identify packages, and whether there are codes of pieces and of packages. */
  readonly isOfPackages: boolean;
  readonly hasBoth: boolean;
  readonly currency: string;
};

const isNegative = ({ problem }: AmountCell): boolean => problem === 'is negative';

/** The minimum share of a column's filled cells that are amounts. */
const ENOUGH_AMOUNTS = 0.5;

type Candidate = {
  readonly at: number;
  readonly mark: DecimalMark | null;
  /** Share of its filled cells that are amounts of money, negative ones too. */
  readonly share: number;
  /** Whether all amounts are in another currency. */
  readonly isForeign: boolean;
  readonly pieces: CostColumn['pieces'];
  /** Whether a cost of another unit than the code's cannot be converted. */
  readonly isUnknown: boolean;
  readonly rank: number;
};

/** Chooses the cost column; `wanted` is the one that the user named. */
export function chooseCost(table: Table, wanted: number | null): ChosenCost {
  const { headings, identifier, names } = table;
  const all = wanted === null ? headings.map((_, at) => at) : [wanted];
  const candidates = all
    .filter((at) => wanted !== null || (at !== identifier && isCostHeading(headings[at] ?? '')))
    .map((at) => candidateAt(at, table));
  const usable = candidates.filter(
    ({ isForeign, share }) => wanted !== null || (!isForeign && share > 0),
  );
  const [best = null] = usable.toSorted((a, b) => b.rank - a.rank);
  const isUsed = best !== null && (wanted !== null || !best.isUnknown);
  const others = usable.filter((each) => each !== best && each.share >= ENOUGH_AMOUNTS);
  const remarks = [
    ...candidates
      .filter((each) => !usable.includes(each))
      .map(({ at, isForeign }) =>
        isForeign
          ? `Column "${names[at]}" is not in ${table.currency}, so its costs are not used.`
          : `Column "${names[at]}" has no amounts, so it is not used for costs.`,
      ),
    best === null ? null : piecesRemark(best, table, isUsed),
    isUsed ? unclearRemark(best, table) : null,
    isUsed && others.length > 0
      ? `"${names[best.at]}" has the costs; ${listed(others.map(({ at }) => names[at] ?? ''))} could too.`
      : null,
  ].filter((each) => each !== null);
  if (!isUsed) return { column: null, remarks };
  const { at, mark, pieces } = best;
  const column = {
    at,
    mark,
    currency: table.currency,
    currencyAt: currencyColumn(at, table),
    pieces,
    isMultiplied: table.isOfPackages,
  };
  return { column, remarks };
}

function candidateAt(at: number, table: Table): Candidate {
  const { rows, headings, isOfPackages, currency } = table;
  const heading = headings[at] ?? '';
  const cells = rows
    .map(({ cells: each }) => each[at]?.trim() ?? '')
    .filter((cell) => cell !== '' && cell !== heading);
  const mark = decimalMarkOf(cells, currency);
  const read = cells.map((cell) => readAmountCell(cell, mark, currency));
  const amounts = read.filter((each) => each.cents !== null || isNegative(each)).length;
  const share = amounts / Math.max(1, cells.length);
  const named = currenciesNamed(heading);
  const isForeign =
    (named !== undefined && !named.includes(currency)) ||
    (amounts === 0 && read.some(({ problem }) => problem?.startsWith('is in') === true));
  const stated = piecesStated(heading);
  const kind = stated !== null ? 'package' : headingUnit(heading);
  const isOfOther = kind !== null && (kind === 'package') !== isOfPackages;
  const contents = stated === null ? contentsColumn(at, table) : { count: stated };
  const pieces = isOfOther ? contents : null;
  const isUnknown = isOfOther && pieces === null;
  const directness = kind === null ? 2 : isOfOther ? (isUnknown ? 0 : 1) : 3;
  const rank =
    (share >= ENOUGH_AMOUNTS ? 10 : 0) +
    2 * directness +
    (isCostName(heading) ? 1 : 0) +
    yearIn(heading) / 10_000 +
    (named?.length === 1 ? 0.5 : 0);
  return { at, mark, share, isForeign, pieces, isUnknown, rank };
}

const NOW = 9_999;

/** Returns the year in a heading. Of several costs the latest holds, and the one without a year before all. */
function yearIn(heading: string): number {
  return Number(/(?<!\d)20\d\d(?!\d)/.exec(heading)?.[0] ?? NOW);
}

/** Returns the currencies that a heading names by a code, a sign or a name: `Cost (Euro)`. */
function currenciesNamed(heading: string): readonly string[] | undefined {
  const words = heading.split(/[^\p{L}]+/u);
  const names = words.flatMap((word, at) => [word, `${word} ${words[at + 1] ?? ''}`]);
  return (
    codesAnywhere(heading) ??
    names
      .filter((name) => name.trim().length >= LEAST_NAME)
      .map((name) => wholeTextCodes(name))
      .find((codes) => codes !== undefined)
  );
}

/** Shorter names of currencies are words of other languages. */
const LEAST_NAME = 4;

/**
 * Returns the column that states how many pieces the package of a cost contains: of several, the one that names the same
 * package; null if it is unclear.
 */
function contentsColumn(cost: number, { rows, headings, identifier }: Table) {
  const columns = headings.flatMap((heading, at) => {
    const packages = at === cost || at === identifier ? null : packagesCounted(heading);
    if (packages === null) return [];
    const cells = rows.map(({ cells: each }) => each[at]?.trim() ?? '').filter(isFilled);
    const counts = cells.filter((cell) => countIn(cell) !== null).length;
    return counts * 2 > cells.length ? [{ at, packages }] : [];
  });
  const named = packagesNamed(headings[cost] ?? '');
  const same = columns.filter(({ packages }) => packages.some((each) => named.includes(each)));
  const fewest = Math.min(...same.map(({ packages }) => packages.length));
  const [only, ...more] =
    same.length > 0 ? same.filter(({ packages }) => packages.length === fewest) : columns;
  return only === undefined || more.length > 0 ? null : { at: only.at };
}

const isFilled = (cell: string): boolean => cell !== '';

const MEASURE = '(?:g|kg|mg|ml|cl|l|oz|lb|fl ?oz|cm|mm|m|w)';
/** `12/500ml` and `12 x 1`: the number of pieces, and the size of one. */
const PIECES_OF = new RegExp(
  `^(\\d{1,5}) ?[x×*/] ?(?:1(?!\\d)|[\\d.,]+ ?${MEASURE}(?!\\p{L}))|^1 ?[x×*/] ?(\\d{1,5})(?! ?${MEASURE}(?!\\p{L}))`,
  'iu',
);

/** Reads the number of pieces in a package, `12`, `12 pcs`, `x12`; null if the cell has no number or several. */
function countIn(cell: string): number | null {
  const [, several, one] = PIECES_OF.exec(cell) ?? [];
  const number = several ?? one ?? /^\D{0,12}(\d{1,5})(?:[.,]0+)?\D{0,12}$/.exec(cell)?.[1];
  return number === undefined || Number(number) === 0 ? null : Number(number);
}

const CURRENCY_HEADING =
  /(?:curr(?:ency)?|ccy|cur|währung|devise|moneda|divisa|moeda|valuta|waluta|měna|mena|pénznem|валюта|通貨|币种|货币)/iu;

/** Returns the nearest column of currencies to a column of costs. */
function currencyColumn(cost: number, { rows, headings }: Table): number | null {
  const columns = headings.flatMap((heading, at) => {
    if (!CURRENCY_HEADING.test(heading) || at === cost) return [];
    const cells = rows.map(({ cells: each }) => each[at]?.trim() ?? '').filter(isFilled);
    const known = cells.filter((cell) => wholeTextCodes(cell) !== undefined).length;
    return known > 0 && known * 10 >= (cells.length - 1) * 9 ? [at] : [];
  });
  const [nearest = null] = columns.toSorted((a, b) => Math.abs(a - cost) - Math.abs(b - cost));
  return nearest;
}

/** Reads what one unit of the row's code costs; null if the cell is empty. */
export function costIn(cells: readonly string[], column: CostColumn): AmountCell | null {
  const { at, mark, currency, currencyAt, pieces, isMultiplied } = column;
  const cell = cells[at]?.trim() ?? '';
  if (cell === '') return null;
  const stated = currencyAt === null ? undefined : wholeTextCodes(cells[currencyAt]?.trim() ?? '');
  if (stated !== undefined && !stated.includes(currency)) {
    return { cents: null, problem: `is in ${stated[0]}, not ${currency}` };
  }
  const amount = readAmountCell(cell, mark, currency);
  if (amount.cents === null || pieces === null) return amount;
  const count = 'count' in pieces ? pieces.count : countIn(cells[pieces.at]?.trim() ?? '');
  if (count === null) {
    return { cents: null, problem: 'is of a package, and the row does not state its contents' };
  }
  const cents = isMultiplied ? amount.cents * count : Math.round(amount.cents / count);
  return { cents, problem: null };
}

function piecesRemark(
  { at, pieces, isUnknown }: Candidate,
  { names, isOfPackages }: Table,
  isUsed: boolean,
): string | null {
  const name = names[at] ?? '';
  const [unit, other, done] = isOfPackages
    ? ['piece', 'package', 'multiplied']
    : ['package', 'piece', 'divided'];
  if (isUnknown) {
    const what = isUsed ? 'are used as they are' : 'are not used';
    return `Costs in "${name}" are per ${unit}, the codes those of a ${other}, and no column states how many pieces a package contains: they ${what}.`;
  }
  if (pieces === null) return null;
  const by = 'count' in pieces ? String(pieces.count) : `"${names[pieces.at]}"`;
  return `Costs in "${name}" are per ${unit}; they are ${done} by ${by}.`;
}

/** With codes of both pieces and packages, a cost may apply to either. */
function unclearRemark({ at }: Candidate, { names, headings, hasBoth }: Table): string | null {
  if (!hasBoth || headingUnit(headings[at] ?? '') !== null) return null;
  return `"${names[at]}" does not say whether it is the cost of a piece or a package; it is used for the codes.`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
