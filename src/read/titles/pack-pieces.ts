// Phrases in a title that count pieces or things without naming packs: dozens, pairs, pieces, "12 pads of 50 sheets", "12
// count". They only count when the title has no stronger phrase.

import { leadingFactor, trailingFactor } from './pack-multipliers.ts';
import { belongsToCode, isForeign, countedNumberAt, skipHyphen, tokenText } from './pack-number.ts';
import type { CountedNumber, Tokens } from './pack-number.ts';
import { isShareOf, thingPhrase, type PackPhrase } from './pack-phrases.ts';
import {
  CLOTHES_NOUNS,
  CONTAINERS,
  DESCRIBING,
  DOZENS,
  FOR_UNITS,
  GRADES,
  MEASURED_IN_PIECES,
  MULTIPLIED_UNITS,
  OF_WORDS,
  PIECE_WORDS,
  ROUNDS,
  SET_GOODS,
  SOLD_IN_NUMBERS,
  UNIT_NOUNS,
} from './pack-words.ts';

/** Matches `dozen`, `1-dozen`, `2 dz`, `half dozen`. */
function dozens(tokens: Tokens, index: number): PackPhrase | null {
  const number = countedNumberAt(tokens, index);
  const last = number === null ? '' : tokenText(tokens, number.end - 1);
  if (number !== null && DOZENS.has(last)) {
    return thingPhrase(tokens, index, { count: number.value, tier: 2, end: number.end });
  }
  const alone = /^(?:dozen|dz|doz|dutzend)$/.test(tokenText(tokens, index));
  const before = tokenText(tokens, index - 1);
  if (!alone || /^(?:by|the|s|bakers|daily|dirty)$/.test(before)) return null;
  // `DZ1440` is a model.
  if (tokens[index + 1]?.kind === 'number' && tokens[index + 1]?.isGlued === true) return null;
  return thingPhrase(tokens, index, { count: 12, tier: 2, end: index + 1 });
}

/** Matches `12 pads of 50 sheets`: a number of things, and the content of each. */
function nested(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  const noun = tokenText(tokens, number.end);
  if (tokens[number.end]?.kind !== 'word' || !noun.endsWith('s') || noun.length < 4) return null;
  if (/^(?:days|hours|years|months|weeks|minutes|meters|metres|yards|inches)$/.test(noun))
    return null;
  if (!OF_WORDS.has(tokenText(tokens, number.end + 1))) return null;
  const inner = countedNumberAt(tokens, number.end + 2);
  if (inner === null || number.value === 1) return null;
  const said = thingPhrase(tokens, number.start, { count: number.value, tier: 2, end: inner.end });
  return said === null ? null : { ...said, total: number.value * inner.value };
}

/** Whether the word is a holder: "60 cans beverage center", but not "60 rolls with dispenser". */
function isHolder(tokens: Tokens, index: number): boolean {
  if (!FOR_UNITS.has(tokenText(tokens, index))) return false;
  return !/^(?:with|w|plus|and|\+|&)$/.test(
    tokenText(tokens, tokenText(tokens, index - 1) === '/' ? index - 2 : index - 1),
  );
}

/** Whether a measure shows that the things have content: "6 bags (11 oz)" are filled bags, not the bags of a roll. */
function isFilled(tokens: Tokens, index: number): boolean {
  const isAmount = tokens[index + 1]?.kind === 'number';
  return (
    tokenText(tokens, index) === '(' &&
    isAmount &&
    MULTIPLIED_UNITS.has(tokenText(tokens, index + 2))
  );
}

/** Matches `5 90-sheet pads`: products with a number of pieces in each. */
function described(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  let at = number.end;
  const inner = tokens[at];
  if (inner?.kind === 'number') {
    const word = tokenText(tokens, at + 1) === '-' ? at + 2 : at + 1;
    if (!DESCRIBING.has(tokenText(tokens, word))) return null;
    at = word + 1;
    // "Twelve 100 sheet per pack": the title omits what is counted.
    if (tokenText(tokens, at) === 'per') {
      return thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: at });
    }
  }
  const most = at + MOST_GRADES;
  while (at < most && GRADES.has(tokenText(tokens, at))) at += 1;
  const noun = tokenText(tokens, at);
  if (noun === 'bags' && isFilled(tokens, at + 1)) {
    return thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: at + 1 });
  }
  // "60 cans beverage center": its capacity.
  if (!UNIT_NOUNS.has(noun) || tokens.some((_, index) => isHolder(tokens, index))) return null;
  return thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: at + 1 });
}

