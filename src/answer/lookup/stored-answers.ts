// Answers from the store: each is made in its own read session, or reused while nothing in it has changed.

import { lensOf, type Lens } from '../../base/listing/lens.ts';
import type { Comparison } from '../../rules/product/comparison.ts';
import type { Product } from '../../rules/product/product.ts';
import type { AnswerCache, Question, FoundAnswer } from './cache/answer-cache.ts';
import type { ReadSession, ReadSessions } from './cache/read-session.ts';
import type { HistoryRequest, PriceHistory } from './history/lookup-history.ts';
import type { SessionLookup } from './lookup-product.ts';
import type { ParsedLookup } from './steps/parse-lookup.ts';
import { needsFetch } from './add-ons/product-add-ons.ts';

export type StoredAnswers = {
  /** `found` is null when something must be fetched first. */
  readonly product: (lookup: ParsedLookup) => Promise<FoundAnswer<Product | null>>;
  /** `found` is null when something must be fetched first. */
  readonly comparison: (lookup: ParsedLookup) => Promise<FoundAnswer<Comparison | null>>;
  /** Throws the faults of `lookupHistory`. */
  readonly history: (request: HistoryRequest) => Promise<FoundAnswer<PriceHistory>>;
};

/** The lookups that make the answers, each in the given session. */
export type SessionLookups = {
  readonly product: Pick<SessionLookup<Product>, 'fromStore'>;
  readonly comparison: Pick<SessionLookup<Comparison>, 'fromStore'>;
  readonly history: (
    session: ReadSession,
    request: HistoryRequest,
    lens: Lens,
  ) => Promise<PriceHistory>;
};

type StoredAnswersParts = SessionLookups & {
  readonly sessions: ReadSessions;
  /** Null if answers are not reused. */
  readonly cache: Pick<AnswerCache, 'find'> | null;
  /** The installation's currency; dollars if absent. */
  readonly usualCurrency?: string;
};

const TO_BE_FETCHED = { found: null, entry: null };

export function createStoredAnswers(parts: StoredAnswersParts): StoredAnswers {
  const { sessions, cache, product, comparison, history, usualCurrency } = parts;

  async function answer<Found>(
    organizationId: string | null,
    question: Question,
    work: (session: ReadSession) => Promise<Found>,
  ): Promise<FoundAnswer<Found>> {
    const make = (isNoted: boolean) =>
      sessions.read({ organizationId, own: question.own, isNoted }, async (session) => ({
        found: await work(session),
        madeFrom: session.madeFrom,
      }));
    return cache === null
      ? { found: (await make(false)).found, entry: null }
      : cache.find(question, make);
  }

  function looked<Found>(
    kind: Question['kind'],
    { fromStore }: Pick<SessionLookup<Found>, 'fromStore'>,
    lookup: ParsedLookup,
  ): Promise<FoundAnswer<Found | null>> {
    const { organizationId, own, lens, ...asked } = lookup;
    const isFetched = needsFetch(asked.addOns);
    return isFetched
      ? Promise.resolve(TO_BE_FETCHED)
      : answer(organizationId, questionOf(kind, asked, { own, lens }), (session) =>
          fromStore(session, lookup),
        );
  }

  return {
    product: (lookup) => looked('product', product, lookup),
    comparison: (lookup) => looked('comparison', comparison, lookup),
    history: (request) => {
      const { organizationId = null, hasOwnFacts = false, currency, ...asked } = request;
      const own = hasOwnFacts ? organizationId : null;
      const lens = lensOf(currency, usualCurrency);
      return answer(organizationId, questionOf('history', asked, { own, lens }), (session) =>
        history(session, request, lens),
      );
    },
  };
}

/** An answer is everybody's, unless the organization has facts of its own. */
function questionOf(
  kind: Question['kind'],
  asked: object,
  { own, lens }: { readonly own: string | null; readonly lens: Lens },
): Question {
  return { kind, asked, own, currency: lens.isNative ? null : lens.currency, terms: null };
}
