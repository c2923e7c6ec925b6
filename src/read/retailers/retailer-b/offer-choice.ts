// Chooses among the offers in the JSON-LD of a retailer_b page, which offers one product both new and opened. The price is that
// of the page's own condition. The cheapest other offer becomes the secondary offer.

import type { Condition } from '../../../base/listing/offer.ts';
import { amountOf, type Money } from '../../../base/listing/money/minor-units.ts';
import type { PageContext } from '../../page-data/facts.ts';
import type { Graph } from '../../page-data/schema-org/graph.ts';
import { hasType, plainNumber } from '../../page-data/schema-org/node.ts';
import { readOffers } from '../../page-data/schema-org/offers.ts';
import type { SchemaOffer } from '../../page-data/schema-org/offers.ts';
import { firstOf, textIn } from '../../page-data/schema-org/schema-values.ts';
import { isSku } from './address-book.ts';

const PRODUCT = new Set(['product']);

type ChosenOffer = {
  readonly price: Money | null;
  readonly inStock: boolean | null;
  readonly condition: Condition | null;
  readonly secondaryOfferPrice: Money | null;
};

/** Returns the offers of the page's own product, without its stubs in reviews and questions. */
function offersOf(graph: Graph, sku: string | null, context: PageContext): readonly SchemaOffer[] {
  for (const { node } of graph.nodes) {
    if (!hasType(node, PRODUCT)) continue;
    const own = textIn(node, 'sku', 40);
    if (sku !== null && own !== null && isSku(own) && own !== sku) continue;
    const offers = readOffers(node, context).filter(({ price }) => price !== null);
    if (offers.length > 0) return offers;
  }
  return [];
}

function cheapest(offers: readonly SchemaOffer[]): SchemaOffer | null {
  const amount = ({ price }: SchemaOffer): number =>
    price === null ? Number.POSITIVE_INFINITY : amountOf(price.money);
  return offers.toSorted((a, b) => amount(a) - amount(b))[0] ?? null;
}

/** Whether an offer is a range without individual offers: its lower end may belong to an opened copy. */
function isRange({ isAggregate, node, price }: SchemaOffer): boolean {
  const highest = plainNumber(firstOf(node, 'highPrice'));
  return isAggregate && highest !== null && highest > (price === null ? 0 : amountOf(price.money));
}

type OpenBoxPage = {
  readonly sku: string | null;
  readonly isOpenBox: boolean;
  readonly context: PageContext;
};

/**
 * Returns the chosen offer; null when JSON-LD does not distinguish conditions. A single range is returned without a price.
 */
export function chosenOffer(graph: Graph, page: OpenBoxPage): ChosenOffer | null {
  const offers = offersOf(graph, page.sku, page.context);
  const [only] = offers;
  if (only !== undefined && offers.length === 1 && isRange(only)) {
    const { inStock, condition } = only;
    return { price: null, inStock, condition, secondaryOfferPrice: null };
  }
  if (new Set(offers.map(({ condition }) => condition)).size < 2) return null;
  const isNew = ({ condition }: SchemaOffer): boolean => condition === 'new' || condition === null;
  const own = offers.filter((offer) => isNew(offer) !== page.isOpenBox);
  const others = offers.filter((offer) => isNew(offer) === page.isOpenBox);
  const chosen = page.isOpenBox ? cheapest(own) : (own[0] ?? null);
  if (chosen === null) return null;
  return {
    price: chosen.price?.money ?? null,
    inStock: chosen.inStock,
    condition: page.isOpenBox ? 'open_box' : chosen.condition,
    secondaryOfferPrice: cheapest(others)?.price?.money ?? null,
  };
}
