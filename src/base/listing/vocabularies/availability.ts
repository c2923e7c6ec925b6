// Reads statements about stock by shops, feeds and schema.org as two facts: whether the product can be bought online now, and
// whether the listing is permanently gone (D24). Unknown words yield null: stock is never guessed.

import { cleanText } from '../text/text.ts';
import { oneOf, wordsFor } from '../words/all-languages.ts';
import { notUnderstood, understood } from './unknown-words.ts';
import type { Understood } from './unknown-words.ts';

export type Availability = {
  /** True if it can be bought online now. False also if it can only be ordered (PreOrder, BackOrder). */
  readonly inStock: boolean | null;
  /** True if it is gone, ended or discontinued; false if it is buyable or only out of stock. */
  readonly unavailable: boolean | null;
};

const IN: Availability = { inStock: true, unavailable: false };
const OUT: Availability = { inStock: false, unavailable: false };
/** Same, but a button may take the order: a back order, a pre-order, a special order, a display piece. */
const TO_ORDER: Availability = { inStock: false, unavailable: false };
const GONE: Availability = { inStock: false, unavailable: true };
/** Not sold now; the word does not say whether it will be available again. */
const UNSURE: Availability = { inStock: false, unavailable: null };

/** Values of fields: schema.org, OpenGraph, merchant feeds, retailers; letters only, lower case. */
const VALUES: readonly (readonly [Availability, string])[] = [
  [
    IN,
    'instock limitedavailability onlineonly madetoorder available availablefororder ' +
      'instockscarce ' +
      'limitedstock limitedsupply lastfewitems leadtime addtocart lowstock lastone lastitem true ' +
      'instocknow availablenow availableonline instockonline',
  ],
  [
    OUT,
    'outofstock soldout instoreonly reserved oos ' +
      'comingsoon ' +
      'availabledate preorderunsellable backorderunsellable ' +
      'checkstores temporarilyunavailable temporarilyoutofstock ' +
      'currentlyunavailable ' +
      'notinstock nostock outofstockonline ' +
      'currentlyoutofstock notifyme false',
  ],
  [
    TO_ORDER,
    'preorder presale preordersellable availableforpreorder preorderonly preordered ' +
      'backorder backordered backordersellable backorderonly availableonbackorder onbackorder ' +
      'specialorder specialorderonly displayonly showroomonly floormodelonly',
  ],
  [GONE, 'discontinued retired ended completed nolongeravailable listingended productdiscontinued'],
  [UNSURE, 'unavailable notavailable notavailableonline notforsale itemnotavailable'],
];

/** Phrases that shops show, without diacritics, `#` for a number. Longer phrases are tried first. */
const PHRASES: readonly (readonly [Availability, readonly string[]])[] = [
  [IN, wordsFor('inStock')],
  [OUT, wordsFor('outOfStock')],
  [TO_ORDER, wordsFor('onlyToOrder')],
  [GONE, wordsFor('gone')],
];

/** Listed values that do not determine stock: they are known, so they do not count as unknown words. */
const OPEN_VALUES: ReadonlySet<string> = new Set(
  'unknown pending itemavailability availability null none na n/a undefined'.split(' '),
);

/** Words around a phrase that turn it into a question, a promise or an invitation to contact the shop. */
const OPEN = new RegExp(`\\b${oneOf('stockOpen')}\\b|\\b${oneOf('stockFrom')} #|\\?`, 'u');

/** Words that negate a stock phrase. */
const NEGATION = new RegExp(
  `\\b${oneOf('stockNegation')}\\b|(?:^|\\s)${oneOf('stockNegationElsewhere')}(?:\\s|$)|${oneOf('stockNegationParts')}`,
  'u',
);

/** Words directly before "sold out" that mean some are left: "almost sold out" is in stock, or says nothing. */
const NEARLY = new RegExp(` ${oneOf('nearly')}$`, 'u');

const MAX_PHRASE = 120;

const BEYOND_ASCII = /[^\0-\x7f]/;

function fold(text: string): string {
  // Plain ASCII text only needs case folding.
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      // Hangul is recomposed, because the phrases are written in its syllables.
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('ł', 'l')
      .replaceAll(/[øœæ]/g, (letter) => (letter === 'ø' ? 'o' : letter === 'œ' ? 'oe' : 'ae'))
      .replaceAll('ı', 'i')
  );
}

/** Keeps only words and numbers: `Skladem (> 5 ks)` becomes `skladem # ks`. */
function phraseOf(text: string): string {
  const folded = fold(text);
  const counted = folded.replaceAll(/\d+/g, '#').replaceAll('?', ' ? ');
  // The pattern for letters of all scripts takes three times as long.
  const letters = BEYOND_ASCII.test(counted) ? /[^\p{L}#?]+/gu : /[^a-z#?]+/g;
  return counted.replaceAll(letters, ' ').trim();
}

const VALUE_TABLE: ReadonlyMap<string, Availability> = new Map(
  VALUES.flatMap(([meaning, words]) =>
    words.split(' ').map((word): [string, Availability] => [word, meaning]),
  ),
);

/** Scripts without blanks between words (Chinese, Japanese), in which word boundaries cannot be checked. */
const UNSPACED = /[\u3040-\u9fff\uac00-\ud7af]/;

/** A phrase as it appears in a line, surrounded by blanks, its meaning, and its rank: longer phrases are tried first. */
type Phrase = {
  readonly text: string;
  readonly meaning: Availability;
  readonly rank: number;
};

const rankOf = (meaning: Availability): number => (meaning === IN ? 1 : 0);

const PHRASE_LIST: readonly (Phrase & { readonly first: string | null })[] = PHRASES.flatMap(
  ([meaning, phrases]) => phrases.map((phrase) => ({ phrase: phraseOf(phrase), meaning })),
)
  // Of phrases of one length, one that does not promise stock comes first.
  .sort((a, b) => b.phrase.length - a.phrase.length || rankOf(a.meaning) - rankOf(b.meaning))
  .map(({ phrase, meaning }, rank) =>
    UNSPACED.test(phrase)
      ? { text: phrase, meaning, rank, first: null }
      : { text: ` ${phrase} `, meaning, rank, first: phrase.split(' ', 1)[0] ?? '' },
  );

/** Phrases by their first word: few words of a line begin one. */
const PHRASES_OF_WORD: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  PHRASE_LIST.filter(({ first }) => first !== null),
  ({ first }) => first ?? '',
);
/** Phrases of unspaced scripts by their first letter. */
const PHRASES_OF_LETTER: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  PHRASE_LIST.filter(({ first }) => first === null),
  ({ text }) => text.charAt(0),
);

