// Decides which product in the structured data is the page's own, if any: categories, lists and front pages contain
// products too. Based on address and name, never on position alone.

import type { PageContext } from '../facts.ts';
import type { Graph } from './graph.ts';
import { hasType, isNode, listOf, valueOf } from './node.ts';
import type { PlacedNode, SchemaNode } from './node.ts';
import { inPartOrder } from './offer-order.ts';
import { readOffers } from './offers.ts';
import type { OfferedNode } from './offers.ts';
import { absoluteUrl, addressMatch, isOtherPage } from '../page-address.ts';
import { bareName, isFrontPage, isNumberIn, nameMatch, lowerWords } from '../page-names.ts';
import { OFFERED_TYPES, PRODUCT_TYPES } from './schema-org-product.ts';
import type { PageSigns } from '../page-signs.ts';
import type { ProductCandidate, ChoiceContext } from './product-doubts.ts';
import { doubtAbout, isAboutAnother, isShopItself, mayBeCategory } from './product-doubts.ts';
import { barcodeIn, firstOf, textIn, titleIn } from './schema-values.ts';

export type ProductChoice =
  | {
      readonly kind: 'one';
      /** The chosen products, with the offers that were read to choose them. */
      readonly products: readonly OfferedNode[];
      /** Whether it states an offer, availability or a product number, not only a name. */
      readonly isOffered: boolean;
      readonly hasOffer: boolean;
      /** Whether its offer states this page's address. */
      readonly isAddressed: boolean;
      /** Whether its name exactly matches a heading or title of the page. */
      readonly isNamed: boolean;
      /** Whether its name nearly matches a heading or title of the page. */
      readonly isAlike: boolean;
      /** Whether the data offers products with other names next to it. */
      readonly isAmongOthers: boolean;
      /** Whether it states only prices: a category may call itself a product. */
      readonly mayBeCategory: boolean;
    }
  | { readonly kind: 'several' }
  | {
      readonly kind: 'none';
      readonly why: string | null;
      /** Whether the reason also determines the kind of page. Microdata tiles of other goods do not. */
      readonly isDenied: boolean;
    };

const CANDIDATE_LIMIT = 1000;

/** Properties that lead to the page's own product; related ones are under `isRelatedTo`, `itemListElement`... */
const MAIN_STEPS = new Set([
  '@graph',
  '@included',
  'mainEntity',
  'mainEntityOfPage',
  'itemOffered',
  'itemReviewed',
  'object',
]);
/** Actions a page offers visitors to obtain the product. */
const PURCHASES = new Set(['buyaction', 'orderaction', 'preorderaction', 'tradeaction']);
const OFFERS = new Set(['offer', 'aggregateoffer']);
const GROUPS = new Set(['productgroup']);
const RATINGS = new Set(['aggregaterating']);
const LISTS = new Set([
  'itemlist',
  'collectionpage',
  'searchresultspage',
  'offercatalog',
  'productcollection',
]);
const COLLECTIONS = new Set(['collectionpage', 'searchresultspage']);
const ARTICLES = new Set([
  'article',
  'newsarticle',
  'blogposting',
  'techarticle',
  'reportagenewsarticle',
  'recipe',
  'howto',
]);
/** Events and courses, which sell seats rather than goods. */
const EVENTS =
  'event businessevent childrensevent comedyevent course courseinstance danceevent educationevent eventseries exhibitionevent ' +
  'festival foodevent hackathon literaryevent musicevent screeningevent socialevent sportsevent theaterevent visualartsevent';
/** Homes, accommodation and trips, which are sold or rented but are not shop goods. */
const STAYS =
  'accommodation apartment bedandbreakfast campground hostel hotel hotelroom house lodgingbusiness motel realestatelisting ' +
  'residence resort singlefamilyresidence suite touristtrip vacationrental boattrip bustrip flight traintrip trip';
/**
 * Products of banks and insurers: FinancialProduct and all its subtypes. A page of goods may describe one too, as financing.
 */
const FINANCES =
  'bankaccount brokerageaccount creditcard currencyconversionservice depositaccount financialproduct investmentfund ' +
  'investmentordeposit loanorcredit mortgageloan paymentcard paymentservice';
