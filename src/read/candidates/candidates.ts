// Says of every amount, stock word and barcode on a page whether it was taken, and why (D85): for a person who reads the page
// next to what the service read.

import { inCurrency, isSameAmount, type Money } from '../../base/listing/money/minor-units.ts';
import type { Listing, PriceReadFrom } from '../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import { seePage, type VisiblePage } from '../page-data/visible/visible-page.ts';
import type { VisibleAmount } from '../page-data/visible/amounts/visible-amounts.ts';
import { MARK } from '../page-data/visible/lines/visible-marks.ts';
import { PRECEDENCE, type FactSource, type StatedFacts } from '../page-data/precedence.ts';
import { parsePage, type ParsedPage } from '../retailers/generic/parsed-page.ts';
import { READ_FROM } from '../retailers/generic/read-page.ts';
import { statedProductOf } from '../retailers/generic/stated-product.ts';
import { looksLikeJson, readStatus } from '../retailers/page-status.ts';
import { readProductPage } from '../retailers/registry.ts';
import { linesOfPage, type TextLine } from './page-texts.ts';
import { textByRule, type PageRule, type RuleFinding } from './page-rules.ts';
import { placedTexts, type PlacedText, type Said } from './placed-texts.ts';

export type PageCandidate = {
  readonly said: Said;
  /** In its text, which is `visible`, or in one of the kinds of data in it. */
  readonly readFrom: PriceReadFrom | null;
  /** Its place on the page; null for data, which has none that a person sees. */
  readonly shown: Omit<PlacedText, 'said'> | null;
  readonly isTaken: boolean;
  readonly why: string;
};

export type PageCandidates = {
  /** Why nothing was taken from the page; null if it was read as a product page. */
  readonly whyUnread: string | null;
  /** The texts of the page, line by line. */
  readonly lines: readonly string[];
  readonly candidates: readonly PageCandidate[];
};

type Taken = Pick<Listing, 'price' | 'priceReadFrom' | 'inStock' | 'gtin'>;

const NOTHING_TAKEN: Taken = { price: null, priceReadFrom: null, inStock: null, gtin: null };

/**
 * Returns everything on a page that may be its price, stock or barcode, also if it is not read as a product page. Any other
 * verdict is the same as from `readProductPage`. Data without a page has no candidates. Never throws.
 */
export function readCandidates(page: Page, slug?: string): PageVerdict<PageCandidates> {
  const notes = { missing: [], remarks: [] };
  const status = readStatus(page);
  if (status !== null) return status;
  if (looksLikeJson(page)) {
    return { kind: 'read', value: { whyUnread: NO_PAGE, lines: [], candidates: [] }, notes };
  }
  const verdict = readProductPage(page, slug);
  switch (verdict.kind) {
    case 'read':
      return { kind: 'read', value: candidatesOn(page, verdict.value, null), notes };
    case 'unreadable':
    case 'not_a_product':
      return { kind: 'read', value: candidatesOn(page, NOTHING_TAKEN, verdict.why), notes };
    default:
      return verdict;
  }
}

const NO_PAGE = 'the answer is data without a page';

/** Applies rules to a page. Empty for a page without text. Never throws. */
export function readByRules(page: Page, rules: readonly PageRule[]): readonly RuleFinding[] {
  const texts = looksLikeJson(page) ? [] : textOf(page).texts;
  return rules.map((rule) => {
    const found = textByRule(rule, texts);
    return {
      ruleId: rule.id,
      found: found && { said: found.text.said, isDoubtful: found.isDoubtful },
    };
  });
}

function textOf(page: Page) {
  const parsed = parsePage(page, new UnknownWords());
  const { facts } = statedProductOf(parsed);
  const names = Object.values(facts).flatMap(({ title }) => (title === null ? [] : [title]));
  const seen = seenOn(parsed, names);
  const lines = linesOfPage(parsed.html.html);
  const texts = placedTexts(lines, {
    currency: parsed.context.currency,
    title: seen?.heading ?? names[0] ?? null,
  });
  return { facts, seen, lines, texts };
}

function candidatesOn(page: Page, taken: Taken, whyUnread: string | null): PageCandidates {
  const { facts, seen, lines, texts } = textOf(page);
  const shown = texts.map(({ said, ...place }): PageCandidate => ({
    said,
    readFrom: 'visible',
    shown: place,
    ...judged({ said, ...place }, { taken, lines, seen }),
  }));
  const data = stated(facts, taken);
  const candidates = [...inState(taken, data), ...data, ...shown];
  return { whyUnread, lines: lines.map(({ text }) => text), candidates };
}

function seenOn(
  { html, context, signs, tags }: ParsedPage,
  names: readonly string[],
): VisiblePage | null {
  const sight = { page: html, context, signs, names, currency: tags.currency };
  return seePage({
    ...sight,
    isPriced: false,
    isUnpriced: false,
    isComplete: false,
    taxed: undefined,
    isToBuy: false,
  });
}

type Judged = { readonly isTaken: boolean; readonly why: string };

/**
 * Returns the facts that a retailer's own reader took from the state in the page's scripts and that no other data states.
 */
