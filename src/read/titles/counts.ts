// Reads the packs and pieces that a title states, and compares two titles by their totals: "24 Pack" equals "2 x 12 Pack" and
// "12 ct (Pack of 2)", while 60 capsules are not 120. A record's pack count is read elsewhere (pack-count.ts).

import { oneOf } from '../../base/listing/words/all-languages.ts';
import { titlePackCount } from './pack-count.ts';

export type StatedCounts = {
  /** The number of packs, with nested packs multiplied; 1 when the title states none. */
  readonly packs: number;
  /** The number of pieces, in one pack or in all packs; null when not stated. */
  readonly pieces: number | null;
  /** Whether the title states the packs; false when a field or nothing does. */
  readonly isInTitle: boolean;
  /** The number of packs if a repeated number means nested packs: "6-Pack (Pack of 6)". */
  readonly packsOfPacks: number;
};

const NUMBER = String.raw`(\d{1,3}(?:,\d{3})+|\d{1,5})(?![.,]?\d)`;
const PACK = '(?:packs?|pks?|pkgs?|multipacks?)';
const HOLDER =
  '(?:packs?|pk|case|cases|box|boxes|set|lot|carton|bundle|bag|bags|tub|tubs|sleeves?)';
/** Plural words for pieces: "60 tablets" are pieces, "10 Max Tablet" is a name. */
const PIECES = oneOf('countedPieces');

/**
 * Numbers in brackets that do not count packs: `Battery Pack (5751B002)`, `Battery Pack (010-11654)`, `Phone Case (2023)`, `Case
 * (2nd Generation)`.
 */
const CODE = String.raw`\d+(?:[a-z]+|-)\d|(?:19|20)\d\d\)|\d+(?:st|nd|rd|th)\b`;

const OF = new RegExp(
  // "L-BOXX 136" is the name of a case.
  String.raw`\b(?:${HOLDER}\s+of|(?:packs?|pk|case|box|carton)(?:\s+x|\s*(?:/|\((?!(?:${CODE})))))\s*${NUMBER}`,
  'g',
);
const BEFORE = new RegExp(
  String.raw`(?<![a-z\d.,/-])${NUMBER}[\s-]*(?:value |count |bonus |family )?${PACK}\b`,
  'g',
);
const TIMES = new RegExp(
  // `6527 x5` is a model number, `2 x5` a multiplication.
  String.raw`(?<![a-z\d.,/-])(?!\d{3,5}\s+x\d)${NUMBER}\s*x\s*${NUMBER}[\s-]*(?:${PACK}|${PIECES})\b`,
  'g',
);
const OF_PACKS = new RegExp(
  String.raw`(?<![a-z\d.,/-])${NUMBER}\s+${HOLDER}\s+of\s+${NUMBER}`,
  'g',
);
const COUNT = new RegExp(
  // "Intensity 11 Coffee Capsules".
  String.raw`(?<![a-z\d.,/#-])(?=\d)(?<!\bintensi[a-z]{1,3} )${NUMBER}[\s-]*(?:[a-z]{3,12}\s)?${PIECES}\b(?!\s*(?:capacity|compatible|holder|dispenser))`,
  'g',
);

function numberOf(text: string | undefined): number {
  return Number((text ?? '').replaceAll(',', ''));
}

/** Removes every match from the text, so that no number is read twice. */
function taken(text: string, pattern: RegExp, take: (numbers: readonly number[]) => void): string {
  return text.replaceAll(pattern, (...match: readonly unknown[]) => {
    const numbers = match.slice(1, 3).filter((each) => typeof each === 'string');
    take(numbers.map(numberOf).filter((each) => each > 0));
    return ' | ';
  });
}

/**
 * The largest pack count of a record that is accepted although no phrase here explains it. A larger one was read from a model
 * number.
 */
const MOST_READ = 144;

/** Whether the count is glued to an `x`: `19X Watch` and `X5` are as often names as pack counts. */
function isGlued(plain: string, count: number): boolean {
  return new RegExp(`\\b(?:${count}x|x\\s?${count})\\b`).test(plain);
}

type Found = { readonly packs: number[]; readonly pieces: Set<number>; readonly rest: string };

function countsIn(plain: string): Found & { readonly product: number } {
  const packs: number[] = [];
  const pieces = new Set<number>();
  let product = 1;
  const multiply = ([outer = 1, inner = 1]: readonly number[]): void => {
    product *= outer * inner;
  };
  let rest = plain.replaceAll('×', 'x');
  rest = taken(rest, TIMES, multiply);
  rest = taken(rest, OF_PACKS, multiply);
  rest = taken(rest, OF, ([count = 1]) => packs.push(count));
  rest = taken(rest, BEFORE, ([count = 1]) => packs.push(count));
  rest = taken(rest, COUNT, ([count = 1]) => pieces.add(count));
  return { packs, pieces, rest, product };
}

/** Returns the title without its statements of packs and pieces. */
export function withoutCounts(plain: string): string {
  return countsIn(plain).rest;
}

/** Reads the counts. `plain` is the lower-case title; `packCount` is the record's, from a field or the title. */
export function statedCounts(plain: string, packCount: number | null): StatedCounts {
  const { packs: found, pieces, product } = countsIn(plain);
  const [first = null] = pieces.size === 1 ? pieces : [];
  const times = (numbers: Iterable<number>): number =>
    [...numbers].reduce((all, each) => all * each, product);
  const packs = times(new Set(found));
  if (packs > 1 || found.length > 0) {
    // "24 rolls (4 packs of 6)": the pieces are the sum.
    const isSum = first === packs && (product > 1 || found.length > 1);
    return { packs, pieces: isSum ? null : first, isInTitle: true, packsOfPacks: times(found) };
  }
  const isCount =
    packCount === null || packCount === first || packCount > MOST_READ || isGlued(plain, packCount);
  const isInTitle = !isCount && titlePackCount(plain) === packCount;
  const stated = isCount ? 1 : packCount;
  return { packs: stated, pieces: first, isInTitle, packsOfPacks: stated };
}

type CountRelation = 'same' | 'other_packs' | 'other_pieces' | 'silent';

/** Compares two counts. `silent` means that only one side states several packs, so the two titles are inconclusive. */
export function countRelation(a: StatedCounts, b: StatedCounts): CountRelation {
  const all = ({ packs, pieces }: StatedCounts): number => packs * (pieces ?? 1);
  if (all(a) === all(b)) return 'same';
  if (a.packsOfPacks === b.packs || b.packsOfPacks === a.packs) {
    if (a.pieces === b.pieces || a.pieces === null || b.pieces === null) return 'same';
  }
  if (a.pieces !== null && b.pieces !== null) {
    if (a.pieces !== b.pieces) {
      const isSum = a.packs !== b.packs && (a.pieces === all(b) || b.pieces === all(a));
      return isSum ? 'same' : 'other_pieces';
    }
    return a.packs > 1 && b.packs > 1 ? 'other_packs' : 'silent';
  }
  if (a.packs === b.packs || a.pieces === b.packs || b.pieces === a.packs) return 'same';
  return a.packs > 1 && b.packs > 1 ? 'other_packs' : 'silent';
}
