// The visible side of a page: the position of its main heading, and the content around it.

import { amountLine, placedAmounts } from '../../../base/listing/money/money.ts';
import { MINOR_DIGITS } from '../../../base/listing/money/currencies.ts';
import { plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { PageContext } from '../facts.ts';
import type { HtmlPage } from '../html/html.ts';
import { countryCurrency } from '../page-currency.ts';
import { bareName, spacedAs, lowerWords } from '../page-names.ts';
import { pathText } from '../page-address.ts';
import type { PageSigns } from '../page-signs.ts';
import { hasBuyButton } from './lines/visible-buttons.ts';
import { visibleAmounts } from './amounts/visible-amounts.ts';
import type { CurrencyHints, VisibleAmount } from './amounts/visible-amounts.ts';
import { NEAR_SOURCE, visibleLines } from './lines/visible-lines.ts';
import type { VisiblePart } from './lines/visible-lines.ts';
import { MARK } from './lines/visible-marks.ts';
import { isShownOutOfStock } from './stock-lines.ts';

export type VisiblePage = {
  /** The text of the main heading. */
  readonly heading: string;
  /** Its start index in the source. */
  readonly headingFrom: number;
  /** Whether a title of the page, its data or its address contains the words of the heading. */
  readonly isNamed: boolean;
  /** The shop's names in the form returned by `bareName`. */
  readonly shops: ReadonlySet<string>;
  readonly part: VisiblePart;
  readonly amounts: readonly VisibleAmount[];
};

type Heading = { readonly text: string; readonly start: number };

/** A heading, and whether it was chosen for its words or only because there is no other. */
type ChosenHeading = Heading & { readonly isNamed: boolean };

/** Maximum number of smaller headings examined on a page without a main one. */
const SMALLER_HEADINGS = 60;
const HEADING_LENGTH = 1200;

/** Returns the start positions of smaller headings and of elements marked as the name, in page order. */
function smallerStarts(html: string): readonly number[] {
  const starts: number[] = [];
  for (const match of html.matchAll(/<h[2-4](?=[\s>])/gi)) {
    starts.push(match.index);
    if (starts.length >= SMALLER_HEADINGS) break;
  }
  let at = html.indexOf('itemprop="name"');
  for (let count = 0; at >= 0 && count < SMALLER_HEADINGS; count += 1) {
    const open = html.lastIndexOf('<', at);
    if (open >= 0 && at - open < 300) starts.push(open);
    at = html.indexOf('itemprop="name"', at + 15);
  }
  return starts.toSorted((a, b) => a - b);
}

/** Returns the headings of a page without h1, and elements marked as the name. */
function smallerHeadings({ html }: HtmlPage): readonly Heading[] {
  const found: Heading[] = [];
  for (const start of smallerStarts(html)) {
    const name = /^<([a-z][a-z\d]{0,8})/i.exec(html.slice(start, start + 12))?.[1] ?? '';
    const from = html.indexOf('>', start) + 1;
    const close = from === 0 ? -1 : html.slice(from, from + HEADING_LENGTH).indexOf(`</${name}`);
    if (close < 0) continue;
    const text = plainTextOfHtml(html.slice(from, from + close), 500);
    if (text !== '') found.push({ text, start });
  }
  return found;
}

/** Returns words without diacritics, which addresses omit. */
function plainWords(text: string): readonly string[] {
  return lowerWords(text.normalize('NFKD').replaceAll(/\p{M}/gu, '')).filter(
    (word) => word.length > 2,
  );
}

function isInAddress(text: string, url: URL | null): boolean {
  if (url === null) return false;
  const path = new Set(plainWords(pathText(url).replaceAll(/[_-]+/g, ' ')));
  const words = plainWords(text);
  return (
    words.length >= 2 &&
    words.filter((word) => path.has(word)).length >= Math.max(2, words.length * 0.4)
  );
}

function nameLength({ text }: Heading): number {
  return bareName(text).length;
}

/** An element in a heading whose class marks it as not part of the name: "New", "-20 %". */
const LABEL_IN_HEADING =
  /<(span|small|em|i|b|sup|div|label)\b[^<>]*\bclass=["']?[^"'<>]*(?:badge|label|flag|ribbon|sticker|sku|product-?code)\b[^<>]*>[^<>]{0,60}<\/\1\s*>/gi;
/** An element in a heading whose text says the same: "SKU: 12345". */
const NUMBER_IN_HEADING =
  /<(span|small|em|i|b|sup|div)\b[^<>]*>\s*(?:sku|item|art(?:icle|ikel|\.)?|ref(?:erence|\.)?|code|model)[\s-]*(?:no\.?|nr\.?|number|nummer|#)?\s*[:#][^<>]{0,40}<\/\1\s*>/gi;

/** Returns the heading without the labels in it, if any text remains. */
function withoutLabels({ html }: HtmlPage, heading: Heading): Heading {
  const source = html.slice(heading.start, heading.start + HEADING_LENGTH);
  const inner = source.slice(source.indexOf('>') + 1, Math.max(0, source.search(/<\/h1/i)));
  const bare = inner.replaceAll(LABEL_IN_HEADING, ' ').replaceAll(NUMBER_IN_HEADING, ' ');
  const text = bare.length === inner.length ? '' : plainTextOfHtml(bare, 500);
  return text === '' ? heading : { ...heading, text };
}

/** Maximum length of a heading that may be an amount. */
const AMOUNT_LENGTH = 24;

/** Whether a heading is only an amount. */
function isAmount(text: string): boolean {
  if (text.length > AMOUNT_LENGTH || !/\d/.test(text)) return false;
  const [placed] = placedAmounts(amountLine(text), {});
  return placed?.isMarked === true && placed.start === 0 && placed.end === text.length;
}

/**
 * Returns the main heading: the one that resembles a title of the page or its data, else the one that the address contains,
 * else the only one.
 */
function mainHeading(
  page: HtmlPage,
  signs: PageSigns,
  names: readonly string[],
  url: URL | null,
): ChosenHeading | null {
  const headings = page.headings.map((text, index) => ({
    text,
    start: page.headingStarts[index] ?? 0,
  }));
  // Some pages use the price as their h1.
  const named = headings.filter(({ text }) => !isAmount(text));
  const own = named.filter(({ text }) => !signs.shops.has(bareName(text)));
  const wanted = names.map(bareName).filter((name) => name.length > 2);
  const isLike = ({ text }: Heading): boolean => {
    const bare = bareName(text);
    return bare.length > 2 && wanted.some((name) => name.includes(bare) || bare.includes(name));
  };
  // "Tools" above "Acme Tools Drill 18V" is the category, whose name is also part of the other.
  const longest = own.filter(isLike).toSorted((a, b) => nameLength(b) - nameLength(a))[0];
  const likely = longest ?? own.find(({ text }) => isInAddress(text, url));
  if (likely !== undefined) return { ...withoutLabels(page, likely), isNamed: true };
  if (own.length === 1 && own[0] !== undefined) return { ...own[0], isNamed: false };
  if (own.length > 1) return null;
  const isExact = ({ text }: Heading): boolean => {
    const bare = bareName(text);
    return bare.length > 4 && wanted.some((name) => name === bare || name.startsWith(bare));
  };
  const isOwn = (heading: Heading): boolean => !signs.shops.has(bareName(heading.text));
  const smaller = smallerHeadings(page).find((heading) => isExact(heading) && isOwn(heading));
  if (smaller !== undefined) return { ...smaller, isNamed: true };
  const text = named.length > 0 ? null : titleText(page, isOwn);
  return text === null ? null : { ...text, isNamed: true };
}

/** Maximum number of texts compared with a title, and of source characters containing them. */
const MOST_TEXTS = 300;
const TITLED_SOURCE = 100_000;
/** The share of a page title that is the product name; the rest is the shop's. */
const SHARE_OF_TITLE = 0.5;
/** Elements whose text is not displayed, or links to another page. */
const NO_HEADING = /^<(?:a|option|script|style|title)\b/i;

/**
 * Returns the first text of a page without headings that makes up most of its title and is not a link: some pages put their
 * name in a table or in bold.
 */
function titleText(
  { html, title }: HtmlPage,
  isOwn: (heading: Heading) => boolean,
): Heading | null {
  const whole = bareName(title ?? '');
  const least = whole.length * SHARE_OF_TITLE;
  if (whole.length < 8) return null;
  const end = Math.min(html.length, Math.max(0, html.indexOf('<body')) + TITLED_SOURCE);
  let count = 0;
  let from = html.indexOf('<body') + 1;
  for (;;) {
    from = html.indexOf('>', from) + 1;
    const to = html.indexOf('<', from);
    if (from === 0 || to < 0 || from > end || count > MOST_TEXTS) return null;
    if (to - from < least || to - from > 4 * whole.length + 100) continue;
    count += 1;
    const text = plainTextOfHtml(html.slice(from, to), 500);
    const bare = bareName(text);
    if (bare.length < least || !whole.includes(bare)) continue;
    const heading = { text, start: html.lastIndexOf('<', from - 1) };
    if (!NO_HEADING.test(html.slice(heading.start, heading.start + 10)) && isOwn(heading)) {
      return heading;
    }
  }
}

/**
 * Returns the currency for signs shared by several countries: the one stated by the page, else its country's. A bare `$` is
 * the US dollar only if the page says US (D26).
 */
function currencyHints(page: HtmlPage, context: PageContext, stated: string | null): CurrencyHints {
  if (stated !== null && MINOR_DIGITS.has(stated)) return { currency: stated, isStated: true };
  if (context.dollarIsUs) return { currency: 'USD', isStated: false };
  const currency = countryCurrency(page.lang, context.url);
  return { currency, isStated: false };
}

/** Source text of an English page that shows a former price, a reduction, or that nothing can be bought. */
const CORRECTION =
  /<(?:del|s|strike)[\s>]|line-through|[\s"'_-](?:old|was|regular|compare|strike\w*|before|original|list|rrp|uvp|crossed|previous|full)(?:[\s"'_-]|price)|[\s>(–−-]\d{1,2}\s?%|[\s>(]%\s?\d{1,2}[\s<]|\b(?:was|regularly|statt|rrp|uvp|instead|avant|antes|prima)\b|out[\s-]?of[\s-]?stock|sold[\s-]?out|unavailable|(?:back|pre|special)[\s-]?order|showroom|display only/i;

/** Whether content near the heading may correct a price or stock stated by the data. */
function mayCorrect(
  { html, lang }: HtmlPage,
  headingFrom: number,
  taxed: RegExp | undefined,
): boolean {
  if (!/^en\b/i.test(lang ?? '')) return true;
  // Price corrections are more often after the heading than before it. No match spans the `<` of the heading, so the two
  // sides can be searched separately.
  const from = Math.max(0, headingFrom - NEAR_SOURCE.before);
  const sides = [
    html.slice(headingFrom, headingFrom + NEAR_SOURCE.after),
    html.slice(from, headingFrom),
  ];
  return sides.some((side) => CORRECTION.test(side) || taxed?.test(side) === true);
}

/** Maximum number of buy buttons around a product page's heading: a list has one per tile. */
const MOST_BUTTONS = 4;

/** Whether a part has the buttons of a product page. */
export function mayBeBought({ buttons }: VisiblePart): boolean {
  return hasBuyButton(buttons) && buttons.length <= MOST_BUTTONS;
}

/** The input for reading a visible page. */
type Sight = {
  readonly page: HtmlPage;
  readonly context: PageContext;
  readonly signs: PageSigns;
  /** Product names from the page's data, in addition to the page titles. */
  readonly names: readonly string[];
  /** The currency stated by the page's data; null if none. */
  readonly currency: string | null;
  /** Whether the data states a price: then only content near the heading can correct it. */
  readonly isPriced: boolean;
  /** Whether the data offers the product without a price. */
  readonly isUnpriced: boolean;
  /** Whether the data also states maker and stock. */
  readonly isComplete: boolean;
  /** A pattern of amounts that a complete page is searched for: its price with tax. */
  readonly taxed: RegExp | undefined;
  /** Whether to skip a page that neither has a product page's buttons nor says that its product is sold out. */
  readonly isToBuy: boolean;
};

/** Returns the headings and titles of a page, and other possible names of its product. */
function titlesOf({ page, signs, names }: Pick<Sight, 'page' | 'signs' | 'names'>) {
  return [...names, ...signs.names.filter((name) => !page.headings.includes(name))];
}

/** Whether every buy button around a page's main heading belongs to other goods: to tiles, or to a section of them. */
export function sellsOnlyOthers(
  sight: Pick<Sight, 'page' | 'context' | 'signs' | 'names'>,
): boolean {
  const { page, context, signs } = sight;
  const heading = mainHeading(page, signs, titlesOf(sight), context.url);
  if (heading === null) return false;
  const wanted = { isNear: false, isToBuy: true, isUnpriced: false };
  const { buttons } = visibleLines(page, heading.start, wanted);
  return buttons.length > 0 && buttons.every(({ marks }) => (marks & MARK.aside) !== 0);
}

/** Returns the visible part around the main heading; null for a page without one, or when it is not needed. */
export function seePage(sight: Sight): VisiblePage | null {
  const { page, context, signs, currency, isPriced, isUnpriced, isComplete, taxed, isToBuy } =
    sight;
  const heading = mainHeading(page, signs, titlesOf(sight), context.url);
  if (heading === null) return null;
  if (isComplete && !mayCorrect(page, heading.start, taxed)) return null;
  const part = visibleLines(page, heading.start, { isNear: isPriced, isToBuy, isUnpriced });
  if (isToBuy && !mayBeBought(part) && !isShownOutOfStock(part)) return null;
  const { text, start, isNamed } = heading;
  const amounts = visibleAmounts(part, text, currencyHints(page, context, currency));
  const spaced = spacedAs(text, titlesOf(sight));
  return { heading: spaced, headingFrom: start, isNamed, shops: signs.shops, part, amounts };
}
