// The catalogue of a shop by the Universal Commerce Protocol, for installations with a profile of their own (D82). A hosted
// store's `.js` states which variant an address names and its barcode, and the catalogue states its price and currency: two
// requests. Other catalogues are queried by the address, and nothing else is read.

import { DAY_MS, isDoneSince } from '../../../base/clock.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { decimalsOf, inCurrency, type Money } from '../../../base/listing/money/minor-units.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import { bookForHost } from '../../../read/retailers/addresses/address-books.ts';
import { hostedStoreRequests, mergeHostedStore } from '../../../read/retailers/hosted-store.ts';
import { isProductAt, pathEnd } from '../../../read/retailers/ucp/product.ts';
import { ucpRequests, ucpVariantId } from '../../../read/retailers/ucp/requests.ts';
import {
  readShopProfile,
  UCP_PATH,
  type UcpCatalog,
} from '../../../read/retailers/ucp/shop-profile.ts';
import type { ShopDoor } from '../../../data/answers/shops.ts';
import {
  joinedNotes,
  withoutListing,
  type DoorAnswer,
  type DoorQuestion,
  type EndpointAnswer,
  type Read,
  type ShopProtocol,
} from './doors.ts';

const DOOR = 'ucp';

/** `profile` is the address of this installation's own profile. */
export function ucpDoor(profile: string): ShopProtocol {
  return {
    door: DOOR,
    // An unknown shop is asked for its profile, because no page mentions it. At an address for visitors from one country,
    // prices differ from the catalogue's.
    isSpoken: (_, url) =>
      bookForHost(url.hostname) === null && hostedStoreRequests(url)?.isOfCountry !== true,
    recognize: () => null,
    ask: (question) => askCatalog(question, profile),
  };
}

async function askCatalog(question: DoorQuestion, profile: string): Promise<DoorAnswer> {
  const known = question.shop.doors.find(({ door }) => door === DOOR);
  // No other endpoint of a shop is requested while one refuses.
  if ((known?.refusedUntilMs ?? 0) > question.nowMs) return { kind: 'failed' };
  const isNew =
    known !== undefined && isDoneSince(known.learnedAtMs, question.nowMs - DAY_MS, question.nowMs);
  const catalog = (isNew ? catalogOf(known) : null) ?? (await discover(question));
  if ('kind' in catalog) return catalog;
  const requests = ucpRequests(catalog, profile);
  const store = hostedStoreRequests(new URL(question.url));
  const js = store === null ? null : await question.ask(store.js);
  const ownJs = js === null ? null : readIn(js);
  const variant = ownJs?.listing.variantId ?? null;
  if (js !== null && ownJs === null) {
    const without = withoutListing(js);
    if (without.kind === 'refused') return without;
  }
  const ids = [question.url, pathEnd(question.url) ?? ''].filter(Boolean);
  const answer = await question.ask(
    variant === null ? requests.lookup(ids) : requests.product(ucpVariantId(variant)),
  );
  const own = isDirect(answer) ? readIn(answer) : null;
  if (own === null) return withoutProduct(answer);
  const { price, listPrice, variantId } = own.listing;
  const currency = question.shop.facts?.currency ?? price?.currency;
  if (price === null || price.currency !== currency) return { kind: 'failed' };
  if (ownJs === null) return alone(question, own, answer);
  const isSame = variantId === variant && isAmountOf(price, ownJs.listing.price);
  const merged = isSame ? mergeHostedStore({ js: ownJs.listing, json: own.listing }) : null;
  return merged === null
    ? { kind: 'failed' }
    : answered({ ...merged, price, listPrice }, [ownJs, own], answer);
}

/**
 * If a catalogue states no barcode, the listing keeps the barcode that was stored for the same variant. A first reading
 * that counts for a barcode is taken from the page.
 */
function alone(
  { url, before, wantsBarcode }: DoorQuestion,
  { listing, ...read }: Read,
  answer: EndpointAnswer,
): DoorAnswer {
  // A catalogue that answers a search with one product may have chosen any.
  if (!isProductAt({ url: listing.url }, url)) return { kind: 'failed' };
  const isSame = before !== null && before.sku !== null && before.sku === listing.sku;
  const gtin = listing.gtin ?? (isSame ? before.gtin : null);
  if (gtin === null && wantsBarcode) return { kind: 'failed' };
  return answered({ ...listing, gtin }, [{ ...read, listing }], answer);
}

