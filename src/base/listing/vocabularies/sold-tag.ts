// Sales tags of listings (D24): recognizes them and reads how many units a month they state.

import { cleanText } from '../text/text.ts';

/**
 * "500+ bought since yesterday", "1,234 sold", "Over 100 sold", "50+ purchased in the last week".
 */
const SALES =
  /(\d[\d.,]*)\s?([KkMm](?![\p{L}]))?\s?\+?\s+(?:\p{L}+\s+)?(?:bought|sold|purchased)\b/u;

/**
 * "in 100+ people's carts" counts carts; "sold by", "sold out", "sold separately" count nothing.
 */
const NO_SALES = /\bcarts?\b|\bbaskets?\b|\bsold (?:by|out|separately|as|in (?:packs?|sets?))\b/iu;

const MONTH =
  /\b(?:past|last|this|per|a|in) (?:(?:the|past|last) ){0,2}month\b|\blast 30 days\b|\bmonthly\b/iu;

const MAX_TAG = 120;

/** Returns the tag verbatim if it states sales; null for carts and everything else (D24). */
export function readSoldTag(text: string): string | null {
  const tag = cleanText(text, MAX_TAG + 1);
  if (tag.length > MAX_TAG || NO_SALES.test(tag)) return null;
  return SALES.test(tag) ? tag : null;
}

/** Returns the units per month of a tag that states a month ("1.5K+" is 1500); null for any other (D24). */
export function estimatedSales(tag: string): number | null {
  if (readSoldTag(tag) === null || !MONTH.test(tag)) return null;
  const [, digits = '', multiple = ''] = SALES.exec(cleanText(tag, MAX_TAG)) ?? [];
  const scale = { k: 1_000, m: 1_000_000 }[multiple.toLowerCase()];
  const number =
    scale === undefined
      ? Number(digits.replaceAll(/[.,]/g, ''))
      : Number(digits.replace(',', '.')) * scale;
  const units = Math.round(number);
  return Number.isSafeInteger(units) && units > 0 ? units : null;
}
