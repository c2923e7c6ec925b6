// Hosted stores: the product JSON at `/products/<handle>.js` and `.json`, whose currency the shop's `/meta.json` or a page
// states (D26). At most two requests.

import { DAY_MS, isDoneSince } from '../../../base/clock.ts';
import { decimalsOf } from '../../../base/listing/money/minor-units.ts';
import type { Page } from '../../../base/listing/page.ts';
import {
  hostedStoreRequests,
  mergeHostedStore,
  readMetaCurrency,
} from '../../../read/retailers/hosted-store.ts';
import type { ShopFacts } from '../../../data/answers/shops.ts';
import {
  joinedNotes,
  withoutListing,
  type DoorAnswer,
  type DoorQuestion,
  type EndpointAnswer,
  type Gathered,
  type GatheredPage,
  type Read,
  type ShopProtocol,
} from './doors.ts';

export const PRODUCT_JSON: ShopProtocol = {
  door: 'product_json',
  isSpoken: ({ facts }, url) => facts?.platform === 'hosted' && hostedStoreRequests(url) !== null,
  recognize: ({ isHosted }, url) => (isHosted && hostedStoreRequests(url) !== null ? '' : null),
  ask: askProductJson,
};

type StoreRequests = NonNullable<ReturnType<typeof hostedStoreRequests>>;

async function askProductJson(question: DoorQuestion): Promise<DoorAnswer> {
  const requests = hostedStoreRequests(new URL(question.url));
  if (requests === null) return { kind: 'failed' };
  if (question.page !== null) return besidePage(question, requests, question.page);
  const facts = question.shop.facts;
  // Below the address for a country, amounts are in the currency of that country.
  const known = requests.isOfCountry ? null : (facts?.currency ?? null);
  const isFresh =
    facts !== null && isDoneSince(facts.learnedAtMs, question.nowMs - DAY_MS, question.nowMs);
  if (known !== null && isFresh) return inKnownCurrency(question, requests, known);
  const isFine = known !== null && decimalsOf(known) > 2;
  if (known === null || isFine) {
    const page = await question.readPage();
    return page.result.kind === 'read' ? besidePage(question, requests, page) : { kind: 'failed' };
  }
  const confirmed = await confirmedFacts(question, known);
  if (confirmed === null) return { kind: 'failed' };
  if ('kind' in confirmed) return confirmed;
  return joined({ js: await question.ask(requests.js) }, known, confirmed);
}

/**
 * Asks for the stock, which only the `.js` and the page state, and in the currencies with more than two decimals for the exact
 * amount, which only the `.json` states.
 */
async function inKnownCurrency(
  { ask }: DoorQuestion,
  { js, json }: StoreRequests,
  currency: string,
): Promise<DoorAnswer> {
  if (decimalsOf(currency) <= 2) return joined({ js: await ask(js) }, currency, null);
  const fine = await ask(json);
  return readIn(fine.gathered) === null
    ? withoutListing(fine)
    : joined({ json: fine, js: await ask(js) }, currency, null);
}

/** Completes the listing of a page that was read. The page states the currency and the stock. */
async function besidePage(
  { ask }: DoorQuestion,
  { js, json }: StoreRequests,
  page: GatheredPage,
): Promise<DoorAnswer> {
  const currency = page.shopFacts?.currency ?? null;
  const isFine = currency !== null && decimalsOf(currency) > 2;
  const answers = isFine ? { json: await ask(json) } : { js: await ask(js) };
  return joined({ ...answers, page }, currency, page.shopFacts);
}

/**
 * Returns the facts about the shop, dated now, if it still states the known currency; null if it does not. Only a page can
 * state another currency, because `/meta.json` does not show in which currency a visitor sees amounts.
 */
async function confirmedFacts(
  { fetchUnread, url, shop, nowMs }: DoorQuestion,
  currency: string,
): Promise<ShopFacts | DoorAnswer | null> {
  const answer = await fetchUnread({ url: new URL('/meta.json', url).href, accept: 'json' });
  const stated = answer.page === null ? null : currencyIn(answer.page);
  if (stated === currency && shop.facts !== null) return { ...shop.facts, learnedAtMs: nowMs };
  const without = withoutListing(answer);
  return without.kind === 'refused' ? without : null;
}

function currencyIn(page: Page): string | null {
  return page.status === 200 ? readMetaCurrency(page) : null;
}

type StoreAnswers = {
  readonly json?: EndpointAnswer;
  readonly js?: EndpointAnswer;
  readonly page?: Gathered;
};

/** Combines the answers into one listing. */
function joined(
  { json, js, page }: StoreAnswers,
  currency: string | null,
  shopFacts: ShopFacts | null,
): DoorAnswer {
  const fromJson = json === undefined ? null : readIn(json.gathered);
  const fromJs = js === undefined ? null : readIn(js.gathered);
  const fromHtml = page === undefined ? null : readIn(page);
  if (fromJson === null && fromJs === null) {
    const failed = js ?? json;
    return failed === undefined ? { kind: 'failed' } : withoutListing(failed);
  }
  const listing = mergeHostedStore({
    json: fromJson?.listing ?? null,
    js: fromJs?.listing ?? null,
    html: fromHtml?.listing ?? null,
    currency,
  });
  if (listing === null) return { kind: 'failed' };
  const reads = [fromJs, fromJson, fromHtml].filter((each) => each !== null);
  const { url } = fromHtml ?? fromJs ?? fromJson ?? { url: '' };
  const notes = joinedNotes(listing, reads);
  const times = [json, js].map((each) => each?.gathered.fetchedAtMs ?? 0);
  return {
    kind: 'answered',
    gathered: {
      result: { kind: 'read', listing, notes, url },
      fetchedAtMs: Math.max(...times, page?.fetchedAtMs ?? 0),
      door: 'product_json',
      shopFacts,
    },
  };
}

function readIn({ result }: Gathered): Read | null {
  return result.kind === 'read' ? result : null;
}
