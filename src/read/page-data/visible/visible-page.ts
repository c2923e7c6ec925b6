// The visible side of a page: where its main heading is, and what the page shows around it.

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
import { isShownOutOfStock } from './amounts/visible-offer.ts';
import { NEAR_SOURCE, visibleLines } from './lines/visible-lines.ts';
import type { VisiblePart } from './lines/visible-lines.ts';
import { MARK } from './lines/visible-marks.ts';

export type VisiblePage = {
  /** The text of the main heading. */
  readonly heading: string;
  /** Where it opens in the source. */
  readonly headingFrom: number;
  /** Whether a title of the page, its data or its address has the words of the heading. */
  readonly isNamed: boolean;
  /** The names of the shop in the form that `bareName` makes. */
  readonly shops: ReadonlySet<string>;
  readonly part: VisiblePart;
  readonly amounts: readonly VisibleAmount[];
};

type Heading = { readonly text: string; readonly start: number };

/** A heading, and whether it is the page's by its words or only because there is no other. */
type ChosenHeading = Heading & { readonly isNamed: boolean };

/** Most smaller headings that are looked at on a page without a main one. */
const SMALLER_HEADINGS = 60;
const HEADING_LENGTH = 1200;

/** Where smaller headings and elements that are marked as the name open, in page order. */
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

/** The headings of a page without h1, and elements that are marked as the name. */
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

/** Letters without their marks: addresses leave them out. */
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

