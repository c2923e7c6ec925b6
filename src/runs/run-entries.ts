// Looks up every product of a sheet, each once, and waits for the retailers that were not asked yet. What is answered stands in
// the journal, so that the run can end at any moment.

import { createHash } from 'node:crypto';

import type { Clock } from '../core/clock.ts';
import { answeredCells, foundProduct, isIndexing, type FoundRecord } from './found-product.ts';
import type { Journal } from './journal.ts';
import type { ReadEntry } from './read-entries.ts';
import type { EntryResult } from './result-table.ts';

export type Answer =
  | { readonly kind: 'record'; readonly record: FoundRecord; readonly tokens: number }
  | { readonly kind: 'problem'; readonly code: string; readonly detail: string };

/** Where products are looked up: over the data itself, or at a service. Rejects when no answer can be had at all. */
export type AskProduct = {
  /** Sets the retailers to work. `isWhole`: the answer has the cells of the retailers. */
  readonly first: (wanted: string, key: string) => Promise<Answer>;
  readonly isWhole: boolean;
  readonly again: (wanted: string, key: string) => Promise<Answer>;
  /** Calls in progress at once. */
  readonly concurrency: number;
};

export type RunState = {
  readonly products: number;
  /** Answered by an earlier run. */
  readonly known: number;
  readonly answered: number;
  readonly tokens: number;
  /** Cells of retailers, of the products that were looked at. */
  readonly cells: { readonly done: number; readonly all: number };
};

export type RunParts = {
  readonly ask: AskProduct;
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly stop: AbortSignal;
  /** No product is waited for longer than this after the last one that was answered. */
  readonly waitMs: number;
  /** Calls that may come too early, over the whole run. */
  readonly earlyCalls: number;
  readonly products: number;
  readonly onState: (state: RunState) => void;
};

/**
 * False: told to stop before everything was answered. Products go in groups: while the retailers work on one group, the next is
 * asked for, so that the answers of the first are whole when they are taken. What is not whole then is taken at the end.
 */
export async function runEntries(
  entries: AsyncIterable<ReadEntry>,
  parts: RunParts,
): Promise<boolean> {
  const run: Run = { ...parts, tally: tallyOf(parts), patience: patienceOf(parts), late: [] };
  const { journal, products, tally, patience } = run;
  let before: readonly string[] = [];
  for await (const group of groups(unanswered(entries, journal, tally), products)) {
    const fresh = group.filter((wanted) => journal.stateOf(wanted) === null);
    if (!(await eachOf(fresh, run, askFirst))) return false;
    if (!(await eachOf(before, run, askAgain))) return false;
    before = group.filter((wanted) => journal.stateOf(wanted) === 'asked');
  }
  if (!(await eachOf(before, run, askAgain))) return false;
  while (run.late.length > 0) {
    await patience.pause();
    if (!(await eachOf(run.late.splice(0), run, askAgain))) return false;
  }
  return true;
}

type Run = RunParts & {
  readonly tally: Tally;
  readonly patience: Patience;
  /** Products whose retailers take longer than those of others. */
  readonly late: string[];
};

/** Each product once, in the order of its first row, without those that are answered. */
async function* unanswered(
  entries: AsyncIterable<ReadEntry>,
  journal: Journal,
  tally: Tally,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const { wanted } of entries) {
    if (wanted === null || seen.has(wanted)) continue;
    seen.add(wanted);
    if (journal.stateOf(wanted) === 'answered') tally.known();
    else yield wanted;
  }
}

const GROUPS = 20;
const SMALLEST_GROUP = 25;
const LARGEST_GROUP = 250;

/** Products of one group. */
export function groupSize(products: number): number {
  return Math.min(LARGEST_GROUP, Math.max(SMALLEST_GROUP, Math.ceil(products / GROUPS)));
}

