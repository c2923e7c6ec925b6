// Determines the meaning of headings in suppliers' sheets, in the languages of the word files. Pure.

import { typedText } from '../../base/identifiers/typed-text.ts';
import { oneOf } from '../../base/listing/words/all-languages.ts';
import type { Meaning } from '../../base/listing/words/language-words.ts';
import { once } from '../../base/once.ts';

/** Letters that are not a letter with a diacritic, and what is typed for them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
};

function withoutMarks(text: string): string {
  const bare = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return bare.replaceAll(/[ıłøđß]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Returns a heading as lower-case words. What brackets with a number in them say is about the contents of a package. */
function headingText(heading: string): string {
  const typed = typedText(heading)
    .replaceAll(/\([^()]*\d[^()]*\)/g, ' ')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase();
  return withoutMarks(typed)
    .replaceAll(/[^\p{L}\p{N}%€$£'’"]+/gu, ' ')
    .trim();
}

/** Scripts whose words have blanks between them. */
const LETTER = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]';
const BEGIN = `(?:(?<!${LETTER})|(?!${LETTER}))`;
const END = `(?:(?!${LETTER})|(?<!${LETTER}))`;

/** Compiles a pattern for words of a meaning, and for `more`, in a heading. */
function words(meaning: Meaning, more = ''): () => RegExp {
  return once(() => {
    const all = withoutMarks(oneOf(meaning)).replaceAll('-?', ' ?');
    const also = more === '' ? '' : `|${more}`;
    return new RegExp(`${BEGIN}(?:${all}${also})${END}`, 'giu');
  });
}

const packageWords = words('headsPackage', '(?:dun|itf|scc|tun)(?: ?14)?|sscc');
const pieceWords = words('headsPiece');
const costWords = words('headsCost');
const formerWords = words('headsFormer');
const otherWords = words('headsOther');
const netWords = once(() => {
  const [net, without, tax] = (['net', 'withoutTax', 'tax'] as const).map((each) => oneOf(each));
  const all = withoutMarks(`${net}|netto|nett|${without} ?${tax}`);
  return new RegExp(`${BEGIN}(?:${all})${END}`, 'giu');
});
const priceWords = once(() => new RegExp(withoutMarks(oneOf('priceName')), 'giu'));
const countWords = words('headsCount');
const barcodeWords = words('barcode', '(?:ean|gtin|upc|isbn|jan) ?(?:8|1[0234])?(?:[ae]|code)?');

const has = (pattern: () => RegExp, text: string): boolean => text.search(pattern()) !== -1;

/** What a heading is about: a package, or a single piece of what packages contain. Null if it does not say. */
export function headingUnit(heading: string): 'package' | 'piece' | null {
  const text = headingText(heading);
  const rest = text.replaceAll(packageWords(), ' ');
  if (has(pieceWords, rest)) return 'piece';
  return rest === text ? null : 'package';
}

/** Checks whether a heading has the name of a code. */
export function namesCode(heading: string): boolean {
  const text = headingText(heading);
  return has(barcodeWords, text) || /(?<!\p{L})asin(?!\p{L})/u.test(text);
}

/** Words that say nothing more about a code. */
const EMPTY_WORDS =
  /(?<!\p{L})(?:codes?|no|nr|num|numbers?|nummer|numero|n|products?|produ[ck]t[oe]?s?|prod|items?|articles?|arti[ck][eu]lo?s?|art|id|the|of|de|du|del|or|and|und|et|y)(?!\p{L})/gu;

/** Checks whether a heading is the name of a code, and nothing else but words for a piece. */
export function isCodeName(heading: string): boolean {
  const text = headingText(heading);
  const rest = [barcodeWords(), pieceWords(), EMPTY_WORDS, /\basin\b/g].reduce(
    (left, pattern) => left.replaceAll(pattern, ' '),
    text,
  );
  return namesCode(heading) && !/[\p{L}\p{N}]/u.test(rest);
}

/** Checks for a heading of what held formerly. */
export function isFormer(heading: string): boolean {
  return has(formerWords, headingText(heading));
}

/** Checks for a heading of what a product costs: the word, or a price that is net, or of a piece or a package. */
export function isCostHeading(heading: string): boolean {
  const text = headingText(heading);
  const rest = text.replaceAll(costWords(), ' ');
  if (text.includes('%') || namesCode(heading)) return false;
  const isQualified = headingUnit(heading) !== null || has(netWords, text);
  if (rest === text && !(isQualified && has(priceWords, text))) return false;
  return !has(formerWords, rest) && !has(otherWords, rest);
}

/** Checks whether such a heading has no other words than those for a cost, a piece or a package. */
export function isCostName(heading: string): boolean {
  const rest = [costWords(), pieceWords(), packageWords()].reduce(
    (left, pattern) => left.replaceAll(pattern, ' '),
    headingText(heading),
  );
  return !/\p{L}{2}/u.test(rest.replaceAll(/\b(?:per|pro|je|par|por|a|the)\b/g, ' '));
}

/** Stocks and orders are counted in packages too. */
const NOT_CONTENTS =
  /(?<!\p{L})(?:min(?:imum)?|moq|order\p{L}*|stock|avail\p{L}*|hand|layers?|weight|dim\p{L}*|length|width|height|lead|volume|gross|net)(?!\p{L})/u;

/** Between a number of things and what contains them: `Units per case`, `Stück/Karton`. */
const PER = /\/|(?<!\p{L})(?:per|pro|je|in|par|por|x|w|na|i)(?!\p{L})/iu;

/**
 * Returns the packages whose contents a heading counts: `Case pack`, `Stück je Karton`; null for any other heading, such as that
 * of packages in another one.
 */
export function packagesCounted(heading: string): readonly string[] | null {
  const text = headingText(heading);
  if (namesCode(heading) || has(costWords, text) || NOT_CONTENTS.test(text)) return null;
  if (has(otherWords, text.replaceAll(countWords(), ' '))) return null;
  const [counted = '', ...containers] = heading.split(PER);
  const isOfPackages = headingUnit(counted) === 'package' && packagesNamed(counted).length > 0;
  if (isOfPackages && containers.some((each) => packagesNamed(each).length > 0)) return null;
  const named = packagesNamed(heading);
  const isPackage = text.search(packageWords()) !== -1;
  return isPackage || /入り?数|입수/u.test(text) ? named : null;
}

/** Returns the words for packages in a heading, each as its first four letters, without the word that all contents have. */
export function packagesNamed(heading: string): readonly string[] {
  return [...headingText(heading).matchAll(packageWords())]
    .flatMap(([word]) => word.split(' '))
    .filter((word) => word !== '' && !/^packs?$/.test(word))
    .map((word) => word.slice(0, 4));
}

const DOZEN = words('dozen', 'doz|dz|dzn|dutzend');
const PER_NUMBER =
  /(?:(?<!\p{L})(?:per|pro|je|par|por|cada|na|za|за) +|\/ *)(\d{2,4})(?![\d.,])(?! ?(?:g|kg|ml|l|lb|m|cm|mm)(?!\p{L}))/iu;

/** Returns the number of pieces that a heading of costs states: 12 in `Cost per dozen`, 100 in `Preis pro 100`. */
export function piecesStated(heading: string): number | null {
  if (has(DOZEN, headingText(heading))) return 12;
  const number = PER_NUMBER.exec(typedText(heading))?.[1];
  return number === undefined ? null : Number(number);
}
