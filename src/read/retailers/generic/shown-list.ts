// Whether the visible page is a list of goods although its data or tags speak of one product, which shops copy from a tile; and
// whether it shows a product of its own above goods that its data lists.

import { amountOf, isSameAmount } from '../../../base/listing/money/minor-units.ts';
import { bareName, isListPath } from '../../page-data/page-names.ts';
import { isList, namesOfGoods } from '../../page-data/schema-org/main-product.ts';
import type { Displayed } from '../../page-data/visible/displayed-facts.ts';
import { isBuyingPlace } from '../../page-data/visible/lines/visible-buttons.ts';
import { MARK } from '../../page-data/visible/lines/visible-marks.ts';
import { isPaged } from '../../page-data/visible/paged-list.ts';
import type { VisibleAmount } from '../../page-data/visible/amounts/visible-amounts.ts';
import { isSingleTile, linkedTexts } from '../../page-data/visible/single-tile.ts';
import type { VisiblePage } from '../../page-data/visible/visible-page.ts';
import type { ParsedPage } from './parsed-page.ts';
import type { StatedProduct } from './stated-product.ts';

/** Whether the displayed price belongs to the only tile of a list. */
export function isTileShown({ html, context, signs }: ParsedPage, displayed: Displayed): boolean {
  const { page } = displayed;
  return isSingleTile(html, { ...page, names: signs.names, context }, priceAt(displayed));
}

/** Returns the position of the price, else of the buy button, else 0. */
function priceAt({ offer: { price }, page }: Displayed): number {
  const shown = page.amounts.find(
    ({ money, score, at }) => score > 0 && at > 0 && (price === null || isSameAmount(money, price)),
  );
  return shown?.at ?? page.part.buttons.find(isBuyingPlace)?.at ?? 0;
}

/** Whether the page shows tiles of several goods: several buy buttons, each after its own amount. */
export function isTiled({ part, amounts }: VisiblePage): boolean {
  const buttons = part.buttons.filter(isBuyingPlace);
  const sums = buttons.map(({ at }) => {
    const before = amounts.findLast((amount) => amount.score > 0 && amount.at < at);
    return before && amountOf(before.money);
  });
  return buttons.length > 1 && new Set(sums).size === buttons.length;
}

/** Amounts stated by data or tags, one of which may be copied from a tile. */
type Copied = {
  readonly lowest: number;
  readonly highest: number;
  /** A mark of the tiles that it may be copied from. */
  readonly mark: number;
  /** Whether the tags also state a maker or that it is in stock, as no list does unless they are copied from a tile. */
  readonly isSaid: boolean;
};

/** The number of tiles that make a list on a page whose tags call it a product and state nothing about it. */
const MANY_TILES = 3;

/**
 * Whether the page is a list: it shows several tiles and has no price or buy button of its own, and what its data or tags state
 * as the price is that of a tile. Goods in a section named after its relation to the product ("related") are not a list. On a
 * page of a list that goes on, one tile is enough, its price may be in its link, and it may have a button.
 */
export function isListByView(
  parsed: ParsedPage,
  product: StatedProduct,
  { page }: Displayed,
): boolean {
  const { part, amounts } = page;
  const copied = copiedPrice(parsed, product);
  if (copied === null) return false;
  const { lowest, highest, mark, isSaid } = copied;
  const asked = amounts.filter(
    ({ at, money }) => at > 0 && amountOf(money) >= lowest && amountOf(money) <= highest,
  );
  if (asked.some(({ score }) => score > 0)) return false;
  const tiles = amounts.filter((amount) => isOfTile(amount, mark));
  const hasButton = part.buttons.some(isBuyingPlace);
  const mayContinue = amounts.some((amount) => isOfTile(amount, mark | MARK.link));
  const continued =
    mayContinue && isPaged(parsed.html.html, parsed.context)
      ? tilesWithLinks(parsed, page, tiles)
      : [];
  const isContinued = continued.length > 0 && !hasButtonBeside(page, continued);
  if (!isContinued && (isSaid || hasButton)) return false;
  const counted = isContinued ? continued : tiles;
  const count = new Set(counted.map(({ line }) => line)).size;
  if (lowest === 0) return isContinued || count >= MANY_TILES;
  if (count < 2 && !isContinued && !isCalledList(parsed)) return false;
  const sums = counted.map(({ money }) => amountOf(money));
  return sums.includes(lowest) || sums.includes(highest);
}