/** A node with one of these types does not count as a product, even if it also has a product type. */
const NO_PRODUCTS = new Set([EVENTS, STAYS, FINANCES].flatMap((names) => names.split(' ')));
/** Types that a page may be about without selling anything. A product in `og:type` does not override them. */
const NO_GOODS = new Set([
  ...ARTICLES,
  'podcastepisode',
  'podcastseries',
  'radioepisode',
  'episode',
  ...EVENTS.split(' '),
  ...STAYS.split(' '),
  'tvepisode',
  'videoobject',
  'jobposting',
  'faqpage',
  'qapage',
  'liveblogposting',
  'opinionnewsarticle',
  'reviewnewsarticle',
  'analysisnewsarticle',
  'scholarlyarticle',
  'medicalwebpage',
  'service',
  'financialproduct',
  'menu',
  'restaurant',
  'foodestablishment',
  'profilepage',
  'socialmediaposting',
  'discussionforumposting',
]);

/**
 * Whether a path leads to the page's product, also by `mainEntity.offers.itemOffered`: the page's own offers lead to the
 * offered product.
 */
function leadsToMain(path: readonly string[]): boolean {
  return path.every(
    (step, at) => MAIN_STEPS.has(step) || (step === 'offers' && path[at + 1] === 'itemOffered'),
  );
}

function isMain(placed: PlacedNode): boolean {
  if (!leadsToMain(placed.path)) return false;
  const last = placed.path.at(-1);
  // A rating of the product belongs to the page; a review of a product may be an article.
  if (last === 'itemReviewed') return placed.parent !== null && hasType(placed.parent, RATINGS);
  if (last === 'itemOffered') return placed.parent !== null && hasType(placed.parent, OFFERS);
  if (last === 'object') return placed.parent !== null && hasType(placed.parent, PURCHASES);
  return true;
}

/** Returns the page's own nodes of these types. */
export function mainNodes(graph: Graph, types: ReadonlySet<string>): readonly SchemaNode[] {
  return graph.nodes
    .filter((one) => isMain(one) && hasType(one.node, types))
    .map(({ node }) => node);
}

/** Whether any of the page's own nodes has one of these types. */
function hasMain(graph: Graph, types: ReadonlySet<string>): boolean {
  return graph.nodes.some((placed) => isMain(placed) && hasType(placed.node, types));
}

/** Whether the data describes an article. */
export function isArticle(graph: Graph): boolean {
  return hasMain(graph, ARTICLES);
}

/** Whether the data describes an article, a recipe, an episode or an event and has no offer. */
export function isAboutNoGoods(graph: Graph): boolean {
  return hasMain(graph, NO_GOODS);
}

/** Whether the page has a list of products or of links to them. Breadcrumbs have their own type. */
export function isList(graph: Graph): boolean {
  return hasMain(graph, LISTS);
}

/** Returns the names of all goods in the data, also those in lists. */
export function namesOfGoods(graph: Graph): readonly string[] {
  return graph.nodes
    .filter(
      ({ node, parent }) =>
        hasType(node, PRODUCT_TYPES) || (parent !== null && hasType(parent, LISTS)),
    )
    .map(({ node }) => titleIn(node, 'name'))
    .filter((name) => name !== null);
}

/** Nodes around a product that belong to it: the offer of `itemOffered`, the rating of `itemReviewed`. */
const AROUND: ReadonlyMap<string, string> = new Map([
  ['itemOffered', 'offers'],
  ['itemReviewed', 'aggregateRating'],
]);

function withItsParent(placed: PlacedNode): SchemaNode {
  const { node, parent, path } = placed;
  const property = AROUND.get(path.at(-1) ?? '');
  if (property === undefined || parent === null || firstOf(node, property) !== undefined) {
    return node;
  }
  const whole = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(node)) whole[name] = node[name];
  whole[property] = parent;
  return whole;
}

const NUMBERS = ['sku', 'mpn', 'productID', 'productGroupID'];

