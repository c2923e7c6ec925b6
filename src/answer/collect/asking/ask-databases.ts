// Asks a barcode database about a product that no retailer has (D86): once for a code in 30 days, and at most 15 requests in
// any minute over all processes. Its facts are stored separately from listings.

import {
  BARCODE_DATABASES,
  type BarcodeDatabase,
  type IdentityFacts,
} from '../../../base/identity-facts.ts';
import { dayOf, isDoneSince, MINUTE_MS, type Clock } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Fetcher, FetchFailure } from '../../../base/listing/page.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import {
  ASK_AGAIN_MS,
  type BarcodeFacts,
  type StoredFacts,
} from '../../../data/answers/barcode-facts.ts';
import type { HostSlots } from '../../../data/turns/host-slots.ts';
import type { DatabaseAnswer } from '../../../read/barcode-databases/database-answer.ts';
import { openFactsRequest, readOpenFacts } from '../../../read/barcode-databases/open-facts.ts';
import {
  openLibraryRequest,
  readOpenLibrary,
} from '../../../read/barcode-databases/open-library.ts';
import { createSharedWork } from '../coordination/single-flight.ts';

/**
 * The facts known about a barcode. Otherwise a sentence that states which databases were not asked or do not have it; null
 * if there is no database to ask.
 */
type DatabasesSaid =
  | { readonly facts: IdentityFacts; readonly askedAtMs: number }
  | { readonly facts: null; readonly said: string | null };

/** Asks only if the context allows it. Otherwise it answers from stored facts. */
export type AskDatabases = (gtin: Gtin14, context: FetchContext) => Promise<DatabasesSaid>;

type AskDatabasesParts = {
  readonly facts: BarcodeFacts;
  readonly hostSlots: Pick<HostSlots, 'take'>;
  readonly fetcher: Fetcher;
  /** The clock that processes share. */
  readonly clock: Pick<Clock, 'now'>;
  /** Whether databases are asked live, or only a stored dump answers. */
  readonly isLive: boolean;
};

/** The limit of Open Food Facts for one address. */
const MOST_IN_A_MINUTE = 15;

const NOT_IN_DUMP = 'The imported barcode database does not have it.';
const SKIPPED = `Barcode databases were not asked: ${MOST_IN_A_MINUTE} requests a minute is the limit. Try again in a minute.`;

export function createAskDatabases(parts: AskDatabasesParts): AskDatabases {
  const { facts, clock, isLive } = parts;
  const share = createSharedWork<DatabasesSaid>({ facts: null, said: null });
  const takeSlot = createSlots(parts);
  return async (gtin, context) => {
    const stored = await facts.find(gtin);
    if (!isLive) return storedSaid(stored, NOT_IN_DUMP);
    const source = stored?.source ?? sourceOf(gtin);
    const nowMs = clock.now();
    const isAsked =
      stored !== null && isDoneSince(stored.askedAtMs, nowMs - ASK_AGAIN_MS + 1, nowMs);
    const mayAsk = context.asksDatabases === true && !context.signal.aborted;
    if (source === null || isAsked || !mayAsk) return storedSaid(stored, wasAsked(stored));
    return await share(gtin, context, async (shared) => {
      if (!(await facts.claim(gtin, source, clock.now())))
        return storedSaid(await facts.find(gtin));
      const said = await askOnce(parts, { gtin, source, stored, takeSlot }, shared);
      return said === null ? storedSaid(await facts.find(gtin)) : storedSaid(stored, said);
    });
  };
}

/** ISBNs are asked at Open Library, other codes of single items at the databases of products. */
function sourceOf(gtin: Gtin14): 'open_library' | 'open_food_facts' | null {
  if (/^0(?:978|979)/.test(gtin)) return 'open_library';
  return gtin.startsWith('0') ? 'open_food_facts' : null;
}

function storedSaid(stored: StoredFacts | null, said = wasAsked(stored)): DatabasesSaid {
  const known = stored?.facts ?? null;
  if (stored === null || known === null) return { facts: null, said };
  return { facts: known, askedAtMs: stored.askedAtMs };
}

function wasAsked(stored: StoredFacts | null): string | null {
  if (stored === null || stored.askedAtMs === 0) return null;
  const { name } = BARCODE_DATABASES[stored.source];
  if (stored.outcome === 'unknown') return `${name} does not have it either.`;
  const again = dayOf(stored.askedAtMs + ASK_AGAIN_MS);
  return `${name} was asked and has given no usable answer; it is not asked about this code again before ${again}.`;
}

type Asked = {
  readonly gtin: Gtin14;
  readonly source: BarcodeDatabase;
  /** The facts that were stored before this call claimed the code. */
  readonly stored: StoredFacts | null;
  readonly takeSlot: () => Promise<boolean>;
};

/**
 * Asks the databases and stores the answer. Returns a sentence if the database that may have the code was not asked and may
 * be asked later.
 */
async function askOnce(
  { facts, fetcher }: AskDatabasesParts,
  { gtin, source, stored, takeSlot }: Asked,
  context: FetchContext,
): Promise<string | null> {
  const isBook = source === 'open_library';
  const read = isBook ? readOpenLibrary : readOpenFacts;
  let at = source;
  // A product in another database of the family takes a second request.
  for (let hop = 0; hop < 2; hop += 1) {
    if (!(await takeSlot())) return await unasked(SKIPPED);
    const request = isBook ? openLibraryRequest(gtin) : openFactsRequest(gtin, at);
    const outcome = await fetcher(request, context);
    if (!outcome.ok) return wasSent(outcome.failure) ? null : await unasked(UNREACHED);
    const answer: DatabaseAnswer = read(outcome.page, gtin);
    void outcome.found?.(answer.kind === 'failed' ? 'wall' : 'answer');
    if (answer.kind === 'known') await facts.answered(gtin, answer.facts);
    if (answer.kind === 'unknown') await facts.answered(gtin, null);
    if (answer.kind !== 'elsewhere') return null;
    at = answer.source;
  }
  return null;

  async function unasked(why: string): Promise<string> {
    await facts.release(gtin, { source: at, askedAtMs: stored?.askedAtMs ?? 0 });
    return why;
  }
}

const UNREACHED =
  'Barcode databases were not asked: none can be reached at the moment, or they asked for a ' +
  'pause.';

const NOT_SENT: ReadonlySet<FetchFailure['kind']> = new Set([
  'refused',
  'unresolved',
  'unsent',
  'busy',
  'throttled',
  'egress',
]);

function wasSent({ kind, isConnectionRefused }: FetchFailure): boolean {
  return !NOT_SENT.has(kind) && isConnectionRefused !== true;
}

/**
 * Creates the limit: 15 slots that are each taken once a minute, so that no minute, whenever it begins, has more requests.
 */
function createSlots({ hostSlots, clock }: AskDatabasesParts): () => Promise<boolean> {
  let fullUntilMs = 0;
  return async () => {
    const nowMs = clock.now();
    if (nowMs < fullUntilMs && fullUntilMs <= nowMs + MINUTE_MS) return false;
    const free: number[] = [];
    for (let place = 1; place <= MOST_IN_A_MINUTE; place += 1) {
      // The space keeps the names apart from hosts.
      const slot = await hostSlots.take(`barcode databases ${place}`, MINUTE_MS, nowMs, nowMs);
      if (slot.isTaken) return true;
      free.push(slot.atMs);
    }
    fullUntilMs = Math.min(...free);
    return false;
  };
}
