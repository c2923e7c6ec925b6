// Asks an official API within the limits of its operations, and several questions in one call where the API takes several:
// those of many lookups that arrive within a window, and all that arrive while the call waits for its operation. Each caller keeps its own
// deadline and its own signal; the call ends when nobody waits for it any more.

import type { Clock } from '../../../base/clock.ts';
import { sharedTurns, type FetchContext } from '../../../base/fetch-context.ts';
import type {
  ApiOperation,
  AskedTogether,
  CallLimit,
  Fetcher,
  FetchOutcome,
  Page,
  PageRequest,
} from '../../../base/listing/page.ts';
import type { CallLimits } from './call-limits.ts';
import { orLate } from './single-flight.ts';

type SharedCallParts = {
  readonly fetcher: Fetcher;
  readonly limits: CallLimits;
  /** The clock of waits and deadlines. */
  readonly clock: Clock;
};

/** How long a question waits for others. */
const WINDOW_MS = 200;
/** Maximum pages of one answer. */
const MOST_PAGES = 5;

/** Wraps a fetcher so that a request with an operation keeps its limit, and is asked together with others. */
export function createSharedCalls(parts: SharedCallParts): Fetcher {
  const open = new Map<string, Call>();
  return async (request, context) => {
    const { operation = null } = request;
    if (operation === null) return parts.fetcher(request, context);
    const { together, limit } = operation;
    if (together === undefined) return askAlone(parts, { request, operation }, context);
    // Somebody waits for a single lookup: if it can be asked now, it does not wait for others.
    const isOfMany = context.onGathering !== undefined || open.has(together.kind);
    if (!isOfMany && (await isFree(parts, limit))) return send(parts, { request, limit }, context);
    const share = await askTogether(parts, open, { request, operation, together }, context);
    return share ?? (await askAlone(parts, { request, operation }, context));
  };
}

type Alone = { readonly request: PageRequest; readonly operation: ApiOperation };
type Together = Alone & { readonly together: AskedTogether };

async function askAlone(
  parts: SharedCallParts,
  { request, operation: { limit } }: Alone,
  context: FetchContext,
): Promise<FetchOutcome> {
  const late = await waitFor(parts, limit, context);
  if (late !== null) return late;
  return send(parts, { request, limit }, context);
}

/** Takes the operation's next call if that may begin now. */
async function isFree(
  { limits, clock }: SharedCallParts,
  limit: CallLimit | null,
): Promise<boolean> {
  if (limit === null) return true;
  return (await limits.take(limit, clock.now())).isTaken;
}

type Failed = Extract<FetchOutcome, { ok: false }>;

/** Waits until the operation may be called. Returns why it cannot be in time. */
async function waitFor(
  { limits, clock }: SharedCallParts,
  limit: CallLimit | null,
  { signal, deadlineMs }: FetchContext,
): Promise<Failed | null> {
  if (limit === null) return null;
  const { isTaken, atMs } = await limits.take(limit, deadlineMs);
  if (!isTaken) return throttled(atMs - clock.now());
  return (await slept(clock, atMs, signal)) ? null : LEFT;
}

/** Waits until then; false if the signal aborts before. */
async function slept(clock: Clock, untilMs: number, signal: AbortSignal): Promise<boolean> {
  if (untilMs <= clock.now()) return !signal.aborted;
  return clock.sleep(untilMs - clock.now(), signal).then(
    () => true,
    () => false,
  );
}

/** The failure of a question that would have to wait longer than its caller does. Nothing was sent. */
function throttled(waitMs: number): Failed {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const detail = 'the calls that the API allows are taken until after the deadline';
  return { ok: false, failure: { kind: 'throttled', detail, retryAfterSeconds } };
}

const LEFT: Failed = {
  ok: false,
  failure: { kind: 'timeout', detail: 'the caller stopped waiting before its call began' },
};

type Sent = { readonly request: PageRequest; readonly limit: CallLimit | null };

async function send(
  { fetcher, limits }: SharedCallParts,
  { request, limit }: Sent,
  context: FetchContext,
): Promise<FetchOutcome> {
  if (limit === null) return fetcher(request, context);
  const outcome = await fetcher({ ...request, isPaced: true }, context);
  if (outcome.ok) limits.hear(limit, outcome.page);
  return outcome;
}

/** The part of a call's answer for one caller; null if it leaves the question open, which is then asked alone. */
type Share = FetchOutcome | null;

type Member = {
  readonly item: string;
  readonly context: FetchContext;
  /** Whether its caller has been notified that it waits for others. */
  readonly isGathering: boolean;
  readonly settle: (share: Share | Promise<Share>) => void;
};

/** A call that is being prepared, which further questions may join. */
type Call = {
  /** How the last question is asked: its access token is the newest. */
  asked: Together;
  readonly members: Set<Member>;
  /** Aborts when no caller is left. */
  readonly left: AbortController;
  /** Resolves when no more fit. */
  readonly full: PromiseWithResolvers<void>;
  isGathering: boolean;
  /** When it begins, once that is known. */
  atMs: number;
};

async function askTogether(
  parts: SharedCallParts,
  open: Map<string, Call>,
  asked: Together,
  context: FetchContext,
): Promise<Share> {
  const { kind, item, most } = asked.together;
  const known = open.get(kind);
  const call = known ?? newCall(asked);
  if (call.atMs > context.deadlineMs) return throttled(call.atMs - parts.clock.now());
  const { promise, resolve } = Promise.withResolvers<Share>();
  const room = most - new Set([...itemsOf(call), item]).size;
  const isGathering = call.isGathering && room > 0;
  const member: Member = { item, context, isGathering, settle: resolve };
  call.asked = asked;
  call.members.add(member);
  if (isGathering) context.onGathering?.(room);
  if (known === undefined) {
    open.set(kind, call);
    void run(parts, call, () => close(open, kind, call));
  }
  if (room <= 0) {
    close(open, kind, call);
    endGathering(call);
    call.full.resolve();
  }
  const share = await orLate(promise, context.signal, LEFT);
  leave(call, member);
  return share;
}