function candidateOf(
  node: SchemaNode,
  context: PageContext,
  names: readonly string[],
): ProductCandidate {
  const offers = readOffers(node, context);
  const ownText = textIn(node, 'url', 4096);
  const own = absoluteUrl(ownText, context.url);
  // `#product` is an id within the data, not an address.
  const id = absoluteUrl(textIn(node, '@id', 4096), null);
  const stated = [own, id, ...offers.map((offer) => offer.url)].filter((url) => url !== null);
  const isPage = (url: URL): boolean =>
    addressMatch(url, context.url) > 0 || addressMatch(url, context.canonical) > 0;
  const title = titleIn(node, 'name') ?? titleIn(node, 'heading') ?? '';
  const hasBarcode = barcodeIn(node) !== null || offers.some((offer) => offer.gtin !== null);
  const isNumbered =
    own === null && NUMBERS.some((key) => isNumberIn(context.url, textIn(node, key, 200)));
  const says = offers.some(
    (offer) => offer.price !== null || offer.inStock !== null || offer.isPriceZero,
  );
  return {
    node,
    title,
    name: bareName(title),
    isOffered: says || (hasType(node, GROUPS) && listOf(node, 'hasVariant').length > 0),
    hasBarcode,
    hasNumbers: hasBarcode || NUMBERS.some((key) => textIn(node, key, 200) !== null),
    offers,
    isAddressed: !isFrontPage(context.url) && (stated.some(isPage) || isNumbered),
    isWholePage:
      !isFrontPage(context.url) && own !== null && isPage(own) && ownText?.includes('#') === false,
    named: nameMatch(title, names, context.url),
    isElsewhere: own !== null && !isPage(own),
    isNeighbour: own !== null && isOtherPage(own, context),
  };
}

function candidatesOf(
  graph: Graph,
  context: PageContext,
  signs: PageSigns,
): readonly ProductCandidate[] {
  const members = membersOf(graph);
  const found: ProductCandidate[] = [];
  for (const placed of graph.nodes) {
    if (!isMain(placed)) continue;
    const isProduct = hasType(placed.node, PRODUCT_TYPES);
    // Shops also mark up an event or a room as a product to get its stars displayed.
    if (isProduct && hasType(placed.node, NO_PRODUCTS)) continue;
    if (!isProduct && !hasType(placed.node, OFFERED_TYPES)) continue;
    if (members.has(placed.node) || found.length >= CANDIDATE_LIMIT) continue;
    const candidate = candidateOf(withItsParent(placed), context, signs.names);
    if ((!isProduct && !candidate.isOffered) || isShopItself(candidate, signs)) continue;
    const says = candidate.isOffered || candidate.hasNumbers || candidate.isAddressed;
    if (candidate.name !== '' || says) found.push(candidate);
  }
  return found;
}

/** Returns variants next to their group, which belong to it. */
function membersOf(graph: Graph): ReadonlySet<SchemaNode> {
  const members = new Set<SchemaNode>();
  // When a group is only stated on its variant (`isVariantOf`), the variant is the page's product.
  const groups = graph.nodes
    .filter((placed) => isMain(placed) && hasType(placed.node, GROUPS))
    .map(({ node }) => node);
  if (groups.length === 0) return members;
  for (const group of groups) {
    for (const variant of listOf(group, 'hasVariant')) if (isNode(variant)) members.add(variant);
  }
  const ids = new Set(groups.map((group) => valueOf(group, 'productGroupID')).filter(Boolean));
  for (const { node } of graph.nodes) {
    const parent = firstOf(node, 'isVariantOf');
    if (isNode(parent) && groups.includes(parent)) members.add(node);
    if (ids.has(valueOf(node, 'inProductGroupWithID'))) members.add(node);
  }
  return members;
}

function preferred(
  candidates: readonly ProductCandidate[],
  test: (candidate: ProductCandidate) => boolean,
): readonly ProductCandidate[] {
  const passing = candidates.filter(test);
  return passing.length > 0 ? passing : candidates;
}

/**
 * Whether names with a common prefix ("Mug - blue", "Mug - red") are variants of one product: the tags call the page a
 * product, or all state its address and the common prefix is its name.
 */
function areVariants(candidates: readonly ProductCandidate[], signs: PageSigns): boolean {
  if (candidates.length > 200) return false;
  const [first, ...others] = candidates.map(({ title }) => lowerWords(title));
  if (first === undefined) return false;
  let shared = first.length;
  for (const words of others) {
    while (shared > 0 && !first.slice(0, shared).every((word, at) => word === words[at]))
      shared -= 1;
  }
  const name = first.slice(0, shared).join('');
  if (!signs.isTaggedProduct) {
    return (
      candidates.every(({ isAddressed }) => isAddressed) &&
      signs.names.some((one) => bareName(one) === name)
    );
  }
  const shortest = Math.min(...candidates.map((candidate) => candidate.name.length));
  return name.length >= Math.max(8, shortest * 0.6);
}