/** Whether an amount has a mark of a tile, and is not of goods that are named after their relation to the product. */
const isOfTile = ({ at, marks }: VisibleAmount, mark: number): boolean =>
  at > 0 && (marks & mark) !== 0 && (marks & MARK.beside) === 0;

/** Returns the amounts of tiles, and those in links to other pages. */
function tilesWithLinks(
  { html, context }: ParsedPage,
  { part, amounts, headingFrom }: VisiblePage,
  tiles: readonly VisibleAmount[],
): readonly VisibleAmount[] {
  const linked = amounts.filter((amount) => isOfTile(amount, MARK.link));
  if (linked.length === 0) return tiles;
  const texts = linkedTexts(html, headingFrom, context).map(bareName);
  const isLinked = ({ line }: VisibleAmount): boolean => {
    const { text = '', pieces = [] } = part.lines[line] ?? {};
    const written = pieces
      .map(({ from, marks }, index) => ({ marks, said: text.slice(from, pieces[index + 1]?.from) }))
      .filter(({ marks, said }) => (marks & MARK.link) !== 0 && /\d/.test(said))
      .map(({ said }) => bareName(said));
    return written.length > 0 && texts.some((each) => written.every((said) => each.includes(said)));
  };
  return [...tiles, ...linked.filter(isLinked)];
}

/** Whether a buy button is not after the amount of a tile. */
function hasButtonBeside({ part, amounts }: VisiblePage, tiles: readonly VisibleAmount[]): boolean {
  return part.buttons.filter(isBuyingPlace).some(({ at }) => {
    const before = amounts.findLast((amount) => amount.at <= at);
    return before === undefined || !tiles.includes(before);
  });
}

/** Whether the data or the address says that the page is a list. */
function isCalledList({ jsonLd, microdata, context }: ParsedPage): boolean {
  return isList(jsonLd) || isList(microdata) || isListPath(context.url);
}

/** Returns the price that may be copied from a tile; any amount if the tags only call the page a product. */
function copiedPrice({ tags }: ParsedPage, { main, isDescribed }: StatedProduct): Copied | null {
  if (isDescribed) {
    if (main.kind !== 'one' || !main.mayBeCategory) return null;
    const offer = main.products[0]?.offers.find(({ price }) => price !== null);
    if (offer === undefined || offer.price === null) return null;
    const { money, highestCents } = offer.price;
    const lowest = amountOf(money);
    if (!offer.isAggregate) return { lowest, highest: lowest, mark: MARK.tile, isSaid: false };
    const highest =
      highestCents === undefined
        ? Number.POSITIVE_INFINITY
        : amountOf({ ...money, cents: highestCents });
    return { lowest, highest, mark: MARK.aside, isSaid: false };
  }
  const { price, inStock, condition, gtin, sku, mpn, brand } = tags.facts;
  if (price !== null) {
    const amount = amountOf(price.money);
    return { lowest: amount, highest: amount, mark: MARK.tile, isSaid: false };
  }
  if (inStock === false || [condition, gtin, sku, mpn].some((fact) => fact !== null)) return null;
  const isSaid = inStock !== null || brand !== null;
  return { lowest: 0, highest: Number.POSITIVE_INFINITY, mark: MARK.tile, isSaid };
}

/** A product page may repeat its button in a sticky bar. */
const MOST_BUTTONS = 2;

/**
 * Whether the page shows a price and a buy button of its own, below a heading that is its title and above every tile. Then the
 * goods that its data lists are others: no name of one of them is above the price.
 */
export function isAboveOthers(
  { context, jsonLd, microdata }: ParsedPage,
  displayed: Displayed,
): boolean {
  const { page, offer } = displayed;
  const { part, amounts, isNamed, heading } = page;
  const buttons = part.buttons.filter(isBuyingPlace);
  if (offer.price === null || buttons.length === 0 || buttons.length > MOST_BUTTONS) return false;
  if (!isNamed || isListPath(context.url)) return false;
  const from = priceAt(displayed);
  if (amounts.some(({ at, marks }) => at > 0 && at < from && (marks & MARK.tile) !== 0))
    return false;
  const others = new Set([jsonLd, microdata].flatMap(namesOfGoods).map(bareName));
  if (others.has(bareName(heading))) return false;
  return !part.lines.some(({ at, text }) => at > 0 && at < from && others.has(bareName(text)));
}
