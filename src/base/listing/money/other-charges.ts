// Recognizes amounts that are not the product's price by the words next to them: a monthly rate, one of four payments,
// shipping, a deposit, a trade-in, a price per ounce or for members. Looks at a few words on either side; linear.

/** Maximum distance between an amount and words about it, in characters. */
const NEAR = 48;

const anyOf = (...parts: readonly string[]): string => `(?:${parts.join('|')})`;

/** Words for the period of a rate. */
const TIMES = 'mo|mos|mth|mths|month|months|wk|week|weeks|yr|year|years|day|night|hour|hr';

/** Words for amounts that are paid in addition to the price, or in place of part of it. */
const CHARGES = anyOf(
  'shipping(?: ?(?:and|&) ?handling)?',
  'delivery',
  'handling',
  'freight',
  'postage',
  's ?& ?h',
  'core',
  'crv',
  'deposit',
  'recycling',
  'environmental',
  'eco',
  'restocking',
  'activation',
  'installation',
  'assembly',
  'haul[ -]?away',
);

/** Text that may be between such a word and its amount: "Delivery fee from $7.99". */
const LINK =
  '(?: (?:fee|fees|cost|costs|charge|charges|rate|value|deposit|price))?(?: (?:from|is|of|for))?\\s?[:–-]?';

const BEFORE = new RegExp(
  anyOf(
    // Amounts saved, earned, or received for something else.
    '\\b(?:save|saving|savings|you save|discount|earn|get|trade[ -]?in(?: (?:value|credit))?)\\s*:?(?: up to)?',
    '\\bup to',
    // One of several payments: "4 payments of", "4 x", "10x de".
    '\\b(?:payments?|instal?lments?|parcelas|cuotas|mensualidades|mensualités|raten|rate)(?: of| de| zu| à| da)?',
    '(?:^|\\s)\\d{1,2}\\s?[x×](?: de)?',
    // A required order value: "free shipping over".
    '\\b(?:over|above|orders?(?: of)?|minimum(?: order)?(?: of)?|spend)',
    // Amounts added to the price.
    '(?:\\+|\\bplus)',
    `\\b${CHARGES}${LINK}`,
    '\\b(?<!\\b(?:incl|incl\\.|including|inc|inc\\.|with|excl|excl\\.|excluding|ex|without|before|after|plus) )(?:sales )?tax(?:es)?:?',
    '\\b(?:protection plan|service plan|warranty|insurance)(?: (?:for|from))?\\s?[:–-]?',
    // A price only for certain buyers.
    '(?<!\\bno[nt][ -](?:a )?)\\bmembers?(?:\\s?:| (?:price|pay|only)\\s?:?)',
    '\\b(?:club|prime|loyalty|membership)(?: member)?(?:\\s?:| price\\s?:?)',
  ) + '\\s*$',
  'iu',
);

const AFTER = new RegExp(
  '^\\.?' +
    anyOf(
      '\\s*[%٪](?!\\d)',
      `\\s*(?:off|back|cash ?back|coupon|rebate|mail-in rebate|credit|gift card|voucher)\\b`,
      // A rate: "/mo", "per week", "a month", "monthly", "x 12", "for 12 months", "down".
      `\\s*(?:/|per|an?)\\s?(?:\\d{1,3}\\s?)?(?:${TIMES})\\b`,
      `\\s*(?:monthly|weekly|yearly|annually)\\b`,
      `\\s*[x×]\\s?\\d{1,3}\\b`,
      `\\s*(?:for|over) \\d{1,3} (?:${TIMES}|payments)\\b`,
      `\\s*(?:due today|due now|down)\\b`,
      // A charge, but not a price with a promise of delivery after it ("$12.50 Delivery by Friday").
      `\\s*(?:flat[ -]rate |standard |ground |refundable )?${CHARGES}(?: (?:fee|fees|cost|charge|deposit|rate))?s?\\s*(?:$|[.;,|(+)])`,
      `\\s*(?:refundable |bottle |can |container |security |core ){1,2}(?:charge|deposit)\\b`,
      '\\s*(?:sales )?tax(?:es)?\\s*(?:$|[.;,|(+)])',
      `\\s*(?:\\d-year )?(?:protection plan|service plan|warranty|insurance)\\b`,
      `\\s*(?:in |with (?:an? )?|after )?(?:eligible )?trade[ -]?in\\b`,
      `\\s*for (?:your old|(?!non[ -])(?:\\w{1,12} )?members)\\b`,
      '\\s*(?:members? only|with prime|with (?:\\w{1,12} )?membership)',
      // By weight, volume, length or count: "$0.42/oz", "per 100 g".
      '\\s*(?:/|per)\\s?(?:\\d{1,4}\\s?)?(?:fl\\.?\\s?)?' +
        '(?:oz|ozs|ounces?|lbs?|pounds?|g|gr|gram|kg|ml|cl|l|lt|liter|litre|quart|qt|gal|gallon|ct|count|sheet|load|' +
        `sq\\.?\\s?(?:ft|in|yd|m)|square (?:foot|yard|meter)|ft|foot|yd|yard|m|meter|metre|in|inch)\\b`,
    ),
  'iu',
);

const PAID_TODAY = [/\bpay(?: just| only)?\s*$/i, /^\s*today\b/i] as const;

/** Inline elements have no blank between their texts: "/moYour price". */
const unglued = (text: string): string => text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');

/**
 * Returns whether the words around the amount from `start` to `end` (including its sign) mark it as a charge other than the
 * price.
 */
export function isOtherCharge(text: string, start: number, end: number): boolean {
  // A price that stands alone, as most do, needs no search.
  if (start === 0 && end === text.length) return false;
  const before = text.slice(Math.max(0, start - NEAR), start);
  const after = unglued(text.slice(end, end + NEAR));
  return (
    BEFORE.test(before) ||
    AFTER.test(after) ||
    (PAID_TODAY[0].test(before) && PAID_TODAY[1].test(after))
  );
}

/** Returns whether a text directly after an amount makes it a rate: "/mo", "per oz", "a month". */
export function isRateAfter(text: string): boolean {
  return /^(?:\/|per\b|an?\b)/i.test(text) && AFTER.test(unglued(text.slice(0, NEAR)));
}
