// The product lookup as a charged call: a single call, or a batch line.

import { costOf, mostItCanCost } from '../base/call-cost.ts';
import type { LookupProduct } from '../answer/lookup/lookup-product.ts';
import type { StoredAnswers } from '../answer/lookup/stored-answers.ts';
import type { Caller, Metering } from '../data/metering/metering.ts';
import { givenUntilMs, type Product } from '../rules/product/product.ts';
import { addOnsOf } from '../answer/wire/add-ons.ts';
import type { RecordBody, RecordOptions } from '../answer/wire/record/present-record.ts';
import type { ProductQuery } from '../answer/wire/query.ts';
import type { Patience } from '../base/in-progress.ts';
import type { LookupContext } from './call.ts';

export type ProductCallParts = {
  readonly metering: Pick<Metering, 'requireScope'>;
  readonly lookupProduct: LookupProduct;
  readonly answers: Pick<StoredAnswers, 'product'>;
  readonly lookupContext: LookupContext;
};

type AskedProduct = {
  readonly caller: Caller;
  readonly text: string;
  readonly query: ProductQuery;
  /**
   * Presents a product. A call without parameters gets a version that does not load the schemas that only parameters need.
   */
  readonly present: (product: Product, options: RecordOptions) => RecordBody;
  /** Throws when nobody waits for the answer any more. Fetched data is then stored, and not charged. */
  readonly requireWaiting?: () => void;
  /** The wait of a call that is one of many. */
  readonly patience?: Patience;
};

/** Throws the FaultError of a request that can never be answered. */
export function productCall(parts: ProductCallParts, asked: AskedProduct) {
  const { lookupProduct, answers, lookupContext, metering } = parts;
  const { caller, text, query } = asked;
  const forced = query.force_refresh === true || query.include_force_refresh === true;
  if (forced) metering.requireScope(caller, 'products:refresh');
  const addOns = addOnsOf(query);
  const lookup = lookupProduct.parse({
    text,
    format: query.format,
    retailer: query.retailer,
    forceRefresh: query.force_refresh === true,
    addOns,
    identifierMatch: query.identifier_match ?? 'confirmed',
    currency: query.currency,
    organizationId: caller.organizationId,
    hasOwnFacts: caller.hasOwnFacts,
  });
  const call = { kind: 'product', addOns } as const;
  const options = {
    includeHistory: query.include_history ?? true,
    includeStats: query.include_stats ?? true,
    includeFeeBreakdown: query.include_fee_breakdown ?? false,
    ...(query.currency === undefined ? {} : { isCurrencyAsked: true }),
  };
  const present = (product: Product) => ({
    body: asked.present(product, options),
    untilMs: givenUntilMs(product),
    tokens:
      product.identityFrom === undefined
        ? costOf(call, { barsHeld: (product.priceSeries ?? []).length > 0 })
        : costOf({ kind: 'product', addOns: {} }, { barsHeld: false }),
  });
  return {
    route: 'GET /v1/products/{id}',
    forced,
    maxTokens: mostItCanCost(call),
    fromStore: async () => {
      const { found, entry } = await answers.product(lookup);
      if (found === null) return null;
      return { ...present(found), cached: { entry, presentation: JSON.stringify(options) } };
    },
    make: async () => {
      const context = lookupContext(caller, asked.patience);
      const asksDatabases = context.asksDatabases === true && query.barcode_databases !== false;
      const product = await lookupProduct.fromShops(lookup, { ...context, asksDatabases });
      asked.requireWaiting?.();
      return present(product);
    },
  };
}
