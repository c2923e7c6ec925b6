// Words next to an amount that make it something other than the price that everyone pays for one unit of the product: a
// charge, a saving, a rate, the price for members, code holders or bulk buyers. visible-amounts.ts weighs the rest.

import { compile, oneOf } from '../../../../base/listing/words/all-languages.ts';

/** "plus Pfand" and the like: a word saying that a deposit is added. */
const DEPOSIT_ON_TOP = `(?:\\+|plus|inkl\\.?|exkl?\\.?|ekskl\\.?|vč\\.?|w tym)\\s*${oneOf('deposit')}(?!\\p{L})`;

/** Words that make an amount something other than the price: a charge, a threshold, a saving, a rate, an estimate. */
const CHARGE_LABEL = new RegExp(
  `${oneOf('charge')}|${DEPOSIT_ON_TOP}|${oneOf('subscription')}`,
  'iu',
);

/** The discount; next to a word for a price it is the remainder: "Discounted price", "Цена со скидкой". */
const DISCOUNT_LABEL = compile('discount');
const PRICE_WORD = compile('priceName');

/**
 * Words for amounts that apply only to some buyers or to something other than the product, or that are saved or paid in parts.
 */
const OF_SOME = new RegExp(
  [
    oneOf('ofSome'),
    // Who has a code.
    `${oneOf('withCode')}\\s+(?:\\p{L}+\\s+){0,2}?${oneOf('code')}`,
    // Other offers of the product.
    `${oneOf('usedOffer')}\\s*:?\\s*${oneOf('usedFrom')}\\s*$`,
    // The lowest price of a period of days.
    `(?<!\\d)30\\s?${oneOf('days')}`,
  ].join('|'),
  'iu',
);

/** Words for free delivery or a free service. They are not the name of the amount below them. */
const FREE = compile('free', (words) => `free|${words}`);
/** The end of such a line when the amount is the threshold above which it is free. */
const THRESHOLD = compile('freeFrom', (words) => `(?:${words}|[:>])\\s*$`);

/** Whether a line above an amount only says that something besides the product is free. */
export function isFreeOfCharge(line: string): boolean {
  return FREE.test(line) && !THRESHOLD.test(line);
}

/** Charges that are included in a price or added to it: "zzgl. Versand", "plus shipping", "Free delivery". */
const INCLUDED_OR_MORE = compile('includedOrMore', (words) => `^[^\\p{L}+]*(?:\\+|${words})`);

/** Words for the price of one payment method: "à vista no Pix", "per Vorkasse". */
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

