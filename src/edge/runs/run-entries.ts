// Looks up every product of a sheet once, and waits for the retailers that were not asked yet. Answers are in the journal, so
// that the run can end at any moment.

import { createHash } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import { createInProgress, type Piece } from '../../base/in-progress.ts';
import { answeredCells, foundProduct, isIndexing, type FoundRecord } from './found-product.ts';
import type { Journal } from './journal.ts';
import { FIRST_CALL_TOKENS, SECOND_CALL_TOKENS } from './plan-run.ts';
import type { ReadEntry } from './read-entries.ts';
import type { EntryResult } from './result-table.ts';

export type EntryAnswer =
  | { readonly kind: 'record'; readonly record: FoundRecord; readonly tokens: number }
  | { readonly kind: 'problem'; readonly code: string; readonly detail: string };

type Ask = (wanted: string, key: string, onGathering: Piece['onGathering']) => Promise<EntryAnswer>;

/** Looks products up, directly on the data or at a service. Rejects if no answer is possible at all. */
export type AskProduct = {
  /**
   * Makes the first call, which makes the service ask the retailers. `isWhole` means that its answer already has the retailers'
   * cells.
   */
  readonly first: Ask;
  readonly isWhole: boolean;
  readonly again: Ask;
  /** Maximum calls in progress. */
  readonly concurrency: number;
};

export type RunState = {
  readonly products: number;
  /** Number answered by an earlier run. */
  readonly known: number;
  readonly answered: number;
  readonly tokens: number;
  /** Cells of retailers, for the products examined. */
  readonly cells: { readonly done: number; readonly all: number };
};

type RunParts = {
  readonly ask: AskProduct;
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly stop: AbortSignal;
  /** After the last product was answered, no product is waited for longer than this. */
  readonly waitMs: number;
  /** Maximum calls of the whole run that may be too early. */
  readonly earlyCalls: number;
  /** Maximum tokens of the run; products for which they do not suffice are skipped. */
  readonly tokenLimit: number;
  readonly products: number;
  readonly onState: (state: RunState) => void;
};

/**
 * Runs the lookups. Returns false if stopped before everything was answered. Products are processed in groups, and the next
 * group starts when the last is complete: retailers that are asked after the others would otherwise wait as long as new
 * products arrive. What takes longer than the rest of its group is processed at the end.
 */
export async function runEntries(
  entries: AsyncIterable<ReadEntry>,
  parts: RunParts,
): Promise<boolean> {
  const run: Run = {
    ...parts,
    tally: tallyOf(parts),
    patience: patienceOf(parts),
    budget: budgetOf(parts),
    late: [],
  };
  const { journal, products, tally, clock } = run;
  for await (const group of groups(unanswered(entries, journal, tally), products)) {
    const fresh = group.filter((wanted) => journal.stateOf(wanted) === null);
    for (const _ of group.slice(fresh.length)) run.budget.promise(SECOND_CALL_TOKENS);
    const startMs = clock.now();
    if (!(await eachOf(fresh, run, askFirst))) return false;
    const asked = group.filter((wanted) => journal.stateOf(wanted) === 'asked');
    if (!(await takeGroup(run, asked, clock.now() - startMs))) return false;
  }
  while (run.late.length > 0) {
    if (!(await takeGroup(run, run.late.splice(0), LATE_MS))) return false;
  }
  return true;
}

type Run = RunParts & {
  readonly tally: Tally;
  readonly patience: Patience;
  readonly budget: Budget;
  /** Products whose retailers take longer than those of other products. */
  readonly late: string[];
};

/** Late products are requested again after a time in which their retailers could have been asked twice. */
const LATE_MS = 2_000;

/**
 * Collects the answers of a group whose first calls took this long. The other retailers need about as long, or a multiple of
 * it.
 */
async function takeGroup(run: Run, group: readonly string[], tookMs: number): Promise<boolean> {
  if (group.length === 0) return !run.stop.aborted;
  await run.patience.wait(tookMs);
  return await eachOf(group, run, askAgain);
}

/** Yields each product once, in the order of its first row, without those already answered. */
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

const GROUPS = 10;
const SMALLEST_GROUP = 100;
const LARGEST_GROUP = 250;

/** Returns the number of products in one group. */
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

async function askFirst(
  { ask, journal, tally, budget }: Run,
  wanted: string,
  { onGathering }: Piece,
): Promise<void> {
  if (!budget.has(PRODUCT_TOKENS)) {
    journal.noteResult(wanted, { status: 'skipped', detail: OVER_LIMIT, tokens: 0 });
    tally.answered({ kind: 'problem', code: 'skipped', detail: OVER_LIMIT });
    return;
  }
  budget.promise(PRODUCT_TOKENS);
  const answer = await ask.first(wanted, keyOf(journal, 1, wanted), onGathering);
  if (answer.kind === 'record' && (!ask.isWhole || isIndexing(answer.record))) {
    journal.noteAsked(wanted, answer.tokens);
    budget.promise(-FIRST_CALL_TOKENS);
    tally.asked();
  } else {
    journal.noteResult(wanted, resultOf(answer, 0));
    budget.promise(-PRODUCT_TOKENS);
    tally.answered(answer);
  }
}

/**
 * Returns the key of a call. The same call of the same run has the same key before and after a kill, so that it is charged
 * once.
 */
function keyOf({ id }: Journal, call: number, wanted: string): string {
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 24);
  return `${id}-${call}-${digest}`;
}

/** Texts that fit an Idempotency-Key. An address may be longer, or contain letters that are not allowed in headers. */
const PLAIN = /^[\x21-\x7e]{1,240}$/;

