// Where the states of official sources and the numbers of calls are kept (D79): in the database if several processes share it,
// otherwise in memory, from which they are written in batches.

import type { Clock } from '../../../base/clock.ts';
import { callsIn, spanOf, type CallSpan, type SourceState } from '../../../base/source-state.ts';
import type { Store } from '../../../data/store.ts';
import type { SourceOutcome, SourceStates } from '../../../data/turns/source-states.ts';

export type SourceBook = Pick<SourceStates, 'find' | 'findAll'> & {
  /** The clock of all instants in it. */
  readonly now: () => number;
  readonly findCalls: (source: string) => Promise<readonly CallSpan[]>;
  readonly take: (source: string, limit: number | null) => Promise<boolean>;
  readonly note: (outcome: SourceOutcome) => Promise<boolean>;
  /** Writes the state that is only in memory. */
  readonly flush: () => Promise<void>;
};

type Clocks = { readonly sharedClock: Pick<Clock, 'now'>; readonly steady: Pick<Clock, 'now'> };

export function createSourceBook(
  { sql, sourceStates }: Pick<Store, 'sql' | 'sourceStates'>,
  { sharedClock, steady }: Clocks,
): SourceBook {
  if (sql.dialect === 'sqlite') {
    // A process that is alone waits by its own clock, which is never set.
    const aheadMs = sharedClock.now() - steady.now();
    return bookInMemory(() => steady.now() + aheadMs, sourceStates);
  }
  const now = () => sharedClock.now();
  return {
    now,
    find: sourceStates.find,
    findAll: sourceStates.findAll,
    findCalls: (source) => sourceStates.findCalls(source, now()),
    take: (source, limit) => sourceStates.take(source, limit, now()),
    note: (outcome) => sourceStates.note(outcome, now()),
    flush: () => Promise.resolve(),
  };
}

/** Calls are written when there are this many, or after this time. */
const MOST_UNWRITTEN = 50;
const WRITE_EVERY_MS = 5_000;

/** `stored`: the database to read first and write to; null for a process that stores nothing. */
export function bookInMemory(now: () => number, stored: SourceStates | null): SourceBook {
  const states = new Map<string, SourceState>();
  const spans = new Map<string, readonly CallSpan[]>();
  let unwritten: (readonly [source: string, fromMs: number])[] = [];
  let writtenAtMs = now();
  let loaded: Promise<void> | null = null;
  const load = async () => {
    for (const state of (await stored?.findAll()) ?? []) states.set(nameOf(state), state);
    for (const [source, own] of (await stored?.findAllCalls(now())) ?? []) spans.set(source, own);
  };
  const isLoaded = () => (loaded ??= load());
  const flush = async (): Promise<void> => {
    const bySpan = Map.groupBy(unwritten, (each) => each.join(' '));
    unwritten = [];
    writtenAtMs = now();
    await Promise.all(
      [...bySpan.values()].map(async (same) => {
        const [[source, fromMs] = ['', 0]] = same;
        const calls = same.length;
        // If the database does not answer, the next batch has them too.
        await stored?.addCalls(source, { fromMs, calls }).catch(() => unwritten.push(...same));
      }),
    );
  };
  return {
    now,
    find: async (source) => {
      await isLoaded();
      return [...states.values()].filter((state) => state.source === source);
    },
    findAll: async () => {
      await isLoaded();
      return [...states.values()];
    },
    findCalls: async (source) => {
      await isLoaded();
      return spans.get(source) ?? [];
    },
    take: async (source, limit) => {
      await isLoaded();
      const own = spans.get(source) ?? [];
      const fromMs = spanOf(now());
      if (limit !== null && callsIn(own, now()) >= limit) return false;
      spans.set(source, withCall(own, fromMs));
      unwritten.push([source, fromMs]);
      const isDue = now() - writtenAtMs >= WRITE_EVERY_MS || unwritten.length >= MOST_UNWRITTEN;
      if (isDue) void flush();
      return true;
    },
    note: async (outcome) => {
      await isLoaded();
      const hasChanged = noted(states, outcome, now());
      await stored?.note(outcome, now());
      return hasChanged;
    },
    flush,
  };
}

const nameOf = ({ source, question }: Pick<SourceState, 'source' | 'question'>): string =>
  `${source} ${question}`;

/** Spans older than those of the last two days are forgotten. */
const MOST_SPANS = 300;

function withCall(spans: readonly CallSpan[], fromMs: number): readonly CallSpan[] {
  const before = spans.find((span) => span.fromMs === fromMs)?.calls ?? 0;
  const others = spans.filter((span) => span.fromMs !== fromMs).slice(-MOST_SPANS);
  return [...others, { fromMs, calls: before + 1 }];
}

/** Stores an outcome in memory as `SourceStates.note` does in the database. */
function noted(states: Map<string, SourceState>, outcome: SourceOutcome, nowMs: number): boolean {
  const questions = outcome.kind === null ? ['', outcome.question] : [outcome.question];
  return questions
    .map((question) => {
      const name = nameOf({ source: outcome.source, question });
      const before = states.get(name);
      // An answer is only stored for the whole source.
      if (outcome.kind === null && question !== '' && (before?.kind ?? null) === null) return false;
      const isSame = before !== undefined && before.kind === outcome.kind && before.sinceMs > 0;
      const sinceMs = isSame ? before.sinceMs : nowMs;
      states.set(name, { ...outcome, question, sinceMs, heardAtMs: nowMs });
      return before?.kind !== outcome.kind;
    })
    .includes(true);
}