/** With something that has its own name: "con CMR", "с Ozon Картой". */
const WITH_A_NAME =
  /^[\s(]*(?:[Ww]ith|[Aa]vec|[Cc]o[nm](?: la| el)?|[Mm]e[dt]|[СсЗз]|[Cc]u|[Μμ]ε)\s+(?=\p{Lu})/u;

/** In the cart. */
const IN_CART = compile('inCart', (words) => `^\\s*${words}(?!\\p{L})`);

/**
 * Whether the words before or after an amount restrict it to holders of something from the shop or a bank, or to items in the
 * cart. Next to a higher price without such words it is not the price; alone, it is.
 */
export function isForHolders({ name, after }: Pick<WordsAround, 'name' | 'after'>): boolean {
  // Without a colon, the words between two amounts may belong to the first: "120 ₽ с Acme Кошельком 129 ₽".
  const label = /[:：]\s*$/.test(name) ? name : '';
  const isWith = [label, after].some((words) => WITH_A_NAME.test(words) && !FREE.test(words));
  return isWith || IN_CART.test(name);
}

/** The words around an amount. */
export type WordsAround = {
  /** The words before the amount, on its line or the line above. */
  readonly label: string;
  /** The same words if they are certainly the amount's name, else ''. */
  readonly name: string;
  /** The words after the amount that refer to it. */
  readonly after: string;
  /** All words after the amount, including the next amount. */
  readonly ahead: string;
};

/** Words for non-members, who pay the price for everyone: "Non-members", "Não sócio". */
const NO_MEMBER = new RegExp(
  `(?:^|[^\\p{L}])${oneOf('notMember')}[\\s-]*(?:a )?${oneOf('member')}(?!\\p{L})`,
  'giu',
);

/** Whether words are found in a label, ignoring those for non-members. */
function isLabelled(words: RegExp, label: string): boolean {
  return words.test(label) && words.test(label.replace(NO_MEMBER, ' '));
}

/** Whether the words around an amount make it something other than the price for everyone. */
export function isCharge({ label, name, after, ahead }: WordsAround): boolean {
  const near = after.replace(PER_PIECE, ' ').slice(0, 24);
  const said = label.replace(PRICE_PER_CONTAINER, ' ');
  const isBehind = CHARGE_LABEL.test(near) || DISCOUNT_LABEL.test(near);
  return (
    isLabelled(CHARGE_LABEL, said) ||
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

/** "Einmalig": paid once as opposed to monthly, or by non-subscribers. */
const ONCE = /(?:ein|een)malige?/giu;
const OF_SUBSCRIBERS = compile(
  'subscription',
  (words) => `${words}|subscri|(?<!\\p{L})abo(?!\\p{L})`,
);

/** Whether an amount is a charge only because of a word for "once": next to the subscriber price it is the price. */
export function isPaidOnce(words: WordsAround): boolean {
  const name = words.name.replace(ONCE, ' ');
  return name !== words.name && !isCharge({ ...words, name });
}

/** Whether the words before an amount mark it as the subscriber price. */
export function isOfSubscribers(label: string): boolean {
  return OF_SUBSCRIBERS.test(label);
}

/** Maximum number of lines between the subscriber price and the price of a single purchase. */
const LINES_BESIDE = 8;

/** An amount with its label and position. */
type Labelled = {
  readonly money: { readonly cents: number };
  readonly label: string;
  readonly line: number;
  readonly at: number;
};

/** Adds the amounts that are paid once when a subscriber price is next to them: "Einmalig 54,99 €", "Im Abo 49,49 €". */
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

/** Text after an amount above which something is free: "50,000원 이상 무료", "99 $ and more: free". */
const FROM_ON = new RegExp(
  `^\\s*(?:이상|以上)|^\\s*(?:${oneOf('thresholdAlone')}|${oneOf('thresholdOr')}\\s${oneOf('thresholdMore')})(?!\\p{L})`,
  'iu',
);

/**
 * The amount still missing for free delivery: "$31.50 away from free shipping", "noch 31,50 € bis zum kostenlosen Versand".
 */
const TO_BE_FREE = new RegExp(
  `^\\s*(?:\\p{L}+\\s+){0,2}?${oneOf('untilFree')}\\s+` +
    `(?:(?:el|la|o|a|den|die|je|uw|\\p{L}{5,})\\s+){0,2}?${oneOf('free')}`,
  'iu',
);

const BY = `(?:\\/|${oneOf('by')})`;
/** Units of weight, volume, length and area in languages other than English. */
const UNIT = `${oneOf('unit')}\\.?(?![\\p{L}\\d])`;
/** A price per such unit. */
const RATE_AFTER = new RegExp(
  `^[\\s(.]*${BY}\\s?(?:\\d{1,4}\\s?)?(?:${UNIT}|${oneOf('monthUnit')}(?![\\p{L}\\d]))`,
  'iu',
);
/** A unit and a word for a price combined: "Kg-pris", "Literpreis", "kilohinta". */
const UNIT_PRICE = `${oneOf('unitName')}[ -]?${oneOf('unitPrice')}`;
/** The same in the words before the amount: "Cena za metr:", "1 kg =". */
const RATE_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${BY}\\s?(?:1\\s?)?${UNIT}|${UNIT_PRICE})\\s*[:=]?\\s*$|(?<![\\d.,])\\d{1,4}(?:[.,]\\d{1,3})?\\s?${UNIT}\\s?=\\s*$`,
  'iu',
);

/** Whether the words before an amount make it a price by weight, volume, length, area or time. */
export function isRateLabel(label: string): boolean {
  return RATE_LABEL.test(label) || TIME_LABEL.test(label);
}

/**
 * The price of one piece, which is the price unless a price of several is next to it: "/ ks", "pro Stück", "Preis pro Stück".
 */
const PER_PIECE = new RegExp(
  `^[\\s(.]*(?:${oneOf('priceBefore')}\\s)?${BY}\\s?(?:1\\s?)?${oneOf('piece')}(?![\\p{L}\\d])\\.?`,
  'iu',
);

/**
 * The price of the unit that is sold, which may have a price by weight or area next to it: "Preis pro Karton", "Price per
 * pair".
 */
const PRICE_PER_CONTAINER = new RegExp(
  `(?<!\\p{L})${oneOf('priceBefore')}\\s?(?:${BY}|au|à la)\\s?(?:1\\s?)?${oneOf('soldBy')}(?!\\p{L})`,
  'iu',
);

/** The same with any single word and nothing after it: "pro Blatt", "je Waschladung", "par dosette". */
const PER_ONE = /^[\s(.]*(?:pro|je|per|par|por|pr\.|za)\s+(?:1\s)?\p{L}{3,}\s*\)?$/iu;

/** Whether the text after an amount marks it as the price of one piece. */
export function isPerPiece(text: string): boolean {
  return PER_PIECE.test(text);
}

/** Whether the text after an amount marks it as the price of one piece, or of one unit of anything. */
export function isPerOne(text: string): boolean {
  return PER_PIECE.test(text) || PER_ONE.test(text);
}

const PER = `(?:\\/|${oneOf('per')})`;
const TIME = oneOf('time');
const PERSON = oneOf('person');
/** A price per time unit or per person. */
const TIME_AFTER = new RegExp(
  `^[\\s.*]*(?:${PER}\\s?(?:${TIME}|${PERSON})\\.?(?![\\p{L}\\d])|p\\/(?:m|mnd|d|w|j)(?!\\p{L})|${oneOf('paidByTime')}|` +
    '(?:le|les|el|il|o|de) (?:premiers?|primer|primeiro|primo|eerste) (?:\\d{1,2} )?(?:mois|mes|mês|mese|maand)(?!\\p{L})|' +
    '[/／]\\s?(?:\\d{1,2}\\s?)?[月日週年泊天월일년])',
  'iu',
);
/** The same in the words before the amount: "Preis pro Nacht:", "Cena za osobę:", "Gecelik". */
const TIME_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${PER}\\s?(?:${TIME}|${PERSON})|${oneOf('timeName')})\\s*[:=]?\\s*$`,
  'iu',
);

/** Whether the words before an amount make it a recurring or per-person price. */
export function isTimeLabel(label: string): boolean {
  return TIME_LABEL.test(label);
}

/** The same as the whole line below an amount, or its beginning. */
const TIME_BELOW = new RegExp(`${TIME_AFTER.source}\\s*(?:$|[,.;|(+*])`, 'iu');

/** A payment interval. On its own line it refers to a subscription: "Every month, 15 % less". */
const EVERY =
  /^[\s.*]*(?:bi-?weekly|fortnightly|every (?:(?:\d|two|four|other) )?(?:weeks?|months?|fortnight))(?!\p{L})/iu;

/** Whether the text after an amount, or the line below it, makes it a price by weight, volume, length or time. */
export function isRate(text: string, isBelow: boolean): boolean {
  if (isBelow) return TIME_BELOW.test(text.slice(0, 48));
  return RATE_AFTER.test(text) || TIME_AFTER.test(text) || EVERY.test(text);
}

/** Whether the text after an amount, or the line below it, makes it a recurring or per-person price. */
export function isPaidByTime(text: string): boolean {
  return TIME_AFTER.test(text) || EVERY.test(text);
}

const SEVERAL = '(?:[2-9]|[1-9]\\d{1,3})(?![.,:]?\\d)(?!\\s?[%٪])';
const PIECES = `${oneOf('pieces')}\\.?`;
const MORE = `${oneOf('severalOr')} ${oneOf('severalMore')}`;
const TOGETHER = `(?:${oneOf('together')}(?!\\p{L})|で|-?t[óő]l)`;
const EACH = '\\s*(?:-t[óő]l)?\\s*[:=]?\\s*(?:je|à|each)?\\s*$';

/** Words before a price for several pieces: "ab 10 Stück", "3 for", "5+", "10-24 pcs". */
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

/** Whether an amount applies to buyers of several pieces. */
export function isForSeveral(label: string, after: string): boolean {
  return SEVERAL_LABEL.test(label) || SEVERAL_AFTER.test(after);
}