/**
 * Whether the store's product JSON states this price too, in hundredths and without a currency. If it does not, the shop
 * has several prices, and its page shows which one belongs to the address.
 */
function isAmountOf(price: Money, stated: Money | null): boolean {
  const hundredths = inCurrency(price, null)?.cents ?? 0;
  const apart = Math.abs(hundredths - (stated?.cents ?? 0));
  return apart <= (decimalsOf(price.currency) > 2 ? 1 : 0);
}

function catalogOf({ isThere, detail }: ShopDoor): UcpCatalog | null {
  const [, transport, endpoint] = /^(mcp|rest) (https:.+)$/.exec(detail ?? '') ?? [];
  if (!isThere || endpoint === undefined) return null;
  return { transport: transport === 'rest' ? 'rest' : 'mcp', endpoint };
}

/** Returns the request that searches a shop's catalogue; null if the shop is not known to have one. */
export function catalogueSearch(
  { agentProfile }: { readonly agentProfile: string | null },
  door: ShopDoor | undefined,
  words: string,
): PageRequest | null {
  if (agentProfile === null || door === undefined) return null;
  const catalog = catalogOf(door);
  return catalog === null ? null : ucpRequests(catalog, agentProfile).search(words);
}

/** Requests the shop's profile. The result, including that there is none, is stored for a day. */
async function discover(question: DoorQuestion): Promise<UcpCatalog | DoorAnswer> {
  const shop = new URL(question.url);
  let url = `https://${shop.host}${UCP_PATH}`;
  for (const isFollowed of [false, true]) {
    const answer = await question.fetchUnread({ url, accept: 'json' });
    const without = withoutListing(answer);
    if (without.kind === 'refused') return without;
    if (answer.page === null && without.kind === 'failed') return without;
    const read = answer.page === null ? null : readShopProfile(answer.page, shop, isFollowed);
    if (read?.kind === 'catalog') {
      const { transport, endpoint } = read.catalog;
      const detail = `${transport} ${endpoint}`;
      question.note({ door: DOOR, isThere: true, detail, refusedUntilMs: null });
      return read.catalog;
    }
    if (read?.kind !== 'follow') break;
    url = read.url;
  }
  question.note({ door: DOOR, isThere: false, detail: null, refusedUntilMs: null });
  return { kind: 'not_there' };
}

/** The shop cannot use the profile of this installation, because it cannot reach it or speaks another version. */
const PROFILE_REFUSED: ReadonlySet<number> = new Set([400, 422, 424]);

function withoutProduct(answer: EndpointAnswer): DoorAnswer {
  const { page, gathered } = answer;
  const { result } = gathered;
  const isAbsent = result.kind === 'verdict' && result.verdict.kind === 'not_a_product';
  const isForbidden = result.kind === 'failure' && result.failure.kind === 'refused';
  const isUnusable = page !== null && (PROFILE_REFUSED.has(page.status) || !isDirect(answer));
  return isAbsent || isForbidden || isUnusable ? { kind: 'not_there' } : withoutListing(answer);
}

/** A catalogue that redirects may lead to any host. */
function isDirect({ page }: EndpointAnswer): boolean {
  return page === null || page.url === page.requestedUrl;
}

/** The endpoint in a profile may be at the store platform, whose pages otherwise do not speak for the shop. */
function readIn(answer: EndpointAnswer): Read | null {
  const { result } = answer.gathered;
  if (result.kind === 'read') return result;
  return result.kind === 'elsewhere' && isDirect(answer) ? result.read : null;
}

function answered(
  listing: Listing,
  reads: readonly [Read, ...Read[]],
  { gathered: { fetchedAtMs } }: EndpointAnswer,
): DoorAnswer {
  const notes = joinedNotes(listing, reads);
  const result = { kind: 'read', listing, notes, url: reads[0].url } as const;
  return { kind: 'answered', gathered: { result, fetchedAtMs, door: DOOR, shopFacts: null } };
}