/** Returns the longest phrase in a line that is surrounded by blanks. */
function longestPhrase(spaced: string): Phrase | null {
  let best: Phrase | null = null;
  const consider = (phrase: Phrase): void => {
    if (best !== null && best.rank < phrase.rank) return;
    if (spaced.includes(phrase.text)) best = phrase;
  };
  for (const word of spaced.split(' ')) PHRASES_OF_WORD.get(word)?.forEach(consider);
  if (UNSPACED.test(spaced)) {
    for (const letter of spaced) PHRASES_OF_LETTER.get(letter)?.forEach(consider);
  }
  return best;
}

/** Normalizes a field value: `https://schema.org/InStock/`, `schema:InStock`, `in-stock`, `IN_STOCK`. */
function nameOf(text: string): string {
  const path = text.replace(/\/+$/, '');
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('#')) + 1);
  const bare = name.replace(/^(?:schema(?:\.org)?:)/i, '').replaceAll(/[\s_.,!-]+/g, '');
  return bare.toLowerCase();
}

/** Returns whether a stock phrase is next to the number zero: "Auf Lager: 0", "0 op voorraad", "0 шт. в наличии". */
function isNone(text: string, phrase: string): boolean {
  if (!/(?<![\d.,])0(?![\d.,])/.test(text)) return false;
  const plain = ` ${fold(text)
    .replaceAll(/[^\p{L}\d.,]+/gu, ' ')
    .trim()} `;
  const at = plain.indexOf(phrase);
  if (at < 0) return false;
  const after = plain.slice(at + phrase.length);
  return (
    /\s0(?:\s\p{L}{1,10}\.?)?\s$/u.test(plain.slice(0, at)) ||
    /^\s0(?:\s\p{L}{1,4}\.?)?\s$/u.test(after)
  );
}

function phraseMeaning(text: string): Availability | null {
  const spaced = ` ${phraseOf(text)} `;
  const phrase = longestPhrase(spaced);
  if (phrase === null) return null;
  const { meaning } = phrase;
  const isNearly = meaning === OUT && NEARLY.test(spaced.slice(0, spaced.indexOf(phrase.text)));
  if (isNearly) return null;
  if (meaning === IN && isNone(text, phrase.text.trim())) return OUT;
  const rest = spaced.replace(` ${phrase.text.trim()} `, ' ');
  if (meaning === IN && (NEGATION.test(rest) || OPEN.test(rest))) return null;
  // "Sold out? Notify me" is still sold out; an open phrase next to it contradicts nothing.
  return meaning;
}

/**
 * Reads an availability field or phrase, in any spelling of schema.org, OpenGraph and merchant feeds, and in the common
 * words of shops in the languages of `words`. Anything else is unknown, never a guess.
 */
export function readAvailability(text: string): Understood<Availability> {
  const line = cleanText(text, MAX_PHRASE + 1);
  if (line === '') return understood<Availability>(null);
  const meaning = line.length > MAX_PHRASE ? null : meaningOf(line);
  const isKnown = meaning !== null || OPEN_VALUES.has(nameOf(line));
  return isKnown ? understood(meaning) : notUnderstood('availability', line);
}

/**
 * Reads the stock status that a line of a page states. Such a line is more often prose than a listed word, so unknown words
 * are not reported.
 */
export function availabilityIn(text: string): Availability | null {
  const line = cleanText(text, MAX_PHRASE + 1);
  return line === '' || line.length > MAX_PHRASE ? null : meaningOf(line);
}

/**
 * Whether a text says that the product can only be ordered or looked at, regardless of the button next to it. Without a
 * label, only its first words say so: "special order" also occurs in the terms of a shop.
 */
export function isOnlyToOrder(text: string, isLabelled: boolean): boolean {
  const line = cleanText(text, MAX_PHRASE + 1);
  if (line.length > MAX_PHRASE || meaningOf(line) !== TO_ORDER) return false;
  const spaced = ` ${phraseOf(line)} `;
  const first = longestPhrase(spaced)?.text.trim();
  return isLabelled || first === undefined || spaced.startsWith(` ${first}`);
}

function meaningOf(line: string): Availability | null {
  // "0 in stock", "noch 0 verfügbar": the number decides, not the words.
  if (/(?:^|\s)0 (?:left|in stock|available|items?|st(?:ü|u)ck|ks|szt)|残り\s?0点/i.test(line))
    return OUT;
  return VALUE_TABLE.get(nameOf(line)) ?? phraseMeaning(line);
}