/** Returns the key under which a product is watched, the same in every run, so that it is watched once. */
export function watchKeyOf(wanted: string): string {
  if (PLAIN.test(wanted)) return `file ${wanted}`;
  return `file ${createHash('sha256').update(wanted).digest('hex')}`;
}

async function askAgain(run: Run, wanted: string, { onGathering }: Piece): Promise<void> {
  const { ask, journal, tally, patience, budget, stop } = run;
  await patience.untilOpen();
  if (stop.aborted) return;
  const call = journal.callsOf(wanted) + 1;
  const answer = await ask.again(wanted, keyOf(journal, call, wanted), onGathering);
  const isEarly = answer.kind === 'record' && isIndexing(answer.record) && patience.hasMore();
  // Noted as promised, the tokens of this call count once; another call needs as many again.
  if (isEarly && budget.has(SECOND_CALL_TOKENS)) {
    patience.early();
    journal.noteAsked(wanted, answer.tokens);
    run.late.push(wanted);
    return;
  }
  patience.answered();
  journal.noteResult(wanted, resultOf(answer, journal.askedTokens(wanted)));
  budget.promise(-SECOND_CALL_TOKENS);
  tally.answered(answer);
}

function resultOf(answer: EntryAnswer, before: number): EntryResult {
  if (answer.kind === 'record') {
    const tokens = before + answer.tokens;
    return { status: 'found', product: foundProduct(answer.record), tokens };
  }
  const { code, detail } = answer;
  const status = NOT_THERE.has(code) ? 'not_found' : INVALID.has(code) ? 'invalid' : 'error';
  return { status, detail, tokens: before };
}

const NOT_THERE: ReadonlySet<string> = new Set(['not_found', 'identity_mismatch']);
/**
 * Faults of the identifier itself. A shop that forbids its page, or sends one that cannot be read, has not answered, which
 * is not one of them.
 */
const INVALID: ReadonlySet<string> = new Set(['invalid_identifier', 'url_not_allowed']);

/** Processes several at once. Returns false if stopped. The first failure ends it, once the work in progress has ended. */
async function eachOf(
  items: Iterable<string>,
  run: Run,
  work: (run: Run, item: string, piece: Piece) => Promise<void>,
): Promise<boolean> {
  const { ask, stop } = run;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let change = Promise.withResolvers<void>();
  const pieces = createInProgress(ask.concurrency, () => change.resolve());
  for (const item of items) {
    if (stop.aborted || failures.length > 0) break;
    const piece = pieces.begin();
    const done = work(run, item, piece)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        running.delete(done);
        piece.end();
      });
    running.add(done);
    while (pieces.room() === 0) {
      change = Promise.withResolvers<void>();
      await change.promise;
    }
  }
  await Promise.all(running);
  if (failures.length > 0 && !stop.aborted) throw failures[0];
  return !stop.aborted;
}

const PRODUCT_TOKENS = FIRST_CALL_TOKENS + SECOND_CALL_TOKENS;
const OVER_LIMIT = 'the token limit of the run was reached before it was looked up';

type Budget = {
  /** Whether the limit leaves this many tokens after what was spent and promised. */
  readonly has: (tokens: number) => boolean;
  /** Sets tokens aside for calls that will be made; a negative number returns them. */
  readonly promise: (tokens: number) => void;
};

function budgetOf({ journal, tokenLimit }: RunParts): Budget {
  let promised = 0;
  return {
    has: (tokens) => journal.tokens() + promised + tokens <= tokenLimit,
    promise: (tokens) => void (promised += tokens),
  };
}

type Tally = {
  /** Called if an earlier run has answered it. */
  readonly known: () => void;
  readonly asked: () => void;
  readonly answered: (answer: EntryAnswer) => void;
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
  /** Waits for the retailers behind first calls that took this long. */
  readonly wait: (tookMs: number) => Promise<void>;
  /** Resolves when there is no pause. */
  readonly untilOpen: () => Promise<void>;
  /** Whether one more call may be too early. */
  readonly hasMore: () => boolean;
  readonly early: () => void;
  readonly answered: () => void;
};

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** Number of early calls after which all wait once more. */
const EARLY_IN_A_ROW = 4;

/**
 * Adapts to how much longer than the first calls the other retailers take: more after early calls, less if there were none.
 */
function patienceOf({ ask, journal, clock, stop, waitMs, earlyCalls }: RunParts): Patience {
  let factor = 2;
  let early = 0;
  let pauseMs = SHORTEST_PAUSE_MS;
  let lastMs = clock.now();
  let pause: Promise<void> | null = null;
  // If stopped, the waiting code checks the signal.
  const sleep = (ms: number) => clock.sleep(ms, stop).catch(() => undefined);
  return {
    async wait(tookMs) {
      if (early === 0) factor = Math.max(0.5, factor * 0.8);
      early = 0;
      pauseMs = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS + factor * tookMs);
      await sleep(ask.isWhole ? SHORTEST_PAUSE_MS : pauseMs);
    },
    async untilOpen() {
      for (let current = pause; current !== null; current = pause) await current;
    },
    hasMore: () => journal.earlyCalls() < earlyCalls && clock.now() - lastMs < waitMs,
    early() {
      early += 1;
      if (ask.isWhole || early % EARLY_IN_A_ROW !== 0 || pause !== null) return;
      factor = Math.min(16, factor * 1.5);
      pause = sleep(pauseMs).finally(() => {
        pause = null;
      });
    },
    answered() {
      lastMs = clock.now();
    },
  };
}
