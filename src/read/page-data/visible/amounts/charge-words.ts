// The words next to an amount that make it something else than what everybody pays for one of the product: a charge, a saving, a
// rate, the price for members, for who has a code or takes several. visible-amounts.ts weighs what is left.

import { compile, oneOf } from '../../../../base/listing/words/all-languages.ts';

/** "plus Pfand" and the like, after a word that a deposit comes on top. */
const DEPOSIT_ON_TOP = `(?:\\+|plus|inkl\\.?|exkl?\\.?|ekskl\\.?|vč\\.?|w tym)\\s*${oneOf('deposit')}(?!\\p{L})`;

/** Words that make an amount something else than the price: a charge, a threshold, a saving, a rate, an estimate. */
const CHARGE_LABEL = new RegExp(
  `${oneOf('charge')}|${DEPOSIT_ON_TOP}|${oneOf('subscription')}`,
  'iu',
);

/** What is taken off; next to a word for a price it is what is left: "Discounted price", "Цена со скидкой". */
const DISCOUNT_LABEL = compile('discount');
const PRICE_WORD = compile('priceName');

/**
 * Words for amounts that only some buyers pay, that are for something other than the product, or that are saved or paid in parts.
 */
const OF_SOME = new RegExp(
  [
    oneOf('ofSome'),
    // Who has a code.
    `${oneOf('withCode')}\\s+(?:\\p{L}+\\s+){0,2}?${oneOf('code')}`,
    // Other offers of it.
    `${oneOf('usedOffer')}\\s*:?\\s*${oneOf('usedFrom')}\\s*$`,
    // The lowest price of some days.
    `(?<!\\d)30\\s?${oneOf('days')}`,
  ].join('|'),
  'iu',
);

/** Words for delivery or a service that costs nothing. They are not the name of the amount below them. */
const FREE = compile('free', (words) => `free|${words}`);
/** What such a line ends with when the amount is that from which on it is free. */
const THRESHOLD = compile('freeFrom', (words) => `(?:${words}|[:>])\\s*$`);

/** Whether a line above an amount only says that something next to the product is free. */
export function isFreeOfCharge(line: string): boolean {
  return FREE.test(line) && !THRESHOLD.test(line);
}

/** What is in a price or comes on top of it: "zzgl. Versand", "plus shipping", "Free delivery". */
const INCLUDED_OR_MORE = compile('includedOrMore', (words) => `^[^\\p{L}+]*(?:\\+|${words})`);

/** Words for the price of one way of paying: "à vista no Pix", "per Vorkasse". */
const PAID_OTHERWISE = new RegExp(
  '^\\s*(?:à vista\\s*)?(?:(?:com|con|con un|mit)?\\s*\\d{1,2}\\s?%\\s*(?:de (?:desconto|descuento)|off|skonto)?\\s*)?' +
    `${oneOf('paidBy')}\\s+(?:o\\s+)?${oneOf('payment')}(?!\\p{L})`,
  'iu',
);

/** Words for the price with a contract. */
const WITH_CONTRACT = new RegExp(
  `^\\s*${oneOf('withContract')}\\s+(?:an?\\s+)?(?:\\d{1,2}[- ]?)?(?:\\p{L}+[- ]){0,2}?${oneOf('contract')}(?!\\p{L})`,
  'iu',
);

/** Words for the price with a card, a code or a membership. */
const FOR_SOME = new RegExp(
  `^[\\s(,–-]*${oneOf('forSome')}\\s+(?:\\p{L}+\\s+){0,2}?${oneOf('someHave')}`,
  'iu',
);