/**
 * Whether a product whose name only resembles the page's is one of a list, because products with other names are next to it.
 */
function isOneOfMany(
  candidate: ProductCandidate,
  all: readonly ProductCandidate[],
  signs: PageSigns,
): boolean {
  if (candidate.named > 1 || candidate.isAddressed || signs.isTaggedProduct) return false;
  return all.some((other) => other.isOffered && other.name !== candidate.name);
}

/**
 * Returns the nodes of the book, film or game that a product is. They have the product's name, no other address, and no
 * offer.
 */
function worksNamed(
  graph: Graph,
  { name, node: product }: ProductCandidate,
  context: PageContext,
): readonly ProductCandidate[] {
  // A group is read together with its variants, which are separate nodes.
  if (name === '' || hasType(product, GROUPS) || firstOf(product, 'hasVariant') !== undefined) {
    return [];
  }
  return graph.nodes
    .filter((placed) => isMain(placed) && !hasType(placed.node, PRODUCT_TYPES))
    .filter(({ node }) => hasType(node, OFFERED_TYPES))
    .filter(({ node }) => bareName(titleIn(node, 'name') ?? '') === name)
    .map(({ node }) => candidateOf(node, context, []))
    .filter((work) => !work.isOffered && !work.isElsewhere && work.offers.length === 0);
}

/**
 * Chooses the page's own product: by address, else by name, else the only one with an offer. Several nodes with one name
 * are variants of one product. Products with several names, none matching the page, are a list.
 */
export function chooseProduct(graph: Graph, page: ChoiceContext): ProductChoice {
  const { context, signs } = page;
  const all = candidatesOf(graph, context, signs);
  if (all.length === 0) return { kind: 'none', why: null, isDenied: false };
  let left = preferred(all, (candidate) => candidate.isAddressed);
  left = preferred(left, (candidate) => candidate.named === 3);
  left = preferred(left, (candidate) => candidate.named === 2);
  left = preferred(left, (candidate) => candidate.named === 1);
  // Next to it may be nodes for a fragment of the page (`/lamp#bulb`): an accessory, a question.
  left = preferred(left, (candidate) => candidate.isWholePage);
  left = inPartOrder(preferred(left, (candidate) => candidate.isOffered));
  const first = left[0];
  const isNameless = left.length > 1 && first?.name === '' && !left.every((one) => one.isAddressed);
  const isOneName = !isNameless && left.every((candidate) => candidate.name === first?.name);
  if (first === undefined || (!isOneName && !areVariants(left, signs))) return { kind: 'several' };
  if (isOneOfMany(first, all, signs)) return { kind: 'several' };
  const isCollection = hasMain(graph, COLLECTIONS);
  const why = doubtAbout(first, { ...page, isList: isList(graph), isCollection });
  if (why !== null) {
    return { kind: 'none', why, isDenied: !page.isStrict || !isAboutAnother(why) };
  }
  // Nodes with the same name or address but without offers are kept: they may have the rating or the description.
  const rest = all.filter(
    (candidate) =>
      !left.includes(candidate) &&
      (candidate.name === first.name ||
        (candidate.name === '' && candidate.isAddressed) ||
        // Markup may open a second, nameless product for the offer.
        (first.name === '' && first.isAddressed && candidate.named === 3)),
  );
  return {
    kind: 'one',
    products: [...left, ...rest, ...worksNamed(graph, first, context)],
    isOffered: left.some((candidate) => candidate.isOffered || candidate.hasNumbers),
    hasOffer: left.some((candidate) => candidate.isOffered),
    isAddressed: left.some((candidate) => candidate.isAddressed && candidate.isOffered),
    isNamed: first.named === 3,
    isAlike: first.named === 2,
    isAmongOthers: all.some((other) => other.isOffered && other.name !== first.name),
    mayBeCategory: mayBeCategory(first, signs),
  };
}
