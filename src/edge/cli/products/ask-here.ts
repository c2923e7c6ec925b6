// Looks products up in this process, directly on the data, so that nothing is charged. The same process's worker asks the
// retailers after the first answer.

import type { App } from '../../app.ts';
import { SECOND_MS, type Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { Patience } from '../../../base/in-progress.ts';
import { withoutRoutes } from '../../../base/next-steps.ts';
import type { Product } from '../../../rules/product/product.ts';
import type { EntryAnswer, AskProduct } from '../../runs/run-entries.ts';
import { presentProduct } from '../../../answer/wire/record/present.ts';

const CALLS_AT_ONCE = 8;
const ATTEMPTS = 3;
/** Nobody waits for a single product: it may wait for its turn at an official API as long as a job behind an answer. */
const PRODUCT_MS = 120_000;
/** If a source requests a longer pause, it is not waited for. */
const LONGEST_PAUSE_SECONDS = 15;

/** `currency` is the currency of the answers, if one was requested. */
export function askHere(parts: HereParts): AskProduct {
  const ask: AskProduct['first'] = (wanted, _key, onGathering) =>
    askPatiently(parts, wanted, { ms: PRODUCT_MS, onGathering });
  return {
    first: ask,
    isWhole: true,
    again: ask,
    concurrency: CALLS_AT_ONCE,
  };
}

type HereParts = {
  readonly app: App;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stop: AbortSignal;
  readonly currency: string | undefined;
};

async function askPatiently(
  parts: HereParts,
  wanted: string,
  patience: Patience,
): Promise<EntryAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const product = await lookUp(parts, wanted, patience);
      const record = presentProduct(product, {
        includeHistory: false,
        includeStats: false,
        isCurrencyAsked: parts.currency !== undefined,
      });
      return { kind: 'record', record, tokens: 0 };
    } catch (error) {
      if (!(error instanceof FaultError) || parts.stop.aborted) throw error;
      const { code, detail, retryAfterSeconds = Number.POSITIVE_INFINITY } = error.fault;
      if (attempt === ATTEMPTS || retryAfterSeconds > LONGEST_PAUSE_SECONDS) {
        return { kind: 'problem', code, detail: withoutRoutes(detail, 'command') };
      }
      await parts.clock.sleep(retryAfterSeconds * SECOND_MS, parts.stop);
    }
  }
}

async function lookUp(
  { app, stop, currency }: HereParts,
  wanted: string,
  patience: Patience,
): Promise<Product> {
  const lookup = app.lookupProduct.parse({
    text: wanted,
    forceRefresh: false,
    addOns: { includeCrossRetailer: true },
    identifierMatch: 'any',
    currency,
  });
  return (
    (await app.lookupProduct.fromStore(lookup)) ??
    (await app.lookupProduct.fromShops(lookup, app.lookupContext(stop, patience)))
  );
}