/** `8 Double Plus Rolls`: size names that makers use for their rolls and bottles. */
const MOST_GRADES = 3;

/** Maximum number of words between a number and the thing that it counts. With more words it means something else. */
const MOST_QUALITIES = 4;

/** Numbers that may count clothes. A larger number is not a pack of clothes, and 1 is a child's size. */
const CLOTHES = { least: 2, most: 30 };

/** Matches `6 Tagless Cotton Briefs`: clothes sold by the number, with descriptive words in between. */
function worn(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  const { value: count, end } = number;
  if (count < CLOTHES.least || count > CLOTHES.most) return null;
  for (let at = end; at <= end + MOST_QUALITIES; at += 1) {
    const token = tokens[at];
    const text = token?.text ?? '';
    if (CLOTHES_NOUNS.has(text)) {
      return thingPhrase(tokens, number.start, { count, tier: 1, end: at + 1 });
    }
    const isHyphen = text === '-' && token?.isGlued === true && at > end;
    if (!isHyphen && (token?.kind !== 'word' || DESCRIBING.has(text) || OF_WORDS.has(text)))
      return null;
  }
  return null;
}

/** Matches `6-12 oz cans`: six cans of twelve ounces, as drinks are labelled. */
function dashed(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  if (tokenText(tokens, number.end) !== '-' || tokens[number.end + 1]?.kind !== 'number')
    return null;
  let at = number.end + 2;
  if (!/^(?:oz|fl|ml|ounce|liter|l)$/.test(tokenText(tokens, at))) return null;
  while (/^(?:oz|fl|ml|ounce|liter|l|\.)$/.test(tokenText(tokens, at)) && at < number.end + 6)
    at += 1;
  if (!/^(?:cans|bottles|boxes|pouches|cartons|jars)$/.test(tokenText(tokens, at))) return null;
  return thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: at + 1 });
}

/** Maximum number of pairs; a larger number is a model name ("Dumbbells 552 Pair"). */
const MOST_PAIRS = 200;

function pieces(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  const word = tokenText(tokens, number.end);
  const { value: count, end } = number;
  if (isShareOf(tokens, end + 1)) return null;
  if (PIECE_WORDS.has(word)) {
    const isOne = tokens.some(({ text }) => SET_GOODS.has(text));
    return isOne ? null : thingPhrase(tokens, number.start, { count, tier: 2, end: end + 1 });
  }
  if (/^(?:ea|each)$/.test(word)) {
    return thingPhrase(tokens, number.start, { count, tier: 2, end: end + 1 });
  }
  const paired = skipHyphen(tokens, end);
  if (
    count <= MOST_PAIRS &&
    /^(?:pair|pairs|pr|prs|paar|paires|pares|paia)$/.test(tokenText(tokens, paired))
  ) {
    // Twisted pairs in a cable are not pairs of anything.
    const isCable = tokens.some(({ text }) => /^(?:cables?|cat|wires?|twisted)$/.test(text));
    return isCable ? null : thingPhrase(tokens, number.start, { count, tier: 2, end: paired + 1 });
  }
  const isMagazine = /^(?:mag|mags|magazine|magazines|capacity)$/.test(tokenText(tokens, end + 1));
  // `3rd`, and `4+1 rounds` in a magazine.
  const isRd = word === 'rd' && !CONTAINERS.has(tokenText(tokens, end + 1));
  if (ROUNDS.has(word) && !isMagazine && !isRd && tokenText(tokens, number.start - 1) !== '+') {
    return thingPhrase(tokens, number.start, { count, tier: 2, end: end + 1 });
  }
  return null;
}

/**
 * Matches counts such as `12 count`, `24 ct box`, `200 sheets 12 ct`. They only count goods sold by the number, not goods for
 * which a count measures one unit ("120 ct" tablets).
 */