function inState(
  { price, priceReadFrom, inStock, gtin }: Taken,
  data: readonly PageCandidate[],
): readonly PageCandidate[] {
  if (price === null || priceReadFrom !== 'state') return [];
  const all: readonly Said[] = [
    { field: 'price', money: price },
    ...(inStock === null ? [] : [{ field: 'stock' as const, inStock }]),
    ...(gtin === null ? [] : [{ field: 'barcode' as const, gtin }]),
  ];
  return all
    .filter(({ field }) => !data.some(({ said, isTaken }) => isTaken && said.field === field))
    .map((said) => ({ said, readFrom: 'state', shown: null, isTaken: true, why: 'It was taken.' }));
}

/** Returns the candidates of the page's data, in the order in which its sources count. */
function stated(facts: StatedFacts, taken: Taken): readonly PageCandidate[] {
  const of = (sources: readonly FactSource[], saidBy: (source: FactSource) => Said | null) => {
    let isDone = false;
    return sources.flatMap((source): readonly PageCandidate[] => {
      const said = saidBy(source);
      if (said === null) return [];
      const readFrom = READ_FROM[source];
      const isTaken = !isDone && isSaidOf(taken, said);
      isDone ||= isTaken;
      const why = isTaken ? 'It was taken.' : DATA_NOT_TAKEN;
      return [{ said, readFrom, shown: null, isTaken, why }];
    });
  };
  return [
    ...of(PRECEDENCE.price, (source) => {
      const price = facts[source].price?.money;
      return price === undefined ? null : { field: 'price', money: price };
    }),
    ...of(PRECEDENCE.stock, (source) => {
      const { inStock } = facts[source];
      return inStock === null ? null : { field: 'stock', inStock };
    }),
    ...of(PRECEDENCE.gtin, (source) => {
      const { gtin } = facts[source];
      return gtin === null ? null : { field: 'barcode', gtin };
    }),
  ];
}

const DATA_NOT_TAKEN = 'Another source on the page comes before this one, or contradicts it.';

/** Whether a listing states the same. */
function isSaidOf(taken: Taken, said: Said): boolean {
  if (said.field === 'price') return taken.price !== null && isSamePrice(said.money, taken.price);
  if (said.field === 'stock') return taken.inStock === said.inStock;
  return taken.gtin === said.gtin;
}

function isSamePrice(money: Money, price: Money): boolean {
  const named = inCurrency(money, money.currency ?? price.currency);
  return named !== null && isSameAmount(named, price);
}

type Around = {
  readonly taken: Taken;
  readonly lines: readonly TextLine[];
  readonly seen: VisiblePage | null;
};

function judged(text: PlacedText, { taken, lines, seen }: Around): Judged {
  const isTaken = isSaidOf(taken, text.said);
  const { said } = text;
  if (said.field === 'barcode') {
    if (isTaken) return { isTaken, why: AGREES };
    const why =
      'No label next to it calls it the barcode of this product, or a label calls it something ' +
      'else.';
    return { isTaken, why };
  }
  if (said.field === 'stock') {
    if (isTaken) return { isTaken, why: AGREES };
    const why = "The page's data, another text nearer to the price or a button to buy comes first.";
    return { isTaken, why };
  }
  const amount = seen === null ? undefined : amountAt(seen, lines[text.line], said.money);
  const against = amount === undefined ? OUTSIDE : reasonOf(amount);
  if (!isTaken) return { isTaken, why: against ?? LESS_EVIDENCE };
  return against === null || amount === undefined
    ? { isTaken, why: AGREES }
    : { isTaken: false, why: against };
}

const AGREES = 'It agrees with the value that was read.';
const OUTSIDE = "It stands outside the part around the product's name.";
const LESS_EVIDENCE =
  "The page's data states another amount, or another one has more signs of being the price: " +
  "its element's name, a currency, little text next to it, its distance from the product's " +
  'name and from the button to buy.';

/** Finds the reader's own amount for a text: on a line with the same words. */
function amountAt(
  { amounts, part }: VisiblePage,
  line: TextLine | undefined,
  money: Money,
): VisibleAmount | undefined {
  const same = amounts.filter((amount) => isSamePrice(amount.money, money));
  const words = bareLine(line?.text ?? '');
  return same.find((amount) => bareLine(part.lines[amount.line]?.text ?? '') === words);
}

const bareLine = (text: string): string => text.replaceAll(/\s/g, '');

/** Returns why an amount is not the price; null if nothing speaks against it. */
function reasonOf(amount: VisibleAmount): string | null {
  const has = (mark: number): boolean => (amount.marks & mark) !== 0;
  if (has(MARK.hidden)) return 'Its element is hidden.';
  if (has(MARK.aside | MARK.beside))
    return 'It is among other goods or in a box next to the product.';
  if (amount.isFormer) return 'It is struck through, or called a former price.';
  if (amount.isForSeveral) return 'It is for buyers of several pieces.';
  if (amount.isForHolders) return 'It is for members or holders of a card.';
  if (amount.isNet) return 'It is without tax.';
  if (amount.isNamedOtherwise || amount.isNotedOtherwise || has(MARK.charge)) {
    return 'Its words name something else than the price.';
  }
  if (has(MARK.link)) return 'It is part of a link.';
  if (amount.isRegular) return 'It is called the regular or list price.';
  return amount.score > 0 ? null : 'Its words or its distance from the product speak against it.';
}