/** With something that has a name of its own: "con CMR", "с Ozon Картой". */
const WITH_A_NAME =
  /^[\s(]*(?:[Ww]ith|[Aa]vec|[Cc]o[nm](?: la| el)?|[Mm]e[dt]|[СсЗз]|[Cc]u|[Μμ]ε)\s+(?=\p{Lu})/u;

/** In the cart. */
const IN_CART = compile('inCart', (words) => `^\\s*${words}(?!\\p{L})`);

/**
 * Whether the words before an amount or after it say that it is asked of those who have something of the shop or a bank, or have
 * put it into the cart: no price next to a higher one without such words, but one alone.
 */
export function isForHolders({ name, after }: Pick<WordsAround, 'name' | 'after'>): boolean {
  // Without a colon, what stands between two amounts may be of the first: "120 ₽ с Acme Кошельком 129 ₽".
  const label = /[:：]\s*$/.test(name) ? name : '';
  const isWith = [label, after].some((words) => WITH_A_NAME.test(words) && !FREE.test(words));
  return isWith || IN_CART.test(name);
}

/** The words around an amount. */
export type WordsAround = {
  /** The words before the amount, in its line or in the line above. */
  readonly label: string;
  /** The same words if they surely are the amount's name, else ''. */
  readonly name: string;
  /** The words after the amount, as far as they are about it. */
  readonly after: string;
  /** All words after the amount, including the next amount. */
  readonly ahead: string;
};

/** Words for those who are not members, who pay what everybody pays: "Non-members", "Não sócio". */
const NO_MEMBER = new RegExp(
  `(?:^|[^\\p{L}])${oneOf('notMember')}[\\s-]*(?:a )?${oneOf('member')}(?!\\p{L})`,
  'giu',
);

/** Whether words are found in a label, that of who is no member left out. */
function isLabelled(words: RegExp, label: string): boolean {
  return words.test(label) && words.test(label.replace(NO_MEMBER, ' '));
}

/** Whether the words around an amount make it something else than what everybody pays. */
export function isCharge({ label, name, after, ahead }: WordsAround): boolean {
  const near = after.replace(PER_PIECE, ' ').slice(0, 24);
  const isBehind = CHARGE_LABEL.test(near) || DISCOUNT_LABEL.test(near);
  return (
    isLabelled(CHARGE_LABEL, label) ||
    (DISCOUNT_LABEL.test(label) && !PRICE_WORD.test(label)) ||
    (isLabelled(OF_SOME, name) && !FREE.test(name)) ||
    (isBehind && !FREE.test(after) && !INCLUDED_OR_MORE.test(after)) ||
    (FROM_ON.test(ahead) && FREE.test(ahead)) ||
    TO_BE_FREE.test(ahead) ||
    PAID_OTHERWISE.test(ahead) ||
    WITH_CONTRACT.test(ahead) ||
    FOR_SOME.test(ahead)
  );
}

/** "Einmalig": what is paid once next to what is paid each month, or by who does not subscribe. */
const ONCE = /(?:ein|een)malige?/giu;
const OF_SUBSCRIBERS = compile(
  'subscription',
  (words) => `${words}|subscri|(?<!\\p{L})abo(?!\\p{L})`,
);

/** Whether nothing but a word for "once" makes an amount a charge: next to what subscribers pay it is the price. */
export function isPaidOnce(words: WordsAround): boolean {
  const name = words.name.replace(ONCE, ' ');
  return name !== words.name && !isCharge({ ...words, name });
}

/** Whether the words before an amount say that subscribers pay it. */
export function isOfSubscribers(label: string): boolean {
  return OF_SUBSCRIBERS.test(label);
}

/** The most lines between the price of subscribers and the price for a single purchase. */
const LINES_BESIDE = 8;

/** An amount, its label and its place. */
type Labelled = {
  readonly money: { readonly cents: number };
  readonly label: string;
  readonly line: number;
  readonly at: number;
};

/** The amounts with those that are paid once where subscribers pay another next to them: "Einmalig 54,99 €", "Im Abo 49,49 €". */
export function withPaidOnce<T extends Labelled>(
  found: readonly T[],
  once: readonly T[],
): readonly T[] {
  return found.map((amount) => {
    const paid = once.find(({ at, line }) => at === amount.at && line === amount.line);
    const isBeside = found.some(
      ({ label, line, money }) =>
        isOfSubscribers(label) &&
        money.cents <= amount.money.cents &&
        Math.abs(line - amount.line) <= LINES_BESIDE,
    );
    return paid !== undefined && isBeside ? paid : amount;
  });
}

/** What stands after an amount from which on something is free: "50,000원 이상 무료", "99 $ and more: free". */
const FROM_ON = new RegExp(
  `^\\s*(?:이상|以上)|^\\s*(?:${oneOf('thresholdAlone')}|${oneOf('thresholdOr')}\\s${oneOf('thresholdMore')})(?!\\p{L})`,
  'iu',
);

/** What is missing for delivery to be free: "$31.50 away from free shipping", "noch 31,50 € bis zum kostenlosen Versand". */
const TO_BE_FREE = new RegExp(
  `^\\s*(?:\\p{L}+\\s+){0,2}?${oneOf('untilFree')}\\s+` +
    `(?:(?:el|la|o|a|den|die|je|uw|\\p{L}{5,})\\s+){0,2}?${oneOf('free')}`,
  'iu',
);

const BY = `(?:\\/|${oneOf('by')})`;
/** Units of weight, volume, length and area in other languages than English. */
const UNIT = `${oneOf('unit')}\\.?(?![\\p{L}\\d])`;
/** A price by one of them. */
const RATE_AFTER = new RegExp(
  `^[\\s(.]*${BY}\\s?(?:\\d{1,4}\\s?)?(?:${UNIT}|${oneOf('monthUnit')}(?![\\p{L}\\d]))`,
  'iu',
);
/** A unit and a word for a price in one: "Kg-pris", "Literpreis", "kilohinta". */
const UNIT_PRICE = `${oneOf('unitName')}[ -]?${oneOf('unitPrice')}`;
/** The same by the words before it: "Cena za metr:", "1 kg =". */
const RATE_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${BY}\\s?(?:1\\s?)?${UNIT}|${UNIT_PRICE})\\s*[:=]?\\s*$|(?<![\\d.,])\\d{1,4}(?:[.,]\\d{1,3})?\\s?${UNIT}\\s?=\\s*$`,
  'iu',
);

/** Whether the words before an amount make it a price by weight, volume, length, area or time. */
export function isRateLabel(label: string): boolean {
  return RATE_LABEL.test(label) || TIME_LABEL.test(label);
}

/** What one piece costs, which is the price where no price of several stands next to it: "/ ks", "pro Stück", "Preis pro Stück". */
const PER_PIECE = new RegExp(
  `^[\\s(.]*(?:${oneOf('priceBefore')}\\s)?${BY}\\s?(?:1\\s?)?${oneOf('piece')}(?![\\p{L}\\d])\\.?`,
  'iu',
);

/** The same by any one word, with nothing after it: "pro Blatt", "je Waschladung", "par dosette". */
const PER_ONE = /^[\s(.]*(?:pro|je|per|par|por|pr\.|za)\s+(?:1\s)?\p{L}{3,}\s*\)?$/iu;

/** Whether the text after an amount says that it is the price of one piece. */
export function isPerPiece(text: string): boolean {
  return PER_PIECE.test(text);
}

/** Whether the text after an amount says that it is the price of one piece, or of one of anything else. */
export function isPerOne(text: string): boolean {
  return PER_PIECE.test(text) || PER_ONE.test(text);
}

const PER = `(?:\\/|${oneOf('per')})`;
const TIME = oneOf('time');
const PERSON = oneOf('person');
/** A price by time, or for each of those who come. */
const TIME_AFTER = new RegExp(
  `^[\\s.*]*(?:${PER}\\s?(?:${TIME}|${PERSON})\\.?(?![\\p{L}\\d])|p\\/(?:m|mnd|d|w|j)(?!\\p{L})|${oneOf('paidByTime')}|` +
    '(?:le|les|el|il|o|de) (?:premiers?|primer|primeiro|primo|eerste) (?:\\d{1,2} )?(?:mois|mes|mês|mese|maand)(?!\\p{L})|' +
    '[/／]\\s?(?:\\d{1,2}\\s?)?[月日週年泊天월일년])',
  'iu',
);
/** The same by the words before it: "Preis pro Nacht:", "Cena za osobę:", "Gecelik". */
const TIME_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${PER}\\s?(?:${TIME}|${PERSON})|${oneOf('timeName')})\\s*[:=]?\\s*$`,
  'iu',
);

/** Whether the words before an amount make it what is paid again and again, or for each who comes. */
export function isTimeLabel(label: string): boolean {
  return TIME_LABEL.test(label);
}

/** The same as the whole line below an amount, or its beginning. */
const TIME_BELOW = new RegExp(`${TIME_AFTER.source}\\s*(?:$|[,.;|(+*])`, 'iu');

/** A part of a payment. In a line of its own it is of a subscription: "Every month, 15 % less". */
const EVERY =
  /^[\s.*]*(?:bi-?weekly|fortnightly|every (?:(?:\d|two|four|other) )?(?:weeks?|months?|fortnight))(?!\p{L})/iu;

/** Whether the text after an amount, or the line below it, makes it a price by weight, volume, length or time. */
export function isRate(text: string, isBelow: boolean): boolean {
  if (isBelow) return TIME_BELOW.test(text.slice(0, 48));
  return RATE_AFTER.test(text) || TIME_AFTER.test(text) || EVERY.test(text);
}

/** Whether the text after an amount, or the line below it, makes it what is paid again and again, or for each who comes. */
export function isPaidByTime(text: string): boolean {
  return TIME_AFTER.test(text) || EVERY.test(text);
}

const SEVERAL = '(?:[2-9]|[1-9]\\d{1,3})(?![.,:]?\\d)(?!\\s?[%٪])';
const PIECES = `${oneOf('pieces')}\\.?`;
const MORE = `${oneOf('severalOr')} ${oneOf('severalMore')}`;
const TOGETHER = `(?:${oneOf('together')}(?!\\p{L})|で|-?t[óő]l)`;
const EACH = '\\s*(?:-t[óő]l)?\\s*[:=]?\\s*(?:je|à|each)?\\s*$';

/** Words before an amount that is the price for several pieces: "ab 10 Stück", "3 for", "5+", "10-24 pcs". */
const SEVERAL_LABEL = new RegExp(
  `(?:^|[^\\p{L}])${oneOf('fromPieces')}\\s*${SEVERAL}[^\\d]{0,24}$|` +
    `(?:^|[^\\d.,:–-])${SEVERAL}\\s*(?:${PIECES}\\s*)?(?:\\+|${MORE}|[-–]\\s?\\d{1,4}|${TOGETHER})[^\\d]{0,16}$|` +
    `(?:^|[^\\d.,:–-])${SEVERAL}(?:\\s*|-)${PIECES}${EACH}|` +
    `(?:^|[^\\d.,:–-])[2-4](?:[ªºeè]|nd|rd|th|\\.|ème)\\s?${oneOf('nthPiece')}(?!\\p{L})(?:[^\\d]{0,12}\\d{1,2}\\s?%)?[^\\d]{0,12}$`,
  'iu',
);
/** Words after such an amount: "when you mix six", "par 6", "each if you buy 3". */
const SEVERAL_AFTER = new RegExp(
  '^[\\s(,/–-]*(?:\\p{L}+\\s+){0,2}?' +
    `${oneOf('severalIf')}\\s+` +
    `(?:\\p{L}+\\s+){0,3}?(?:${SEVERAL}(?!\\/|-\\d|\\s?(?:\\p{Sc}|[A-Z]{3}))|two|three|four|five|six|ten|twelve)`,
  'iu',
);

/** Whether an amount is asked of those who take several. */
export function isForSeveral(label: string, after: string): boolean {
  return SEVERAL_LABEL.test(label) || SEVERAL_AFTER.test(after);
}