function counts(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  const at = tokenText(tokens, number.end) === '-' ? number.end + 1 : number.end;
  if (!/^(?:ct|count|cnt)$/.test(tokenText(tokens, at)) || number.value > 1_000) return null;
  // A count before a roll, a bottle or a jar refers to its content.
  if (/^(?:roll|bottle|canister|jar|tube|spool|pad)$/.test(tokenText(tokens, at + 1))) return null;
  const said = thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: at + 1 });
  if (CONTAINERS.has(tokenText(tokens, at + 1)) && tokenText(tokens, at + 2) !== 'of') return said;
  // If the title states the content of each thing before the number, they are not pieces.
  if (tokens.slice(0, number.start).some(({ text }) => /^sheets?$/.test(text))) return said;
  const words = tokens.filter(({ kind }) => kind === 'word');
  const isMeasured = words.some(({ text }) => MEASURED_IN_PIECES.has(text));
  // A bare count does not state what it counts.
  if (said === null || isMeasured || words.length < 3) return null;
  // Next to named things ("900 count, 60 rolls") a bare count refers to their content.
  return { ...said, rank: 0 };
}

/** Counters of Chinese and Japanese titles: `6個セット`, `24本入`, `12瓶装`, `10枚組`. */
const COUNTERS =
  /^(?:個|本|枚|袋|箱|缶|瓶|罐|盒|包|件|点|組|支|片|卷)(?:セット|入り|入|組|装|裝|パック|套)/u;

function counters(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  if (!COUNTERS.test(tokenText(tokens, number.end))) return null;
  return thingPhrase(tokens, number.start, { count: number.value, tier: 2, end: number.end + 1 });
}

/** Matches `10 booster packs`: packs of a kind. */
function packsOfKind(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  const kind = tokens[number.end];
  if (kind?.kind !== 'word' || MULTIPLIED_UNITS.has(kind.text)) return null;
  if (!/^(?:packs|packets|pks)$/.test(tokenText(tokens, number.end + 1))) return null;
  return thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: number.end + 2 });
}

/** Matches `100 sheets pack`, `50 ctn`, `100 box`: titles that lost the slash in between. */
function packed(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  const noun = tokenText(tokens, number.end);
  const isSheets = /^(?:sheets|shts|labels|cards|envelopes|tabs|forms|folders|tags|clips)$/.test(
    noun,
  );
  const at = isSheets ? number.end + 1 : number.end;
  const word = tokenText(tokens, at);
  if (!CONTAINERS.has(word) || OF_WORDS.has(tokenText(tokens, at + 1))) return null;
  // Without a noun, only abbreviations count, and a box followed only by a code.
  const next = tokens[at + 1];
  const isLast = next === undefined || next.kind === 'mark' || tokens[at + 2]?.isGlued === true;
  const isNamed = SOLD_IN_NUMBERS.has(tokenText(tokens, number.start - 1));
  const isBox = word === 'box' && isLast && number.value >= 10 && !isNamed;
  const isAlone = isBox || /^(?:ctn|ctns|bx)$/.test(word);
  if (!isSheets && !isAlone) return null;
  return thingPhrase(tokens, number.start, { count: number.value, tier: 1, end: at + 1 });
}

/** Returns the thing that the tokens at `index` count; null if no phrase starts there. */
export function piecePhrase(tokens: Tokens, index: number): PackPhrase | null {
  const whole = dozens(tokens, index) ?? trailingFactor(tokens, index);
  if (whole !== null) return whole;
  const number = countedNumberAt(tokens, index);
  if (number === null || isForeign(tokens, number.start) || belongsToCode(tokens, index)) {
    return null;
  }
  // `8 1/2 x 11 each`: the end of a size.
  if (tokenText(tokens, number.start - 1) === 'x' && tokens[number.start - 2] !== undefined)
    return null;
  for (const find of [
    nested,
    dashed,
    pieces,
    counts,
    counters,
    packed,
    packsOfKind,
    leadingFactor,
    described,
    worn,
  ]) {
    const found = find(tokens, number);
    if (found !== null) return found;
  }
  return null;
}