/** An element in a heading whose class says that it is no part of the name: "New", "-20 %". */
const LABEL_IN_HEADING =
  /<(span|small|em|i|b|sup|div|label)\b[^<>]*\bclass=["']?[^"'<>]*(?:badge|label|flag|ribbon|sticker|sku|product-?code)\b[^<>]*>[^<>]{0,60}<\/\1\s*>/gi;
/** An element in a heading whose text says the same: "SKU: 12345". */
const NUMBER_IN_HEADING =
  /<(span|small|em|i|b|sup|div)\b[^<>]*>\s*(?:sku|item|art(?:icle|ikel|\.)?|ref(?:erence|\.)?|code|model)[\s-]*(?:no\.?|nr\.?|number|nummer|#)?\s*[:#][^<>]{0,40}<\/\1\s*>/gi;

/** The heading without the labels in it, if something is left of it. */
function withoutLabels({ html }: HtmlPage, heading: Heading): Heading {
  const source = html.slice(heading.start, heading.start + HEADING_LENGTH);
  const inner = source.slice(source.indexOf('>') + 1, Math.max(0, source.search(/<\/h1/i)));
  const bare = inner.replaceAll(LABEL_IN_HEADING, ' ').replaceAll(NUMBER_IN_HEADING, ' ');
  const text = bare.length === inner.length ? '' : plainTextOfHtml(bare, 500);
  return text === '' ? heading : { ...heading, text };
}

/** Longest heading that may be an amount. */
const AMOUNT_LENGTH = 24;

/** Whether a heading is an amount and nothing else. */
function isAmount(text: string): boolean {
  if (text.length > AMOUNT_LENGTH || !/\d/.test(text)) return false;
  const [placed] = placedAmounts(amountLine(text), {});
  return placed?.isMarked === true && placed.start === 0 && placed.end === text.length;
}

/**
 * The main heading: the one that resembles a title of the page or of its data, else the one that the address spells, else the
 * only one.
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
  // Some pages set the price as their h1.
  const named = headings.filter(({ text }) => !isAmount(text));
  const own = named.filter(({ text }) => !signs.shops.has(bareName(text)));
  const wanted = names.map(bareName).filter((name) => name.length > 2);
  const isLike = ({ text }: Heading): boolean => {
    const bare = bareName(text);
    return bare.length > 2 && wanted.some((name) => name.includes(bare) || bare.includes(name));
  };
  // "Tools" above "Acme Tools Drill 18V" is the category, whose name the other has too.
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

/** Most texts that are compared with a title, and characters of source in which they stand. */
const MOST_TEXTS = 300;
const TITLED_SOURCE = 100_000;
/** The share of the title of a page that is the name of its product; the rest is of the shop. */
const SHARE_OF_TITLE = 0.5;
/** Elements whose text is not shown, or leads to another page. */
const NO_HEADING = /^<(?:a|option|script|style|title)\b/i;

/**
 * The first text of a page without headings that is the greater part of its title, and no link: some pages set their name in a
 * table or in bold letters.
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
 * The currency for signs that several countries share: what the page states, else what its country pays in. `$` alone is
 * the US dollar only where the page says US (D26).
 */
function currencyHints(page: HtmlPage, context: PageContext, stated: string | null): CurrencyHints {
  if (stated !== null && MINOR_DIGITS.has(stated)) return { currency: stated, isStated: true };
  if (context.dollarIsUs) return { currency: 'USD', isStated: false };
  const currency = countryCurrency(page.lang, context.url);
  return { currency, isStated: false };
}

/** What stands in the source of a page that shows a former price, a reduction, or that nothing can be bought. */
const CORRECTION =
  /<(?:del|s|strike)[\s>]|line-through|[\s"'_-](?:old|was|regular|compare|strike\w*|before|original|list|rrp|uvp|crossed|previous|full)(?:[\s"'_-]|price)|[\s>(–−-]\d{1,2}\s?%|[\s>(]%\s?\d{1,2}[\s<]|\b(?:was|regularly|statt|rrp|uvp|instead|avant|antes|prima)\b|out[\s-]?of[\s-]?stock|sold[\s-]?out|unavailable/i;

/** Whether what is near the heading may correct a price or a stock that the data states. */
function mayCorrect(html: string, headingFrom: number): boolean {
  // What corrects a price stands after the heading more often than before it. Nothing that is looked for goes on over the `<`
  // of the heading, so that the two sides can be looked at apart.
  const from = Math.max(0, headingFrom - NEAR_SOURCE.before);
  return (
    CORRECTION.test(html.slice(headingFrom, headingFrom + NEAR_SOURCE.after)) ||
    CORRECTION.test(html.slice(from, headingFrom))
  );
}

/** Most buttons to buy around the heading of a product page: a list has one for each tile. */
const MOST_BUTTONS = 4;

/** Whether a part has the buttons of a product page. */
export function mayBeBought({ buttons }: VisiblePart): boolean {
  return hasBuyButton(buttons) && buttons.length <= MOST_BUTTONS;
}

/** What is needed to see a page. */
type Sight = {
  readonly page: HtmlPage;
  readonly context: PageContext;
  readonly signs: PageSigns;
  /** Names that the data of the page gives the product, besides the titles of the page. */
  readonly names: readonly string[];
  /** The currency that the data of the page states; null without one. */
  readonly currency: string | null;
  /** Whether the data states a price: then only what is near the heading can correct it. */
  readonly isPriced: boolean;
  /** Whether the data offers the product without a price. */
  readonly isUnpriced: boolean;
  /** Whether the data also states maker and stock. */
  readonly isComplete: boolean;
  /** Whether to skip a page that has no buttons of a product page and does not say that its product is sold out. */
  readonly isToBuy: boolean;
};

/** The headings and titles of a page, and other names that its product may have. */
function titlesOf({ page, signs, names }: Pick<Sight, 'page' | 'signs' | 'names'>) {
  return [...names, ...signs.names.filter((name) => !page.headings.includes(name))];
}

/** Whether every button to buy that stands around the main heading of a page is of other goods: of tiles, or of a section of them. */
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

/** The visible part around the main heading; null for a page without one, or where it is not wanted. */
export function seePage(sight: Sight): VisiblePage | null {
  const { page, context, signs, currency, isPriced, isUnpriced, isComplete, isToBuy } = sight;
  const heading = mainHeading(page, signs, titlesOf(sight), context.url);
  if (heading === null) return null;
  if (isComplete && !mayCorrect(page.html, heading.start)) return null;
  const part = visibleLines(page, heading.start, { isNear: isPriced, isToBuy, isUnpriced });
  if (isToBuy && !mayBeBought(part) && !isShownOutOfStock(part)) return null;
  const { text, start, isNamed } = heading;
  const amounts = visibleAmounts(part, text, currencyHints(page, context, currency));
  const spaced = spacedAs(text, titlesOf(sight));
  return { heading: spaced, headingFrom: start, isNamed, shops: signs.shops, part, amounts };
}
