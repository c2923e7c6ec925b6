// Converts a schema.org product, alone or as a group of variants, to the facts of one listing. Decides which variant the
// address selects and which facts all variants share.

import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { isDangerousGood } from '../../../base/listing/vocabularies/hazmat.ts';
import { comparableCodes } from '../../../base/listing/stated-codes.ts';
import { isSameAmount } from '../../../base/listing/money/minor-units.ts';
import type { ChosenVariant } from '../../../base/listing/page.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import { NO_FACTS } from '../facts.ts';
import type { Facts, PageContext } from '../facts.ts';
import type { Graph } from './graph.ts';
import { hasType, isNode, listOf, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import {
  conditionIn,
  haveSeveralPrices,
  mainOffer,
  offersOfNow,
  saleAndRegular,
  areOfSeveral,
  stockOf,
  withOffers,
} from './offers.ts';
import type { OfferedNode, SchemaOffer } from './offers.ts';
import { pathText } from '../page-address.ts';
import { chosenAgain, chosenOf } from '../variants/chosen-variant.ts';
import { haveSeveralCurrencies, offersInCurrency } from '../page-currency.ts';
import { inOfferOrder, inPartOrder } from './offer-order.ts';
import { variantsAtAddress, type PartsAtAddress } from './schema-variants.ts';
import { dimensionsIn, ratingIn, weightIn } from './schema-numbers.ts';
import {
  barcodeIn,
  barcodesIn,
  brandIn,
  descriptionIn,
  firstOf,
  imageIn,
  specsIn,
  textIn,
  titleIn,
  textsIn,
} from './schema-values.ts';

export const PRODUCT_TYPES: ReadonlySet<string> = new Set([
  'product',
  'productgroup',
  'individualproduct',
  'productmodel',
  'someproducts',
  'vehicle',
  'car',
  'motorcycle',
]);

/** Types that are products only with an offer. */
export const OFFERED_TYPES: ReadonlySet<string> = new Set([
  'book',
  'audiobook',
  'musicalbum',
  'musicrelease',
  'movie',
  'videogame',
  'visualartwork',
  'drug',
  'dietarysupplement',
]);

const VARIANT_LIMIT = 500;

/** Returns the variants that a group refers to, or that refer to it, without stubs that only link to another page. */
function variantsOf(graph: Graph, group: SchemaNode): readonly SchemaNode[] {
  const named = listOf(group, 'hasVariant').filter(isNode);
  if (named.length > 0) return named.slice(0, VARIANT_LIMIT);
  const id = valueOf(group, '@id');
  const groupId = valueOf(group, 'productGroupID');
  if (!hasType(group, new Set(['productgroup']))) return [];
  const members = graph.nodes.filter(({ node }) => {
    if (node === group || !hasType(node, PRODUCT_TYPES)) return false;
    const parent = firstOf(node, 'isVariantOf');
    const parentId = isNode(parent) ? valueOf(parent, '@id') : parent;
    if (typeof id === 'string' && parentId === id) return true;
    return groupId !== undefined && valueOf(node, 'inProductGroupWithID') === groupId;
  });
  return members.map(({ node }) => node).slice(0, VARIANT_LIMIT);
}

/** Returns the value that all parts state; null when they differ, because the barcode of one size is not the page's. */
function shared<T>(values: readonly (T | null)[]): T | null {
  const first = values[0] ?? null;
  return values.every((value) => value === first) ? first : null;
}

/** Like `shared`, but parts without a value are ignored. */
function agreed<T>(values: readonly (T | null)[]): T | null {
  return shared(values.filter((value) => value !== null));
}

/** Returns the categories in `category` ("A > B > C"); addresses and taxonomy numbers are not names. */
function categoriesIn(node: SchemaNode): readonly string[] {
  const names: string[] = [];
  for (const value of listOf(node, 'category').slice(0, 20)) {
    const text = isNode(value)
      ? textIn(value, 'name', 500)
      : typeof value === 'string'
        ? value
        : '';
    if (text === null || /^https?:/i.test(text)) continue;
    for (const piece of text.slice(0, 500).split(/\s*(?:>|»|›|\|)\s*|\s+\/\s+/)) {
      const name = cleanText(piece, 200);
      if (name !== '' && !/^\d+$/.test(name) && !names.includes(name)) names.push(name);
    }
  }
  return names;
}

/** A label followed by a single word with a digit. */
const LABELLED = /^\p{L}[\p{L}. ]{1,24}[:：]\s+(\S*\d\S*)$/u;

/** Returns the SKU; null when it is part of the page's address ("red-shoe/p123") and therefore a slug. */
function skuIn(node: SchemaNode, context: PageContext): string | null {
  const written = textIn(node, 'sku', 200);
  // A theme may include the label in the marked-up value: "Réf.: PM-01".
  const sku = written === null ? null : (LABELLED.exec(written)?.[1] ?? written);
  if (sku === null || !sku.includes('/') || context.url === null) return sku;
  return pathText(context.url).includes(sku.toLowerCase()) ? null : sku;
}

/**
 * Returns the barcode of the item sold. The data around an offer may have another variant's barcode, so the product's own
 * only applies to offers without one, and the group's only when no variant and no offer states one. Nodes with the same name
 * next to the only one with an offer (`others`) count when that one and its offers state none: the book next to the product.
 */
function gtinOf(
  group: SchemaNode | null,
  parts: readonly OfferedNode[],
  offers: readonly SchemaOffer[],
  others: readonly SchemaNode[],
): Gtin14 | null {
  const codes = parts.map(({ node }) => barcodeIn(node));
  const own = shared(codes);
  if (own !== null && offers.length > 0) return shared(offers.map(({ gtin }) => gtin ?? own));
  if (codes.some(isSome)) return own;
  const offered = offers.map(({ gtin }) => gtin);
  if (offered.some(isSome)) return shared(offered);
  if (group !== null) return parts.length === 1 ? null : barcodeIn(group);
  return parts.length === 1 ? agreed(others.map(barcodeIn)) : null;
}

/** Whether a node has no offer and states no other number than the product offered next to it. */
function isBeside(
  node: SchemaNode,
  products: readonly OfferedNode[],
  context: PageContext,
): boolean {
  const sku = skuIn(node, context);
  return products.every((one) => {
    if (one.node === node) return one.offers.length === 0;
    return sku === null || one.offers.length === 0 || sku === skuIn(one.node, context);
  });
}

/** Returns the number of the item sold: the chosen offer's, if the product's number belongs to one of its offers. */
function skuOf(
  own: string | null,
  parts: readonly OfferedNode[],
  offer: SchemaOffer | null,
): string | null {
  const chosen = offer?.sku ?? null;
  if (own === null || chosen === null) return own ?? chosen;
  return parts.some(({ offers }) => offers.some(({ sku }) => sku === own)) ? chosen : own;
}

function isSome<T>(value: T | null): value is T {
  return value !== null;
}

/** Returns identity facts of the chosen parts, otherwise of the group. */
function identityFacts(
  group: SchemaNode | null,
  parts: readonly OfferedNode[],
  { offers, main }: Pick<Asked, 'offers' | 'main'>,
  { context, others }: { readonly context: PageContext; readonly others: readonly SchemaNode[] },
): Pick<Facts, 'title' | 'brand' | 'sku' | 'mpn' | 'model' | 'gtin'> {
  const nodes = parts.map(({ node }) => node);
  const isWhole = nodes.length !== 1;
  const around = group === null ? [] : [group];
  const both = isWhole ? around : [...nodes, ...around];
  const first = <T>(read: (node: SchemaNode) => T | null): T | null => {
    for (const node of both) {
      const value = read(node);
      if (value !== null) return value;
    }
    return agreed(nodes.map(read));
  };
  const sku = first((node) => skuIn(node, context));
  return {
    title: [...around, ...nodes].map((node) => titleIn(node, 'name')).find(isSome) ?? null,
    brand: first(brandIn) ?? agreed(others.map(brandIn)),
    sku: skuOf(sku, parts, main),
    mpn:
      first((node) => textIn(node, 'mpn', 200)) ??
      agreed(offers.map((entry) => entry.mpn)) ??
      agreed(others.map((node) => textIn(node, 'mpn', 200))),
    model: first((node) => textIn(node, 'model', 200)),
    gtin: gtinOf(group, parts, offers, others),
  };
}

/** Returns the numbers of all parts, including sold-out variants and the enclosing group (D90). */
function codesIn(parts: readonly OfferedNode[], context: PageContext): readonly string[] {
  const groups = parts.map(({ node }) => firstOf(node, 'isVariantOf')).filter(isNode);
  const nodes = [...new Set([...parts.map(({ node }) => node), ...groups])];
  const ofNodes = nodes.map((node) => ({
    gtins: barcodesIn(node),
    skus: [
      skuIn(node, context),
      textIn(node, 'productGroupID', 200),
      textIn(node, 'inProductGroupWithID', 200),
    ],
    mpns: [textIn(node, 'mpn', 200)],
  }));
  const offers = parts.flatMap((part) => part.offers);
  return comparableCodes([
    ...ofNodes,
    {
      gtins: offers.map(({ gtin }) => gtin),
      skus: offers.map(({ sku }) => sku),
      mpns: offers.map(({ mpn }) => mpn),
    },
  ]);
}

type Asked = {
  readonly offers: readonly SchemaOffer[];
  /** The one that counts. */
  readonly main: SchemaOffer | null;
  /** Those of the variant chosen at the last reading: price and stock are its own. None of them if there is none. */
  readonly again: readonly SchemaOffer[];
  /** Those of the group, whose terms count for that variant too. */
  readonly ofGroup: readonly SchemaOffer[];
  /** Whether all offers belong to one node rather than several variants. */
  readonly areOfOnePart: boolean;
  /** Whether the address chose them among others, whose prices the page may show instead. */
  readonly isNarrow: boolean;
};

function offerFacts(
  { offers: stated, main, again, ofGroup, areOfOnePart, isNarrow }: Asked,
  nodes: readonly SchemaNode[],
  context: PageContext,
): Pick<
  Facts,
  | 'price'
  | 'isPriceZero'
  | 'listPrice'
  | 'inStock'
  | 'unavailable'
  | 'isStockOfSeveral'
  | 'condition'
  | 'sellerName'
> {
  // With two variants at their own prices, neither is the other's former price.
  const offers = offersOfNow(stated);
  const pair = areOfOnePart ? saleAndRegular(offers) : null;
  const offer = pair?.sale ?? main;
  // Which of several currencies the page is in is unclear.
  const own = haveSeveralCurrencies(stated) ? null : (offer?.price ?? null);
  const countsNow = isNarrow || (again.length > 0 && offers.length < stated.length);
  const price = own !== null && countsNow ? { ...own, isOfOtherTime: false } : own;
  const isOneOfSeveral = pair === null && haveSeveralPrices(stated);
  const others = stated.filter((each) => !again.includes(each)).map((each) => each.price?.money);
  const ofOthers =
    again.length === 0 ? {} : { ofOthers: others.filter((each) => each !== undefined) };
  const isStocked = again.some(({ inStock }) => inStock !== null);
  const stocked = isStocked ? again : [...offers, ...ofGroup];
  const terms = ofGroup.find(
    (each) => each.price !== null && own !== null && isSameAmount(each.price.money, own.money),
  );
  const condition =
    offer?.condition ??
    terms?.condition ??
    nodes.map((node) => conditionIn(node, context)).find((value) => value !== null);
  const gone = stocked.map((entry) => entry.unavailable).filter((value) => value !== null);
  return {
    price:
      price === null
        ? null
        : { ...price, ...(isOneOfSeveral ? { isOneOfSeveral } : {}), ...ofOthers },
    isPriceZero:
      offer?.price === null &&
      (offers.some((entry) => entry.isPriceZero) ||
        (again.length > 0 && stated.some((each) => each.price !== null))),
    listPrice:
      price === null ? null : (pair?.regular ?? offer?.listPrice ?? terms?.listPrice ?? null),
    inStock: stockOf(stocked),
    unavailable: gone.length === 0 ? null : gone.every(Boolean),
    isStockOfSeveral: pair === null && areOfSeveral(offers),
    condition: condition ?? null,
    sellerName: offer?.sellerName ?? terms?.sellerName ?? null,
  };
}

/**
 * Returns the variant of the offer that counts. A price that the product states for all of its variants is that of the first one
 * at this price.
 */
function chosenIn(
  [own, named]: readonly [PartsAtAddress, PartsAtAddress],
  offer: SchemaOffer | null,
): ChosenVariant | null {
  const price = offer?.price?.money;
  if (offer === null) return null;
  const identity = chosenOf(own.identityOf(offer));
  if (identity !== null || own === named || price === undefined) return identity;
  const first = inOfferOrder(named.offers).find(
    (each) => each.price !== null && isSameAmount(each.price.money, price),
  );
  return first === undefined ? null : chosenOf(named.identityOf(first));
}

const UNCLEAR = { price: null, listPrice: null, isVariantUnclear: true };

function hazmatIn(node: SchemaNode): boolean | null {
  return textsIn(node, 'hasAdultConsideration').some(isDangerousGood) ? true : null;
}

/**
 * Returns the facts of a product. `products` is one product or group, or several variants with one name: the address
 * chooses among them, otherwise the order of their offers.
 */
export function readProductNodes(
  graph: Graph,
  products: readonly OfferedNode[],
  context: PageContext,
): Facts {
  const own = products[0];
  if (own === undefined) return NO_FACTS;
  const { node: group } = own;
  const nodes = products.map(({ node }) => node);
  const variants =
    products.length > 1
      ? products
      : variantsOf(graph, group).map((node) => withOffers(node, context));
  const offered = variants.filter(({ offers }) => offers.length > 0);
  const named = variantsAtAddress(offered.length > 0 ? offered : [own], context);
  const asked = named.parts;
  const isNarrow = asked.length < offered.length;
  // A group's offer applies to all variants, unless the address selects one. A price range only counts when no variant has
  // an offer.
  const hasOwn = own.offers.some(({ price, isAggregate }) => price !== null && !isAggregate);
  const among = ({ offers, identityOf }: PartsAtAddress): readonly SchemaOffer[] =>
    chosenAgain(offersInCurrency(offers, context.currency), identityOf, context.asked.chosenBefore);
  const isChosenVariant = among(named).length > 0;
  const useOwn = nodes.length === 1 && hasOwn && !isNarrow && !isChosenVariant;
  const chosen = useOwn ? variantsAtAddress([own], context) : named;
  const again = among(chosen);
  const ofGroup = isChosenVariant && !named.parts.includes(own) ? own.offers : [];
  // Facts that a group states for all of its variants do not change with the chosen one.
  const parts = inPartOrder(asked, ofGroup.length > 0 ? [] : again);
  const stated = useOwn ? own.offers : asked.flatMap((part) => part.offers);
  const offers = offersInCurrency(chosen.offers, context.currency);
  const main = mainOffer(again.length > 0 ? again : offers, context);
  const areOfOnePart = useOwn || parts.length === 1;
  const isOfSome = isNarrow || chosen.offers.length < stated.length;
  const all = [...parts.map(({ node }) => node), ...nodes];
  const whole = nodes.length === 1 ? group : (all[0] ?? group);
  const firstFact = <T>(read: (node: SchemaNode) => T | null): T | null => {
    for (const node of all) {
      const value = read(node);
      if (value !== null) return value;
    }
    return null;
  };
  const others = nodes.filter((node) => isBeside(node, products, context));
  const rated = all.map((node) => ratingIn(node)).find(({ rating }) => rating !== null);
  return {
    ...NO_FACTS,
    ...identityFacts(
      nodes.length === 1 ? group : null,
      parts,
      { offers, main },
      { context, others },
    ),
    ...offerFacts({ offers, main, again, ofGroup, areOfOnePart, isNarrow: isOfSome }, all, context),
    chosen: chosenIn([chosen, named], main),
    ...(variants.length > 1 && !isOfSome ? { isStockOfSeveral: true } : {}),
    ...(chosen.isUnclear || named.isUnclear ? UNCLEAR : {}),
    ...(rated ?? ratingIn(whole)),
    codes: codesIn([...products, ...variants], context),
    description: firstFact(descriptionIn),
    imageUrl: firstFact((node) => imageIn(node, 'image')),
    url: textIn(whole, 'url', 4096),
    weightLbs: agreed(all.map(weightIn)),
    dimensions: firstFact(dimensionsIn),
    hazmat: firstFact(hazmatIn),
    categories: categoriesIn(whole),
    specs: specsIn(parts.length === 1 ? (parts[0]?.node ?? whole) : whole),
  };
}