function newCall(asked: Together): Call {
  return {
    asked,
    members: new Set(),
    left: new AbortController(),
    full: Promise.withResolvers<void>(),
    isGathering: true,
    atMs: Number.NEGATIVE_INFINITY,
  };
}

/** No further question joins. */
function close(open: Map<string, Call>, kind: string, call: Call): void {
  if (open.get(kind) === call) open.delete(kind);
}

/** Takes a caller out, for whom nothing more is done. */
function leave(call: Call, member: Member): void {
  if (!call.members.delete(member)) return;
  if (call.isGathering) endWait(member);
  if (call.members.size === 0) call.left.abort();
}

function itemsOf({ members }: Call): readonly string[] {
  return [...new Set([...members].map(({ item }) => item))];
}

/**
 * Gathers questions, waits until the operation may be called, sends them in one call, and gives each caller its part
 * of the answer. Never rejects.
 */
async function run(parts: SharedCallParts, call: Call, closed: () => void): Promise<void> {
  try {
    await gathered(parts, call);
    const isLone = itemsOf(call).length === 1;
    if (isLone) closed();
    const { operation, together } = call.asked;
    // One question alone is asked as usual: that operation may be called more often than the one that takes several.
    const { limit } = isLone ? operation : together;
    await untilItsTurn(parts, limit, call);
    closed();
    if (call.members.size === 0) return;
    const shares = isLone
      ? sameForAll(await send(parts, { request: call.asked.request, limit }, contextFor(call)))
      : await asked(parts, call);
    for (const { item, settle } of call.members) settle(shares(item));
  } catch (error) {
    closed();
    for (const { settle } of call.members) settle(Promise.reject(error));
  }
}

/** Resolves when the window is over, no more questions fit, or nobody is left. */
async function gathered({ clock }: SharedCallParts, call: Call): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([call.left.signal, over.signal]);
  await Promise.race([slept(clock, clock.now() + WINDOW_MS, signal), call.full.promise]);
  over.abort();
  endGathering(call);
}

function endGathering(call: Call): void {
  if (call.isGathering) call.members.forEach(endWait);
  call.isGathering = false;
}

function endWait({ isGathering, context }: Member): void {
  if (isGathering) context.onGathering?.(0);
}

/** Waits until the operation may be called. Callers whose deadline is before that fail at once. */
async function untilItsTurn(
  { limits, clock }: SharedCallParts,
  limit: CallLimit | null,
  call: Call,
): Promise<void> {
  if (limit === null || call.members.size === 0) return;
  const { isTaken, atMs } = await limits.take(limit, latestDeadline(call));
  call.atMs = atMs;
  for (const member of call.members) {
    if (isTaken && member.context.deadlineMs >= atMs) continue;
    member.settle(throttled(atMs - clock.now()));
    leave(call, member);
  }
  await slept(clock, atMs, call.left.signal);
}

function latestDeadline({ members }: Call): number {
  return Math.max(...[...members].map(({ context }) => context.deadlineMs));
}

/** The context of a call: it may take as long as its most patient caller waits, and use the turns of all. */
function contextFor(call: Call): FetchContext {
  const [first, ...others] = [...call.members].map(({ context }) => context);
  if (first === undefined) throw new Error('a call without callers is not sent');
  const { join, ...turns } = sharedTurns(first);
  others.forEach(join);
  return { signal: call.left.signal, deadlineMs: latestDeadline(call), ...turns };
}

type Shares = (item: string) => Share;

/** Sends the call, and requests the further pages of its answer. If any page fails, the call fails for all callers. */
async function asked(parts: SharedCallParts, call: Call): Promise<Shares> {
  const context = contextFor(call);
  const items = itemsOf(call);
  const { together } = call.asked;
  const { limit } = together;
  const { countCall } = call.asked.request;
  const own = countCall === undefined ? { isOfficial: true } : { isOfficial: true, countCall };
  const pages: Page[] = [];
  for (let request: PageRequest | null = together.request(items); ;) {
    const outcome = await send(parts, { request: { ...request, ...own }, limit }, context);
    if (!outcome.ok || outcome.page.status !== 200) return sameForAll(outcome);
    pages.push(outcome.page);
    request = pages.length < MOST_PAGES ? (together.next?.(items, outcome.page) ?? null) : null;
    const late = request === null ? null : await waitFor(parts, limit, context);
    if (late !== null) return sameForAll(late);
    if (request !== null) continue;
    const whole = toldOnce(outcome);
    const pageOf = together.shares(pages, items);
    return (item) => {
      const page = pageOf(item);
      return page === null ? null : { ...whole, page };
    };
  }
}

function sameForAll(outcome: FetchOutcome): Shares {
  const whole = toldOnce(outcome);
  return () => whole;
}

/** Several callers read the same answer, but it is one request whose result the pacing counts. */
function toldOnce<O extends FetchOutcome>(outcome: O): O {
  if (!outcome.ok || outcome.found === undefined) return outcome;
  const { found } = outcome;
  let told: Promise<void> | null = null;
  return { ...outcome, found: (what: Parameters<typeof found>[0]) => (told ??= found(what)) };
}