async function* groups(
  items: AsyncIterable<string>,
  products: number,
): AsyncGenerator<readonly string[]> {
  const size = groupSize(products);
  let group: string[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function askFirst({ ask, journal, tally, patience }: Run, wanted: string): Promise<void> {
  const answer = await ask.first(wanted, keyOf(journal, 1, wanted));
  if (answer.kind === 'record' && (!ask.isWhole || isIndexing(answer.record))) {
    journal.noteAsked(wanted, answer.tokens);
    patience.asked(wanted);
    tally.asked();
  } else {
    journal.noteResult(wanted, resultOf(answer, 0));
    tally.answered(answer);
  }
}

/** The same call of the same run has the same key, before a kill and after it: it is charged once. */
function keyOf({ id }: Journal, call: number, wanted: string): string {
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 24);
  return `${id}-${call}-${digest}`;
}

async function askAgain(run: Run, wanted: string): Promise<void> {
  const { ask, journal, tally, patience, stop } = run;
  await patience.untilDue(wanted);
  if (stop.aborted) return;
  const call = journal.callsOf(wanted) + 1;
  const answer = await ask.again(wanted, keyOf(journal, call, wanted));
  if (answer.kind === 'record' && isIndexing(answer.record) && patience.hasMore()) {
    patience.early(wanted);
    journal.noteAsked(wanted, answer.tokens);
    run.late.push(wanted);
    return;
  }
  patience.answered(wanted);
  journal.noteResult(wanted, resultOf(answer, journal.askedTokens(wanted)));
  tally.answered(answer);
}

function resultOf(answer: Answer, before: number): EntryResult {
  if (answer.kind === 'record') {
    const tokens = before + answer.tokens;
    return { status: 'found', product: foundProduct(answer.record), tokens };
  }
  const { code, detail } = answer;
  const status = NOT_THERE.has(code) ? 'not_found' : INVALID.has(code) ? 'invalid' : 'error';
  return { status, detail, tokens: before };
}

const NOT_THERE: ReadonlySet<string> = new Set(['not_found', 'identity_mismatch']);
const INVALID: ReadonlySet<string> = new Set([
  'invalid_identifier',
  'url_not_allowed',
  'source_unusable',
]);

/** Some at once; false when it was told to stop. The first failure ends it, after what is in hand. */
async function eachOf(
  items: Iterable<string>,
  run: Run,
  work: (run: Run, item: string) => Promise<void>,
): Promise<boolean> {
  const { ask, stop } = run;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (const item of items) {
    if (stop.aborted || failures.length > 0) break;
    const done = work(run, item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(done));
    running.add(done);
    if (running.size >= ask.concurrency) await Promise.race(running);
  }
  await Promise.all(running);
  if (failures.length > 0 && !stop.aborted) throw failures[0];
  return !stop.aborted;
}

type Tally = {
  /** An earlier run has answered it. */
  readonly known: () => void;
  readonly asked: () => void;
  readonly answered: (answer: Answer) => void;
};

function tallyOf({ journal, products, onState }: RunParts): Tally {
  let known = 0;
  let answered = 0;
  const cells = { done: 0, all: 0 };
  const tell = () =>
    onState({ products, known, answered, tokens: journal.tokens(), cells: { ...cells } });
  return {
    known() {
      known += 1;
    },
    asked: tell,
    answered(answer) {
      answered += 1;
      if (answer.kind === 'record') {
        const { done, all } = answeredCells(answer.record);
        cells.done += done;
        cells.all += all;
      }
      tell();
    },
  };
}

type Patience = {
  readonly asked: (wanted: string) => void;
  /** Resolves when its retailers have probably answered. */
  readonly untilDue: (wanted: string) => Promise<void>;
  /** Whether one more call may come too early. */
  readonly hasMore: () => boolean;
  readonly early: (wanted: string) => void;
  readonly answered: (wanted: string) => void;
  /** Between two rounds of those that are late. */
  readonly pause: () => Promise<void>;
};

const FIRST_SPAN_MS = 3_000;
const LONGEST_SPAN_MS = 20_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Learns how long retailers take: where calls are charged, none is made before the last ones would have been in time. */
function patienceOf({ ask, clock, stop, waitMs, earlyCalls }: RunParts): Patience {
  const askedAt = new Map<string, number>();
  let left = earlyCalls;
  let spanMs = FIRST_SPAN_MS;
  let pauseMs = FIRST_PAUSE_MS;
  let lastMs = clock.now();
  // Told to stop: whoever waits looks at the signal.
  const sleep = (ms: number) => clock.sleep(ms, stop).catch(() => undefined);
  return {
    asked: (wanted) => void askedAt.set(wanted, clock.now()),
    async untilDue(wanted) {
      const atMs = askedAt.get(wanted);
      if (ask.isWhole || atMs === undefined) return;
      const waitingMs = atMs + spanMs - clock.now();
      if (waitingMs > 0) await sleep(waitingMs);
    },
    hasMore: () => left > 0 && clock.now() - lastMs < waitMs,
    early(wanted) {
      left -= 1;
      // By how long this one has waited: several that were early together count once.
      const waitedMs = clock.now() - (askedAt.get(wanted) ?? clock.now());
      spanMs = Math.min(LONGEST_SPAN_MS, Math.max(spanMs, waitedMs * 1.3));
      askedAt.delete(wanted);
    },
    answered(wanted) {
      lastMs = clock.now();
      pauseMs = FIRST_PAUSE_MS;
      spanMs = Math.max(FIRST_SPAN_MS, spanMs * 0.97);
      askedAt.delete(wanted);
    },
    pause: async () => {
      await sleep(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    },
  };
}
