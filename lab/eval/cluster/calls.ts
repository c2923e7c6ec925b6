// The mixed calls of lab/eval/cluster.ts: drawn, made by many callers concurrently, with each answer judged.

import { differing, timeless } from './bodies.ts';
import { perform, type Answered, type Ask, type Caller } from './clients.ts';
import type { Expected, Kind, ReferenceMarket } from './market.ts';
import type { Samples } from './staleness.ts';

export type CallsResult = {
  readonly calls: readonly Answered[];
  /** Answers replayed for a key that had been answered before. */
  readonly replays: ReadonlySet<Answered>;
  /** Counts by kind and status. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
  /** Of a product that was just refreshed by another process. */
  readonly staleness: Samples;
};

type CallsOptions = {
  readonly calls: number;
  /** Seeded random number from 0 to 1. */
  readonly random: () => number;
  readonly callers: readonly Caller[];
  readonly urls: readonly string[];
  readonly market: ReferenceMarket;
  readonly isTimeUp: () => boolean;
  /** Called occasionally with the number of calls that have ended. */
  readonly progress: (made: number) => void;
  /** Called when no further call will begin; calls in progress continue. */
  readonly allBegun: () => void;
};

/** Percentages of the calls; the remainder are lookups of stored products. */
const MIX: readonly (readonly [Kind | 'again', number])[] = [
  ['uncached', 12],
  ['refresh', 10],
  ['history', 12],
  ['offers', 8],
  ['retailer', 8],
  ['gone', 4],
  ['again', 8],
];
/** Callers of one product that was never looked up, at about the same time. */
const AT_ONCE = 3;
/** One call in this many has no Idempotency-Key. */
const WITHOUT_KEY = 5;

const TOLD_EVERY = 500;

type Run = CallsOptions & {
  readonly result: {
    readonly calls: Answered[];
    readonly replays: Set<Answered>;
    readonly outcomes: Record<string, number>;
    readonly wrong: string[];
    readonly staleness: Samples;
  };
  started: number;
  uncached: number;
};

export async function makeCalls(options: CallsOptions): Promise<CallsResult> {
  const result = {
    calls: [],
    replays: new Set<Answered>(),
    outcomes: {},
    wrong: [],
    staleness: [],
  };
  const run: Run = { ...options, result, started: 0, uncached: 0 };
  await Promise.all(options.callers.map((caller) => callOneAfterTheOther(run, caller)));
  return result;
}

async function callOneAfterTheOther(run: Run, caller: Caller): Promise<void> {
  let last: { readonly answered: Answered; readonly expected: Expected } | null = null;
  while (run.started < run.calls && !run.isTimeUp()) {
    run.started += 1;
    const kind = drawnKind(run.random);
    if (kind === 'again' && last !== null) {
      await askAgain(run, caller, last.answered);
      continue;
    }
    const expected = drawnQuestion(run, kind === 'again' ? 'lookup' : kind);
    const isKeyed = run.random() * WITHOUT_KEY >= 1;
    const once = isKeyed ? `call-${run.started}` : null;
    const answered = await call(run, caller, { ...expected, once }, anyOf(run, null));
    judge(run, expected, answered);
    if (once !== null && answered.status === 200) last = { answered, expected };
    if (expected.kind === 'refresh' && answered.status === 200)
      await readElsewhere(run, caller, answered);
  }
  run.allBegun();
}

async function call(
  { result, progress }: Run,
  caller: Caller,
  { method, path, once }: Ask,
  urlsOf: () => readonly string[],
): Promise<Answered> {
  const answered = await perform(caller, { method, path, once }, urlsOf);
  result.calls.push(answered);
  if (result.calls.length % TOLD_EVERY === 0) progress(result.calls.length);
  return answered;
}

/** Returns the processes in any order, without the given one. */
function anyOf({ urls, random }: Run, without: string | null): () => readonly string[] {
  const others = urls.filter((url) => url !== without);
  return () => [others[Math.floor(random() * others.length)] ?? ''];
}

function drawnKind(random: () => number): Kind | 'again' {
  let left = random() * 100;
  for (const [kind, share] of MIX) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'lookup';
}

function drawnQuestion(run: Run, kind: Kind): Expected {
  const { cold, warm } = run.market;
  const all = kind === 'uncached' ? cold : warm.filter((each) => each.kind === kind);
  const at =
    kind === 'uncached'
      ? Math.floor(run.uncached++ / AT_ONCE) % all.length
      : Math.floor(run.random() * all.length);
  const drawn = all[at];
  if (drawn === undefined) throw new Error(`nothing to ask for of the kind ${kind}`);
  return drawn;
}

/** Repeats a call with the same key: the same answer, and no charge. */
async function askAgain(run: Run, caller: Caller, first: Answered): Promise<void> {
  const again = await call(run, caller, first, anyOf(run, null));
  run.result.replays.add(again);
  count(run, `again ${again.status}`);
  if (again.status !== 200) return;
  const isSame = JSON.stringify(again.body) === JSON.stringify(first.body);
  if (!isSame || !again.isReplayed)
    run.result.wrong.push(`${first.path}: another answer to its key`);
}

/**
 * Refusals that any call may meet, all unbilled: its first attempt is still running, a page that a busy machine did not
 * read in time, a limit, a shop or a process that is too slow.
 */
const REFUSALS = [409, 422, 429, 503];

function judge(
  { market, ...run }: Run,
  expected: Expected,
  { status, body, path }: Answered,
): void {
  count({ market, ...run }, `${expected.kind} ${status ?? 'cut'}`);
  if (status === null || (status !== expected.status && REFUSALS.includes(status))) return;
  if (status !== expected.status) {
    run.result.wrong.push(`${path}: ${status} instead of ${expected.status}`);
    return;
  }
  const isIndexing = expected.kind === 'uncached';
  const wrong = differing(body, expected.body).filter(
    (name) => !isIndexing || !market.indexed.has(name),
  );
  const shown = wrong.map(
    (name) => `${name} ${shortly(body[name])} for ${shortly(expected.body[name])}`,
  );
  if (wrong.length > 0) run.result.wrong.push(`${expected.kind} ${path}: ${shown.join('; ')}`);
}

function shortly(value: unknown): string {
  return (JSON.stringify(timeless(value)) ?? 'nothing').slice(0, 200);
}

function count({ result }: Run, name: string): void {
  result.outcomes[name] = (result.outcomes[name] ?? 0) + 1;
}

/** Checks that another process knows what one process acknowledged. */
async function readElsewhere(run: Run, caller: Caller, written: Answered): Promise<void> {
  const path = written.path.replace(/\/refresh\?.*$/, '');
  let stale = 0;
  for (;;) {
    const urlsOf = anyOf(run, written.at);
    const read = await call(run, caller, { method: 'GET', path, once: null }, urlsOf);
    if (read.status !== 200) return;
    if (refreshedAt(read) >= refreshedAt(written)) break;
    stale = Math.max(1, read.beganMs - written.endedMs);
    if (stale > 10_000) break;
  }
  run.result.staleness.push(stale);
}

/** Returns when the record was fetched, in ms. Throws if an answer does not state it: nothing would be compared. */
function refreshedAt({ body }: Pick<Answered, 'body'>): number {
  const freshness = body['_freshness'] as { readonly refreshed_at?: string } | undefined;
  const ms = Date.parse(freshness?.refreshed_at ?? '');
  if (!Number.isFinite(ms)) throw new Error('an answer does not state when it was refreshed');
  return ms;
}
