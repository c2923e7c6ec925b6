// Answers the lines of a batch as a stream: a bounded number at once, in the requested order, and no further ahead than the
// client reads. This file knows neither what a lookup is nor what it costs.

import { createInProgress, type Piece } from '../../base/in-progress.ts';
import type { BatchOrder } from '../../answer/wire/batch.ts';
import type { ParsedLine, BatchLines, LineWork } from './batch-lines.ts';
import type { LineAnswer } from './line-answer.ts';
import { othersRun } from './others-run.ts';

type LinesParts = {
  readonly batch: BatchLines;
  readonly order: BatchOrder;
  /** Answers one lookup. It rejects only if the batch is cancelled. */
  readonly answer: (work: LineWork, onGathering: Piece['onGathering']) => Promise<LineAnswer>;
  /** Whether the answer is cached, so that it only has to be charged for: such lookups are begun together. */
  readonly isCached: (work: LineWork) => boolean;
  /** Builds the answer of a later line if the answer of its lookup was too large to keep. */
  readonly tooLargeToRepeat: (firstLine: number) => LineAnswer;
  /** Called once, when everything was sent or the client is gone. */
  readonly ended: () => void;
};

/**
 * Maximum lookups in progress: half of the default limit of calls waiting for the commit of a charge, so that single calls
 * continue.
 */
const AT_ONCE = 16;
/** Answers that may be ready before the client has read them, while one slow line delays them. */
const MAX_AHEAD = 64;
/** Cached answers charged in one transaction, and how many of them may be ready: they take no memory of their own. */
const MAX_GROUP = 128;
const MAX_CACHED_AHEAD = 256;
/** Bytes that are sent together. */
const CHUNK_BYTES = 65_536;
/** Bytes of answers kept for later lines with the same lookup. */
const MAX_KEPT_BYTES = 67_108_864;

/** Streams the answers, one JSON object a line. Cancelling the stream cancels the batch. */
export function answerLines(parts: LinesParts): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { lines } = parts.batch;
  const outbox = parts.order === 'sent' ? inOrder(parts) : asFinished(parts.batch);
  const runner = createRunner(parts, outbox);
  let sent = 0;

  /** Takes the lines that are ready, up to one chunk. */
  function takeChunk(): readonly Buffer[] {
    const pieces: Buffer[] = [];
    for (let bytes = 0; bytes < CHUNK_BYTES;) {
      const text = outbox.take();
      if (text === null) break;
      pieces.push(text);
      bytes += text.length;
    }
    sent += pieces.length;
    return pieces;
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        // Without this, chunks that are ready would follow each other within one turn of the event loop.
        await othersRun();
        for (;;) {
          const oneMore = runner.startMore();
          const pieces = takeChunk();
          if (pieces.length > 0) controller.enqueue(Buffer.concat(pieces));
          if (sent === lines.length) {
            parts.ended();
            controller.close();
          }
          if (pieces.length > 0 || runner.isGivenUp()) {
            // A failure here is reported with the next chunk.
            oneMore.catch(() => undefined);
            return;
          }
          await oneMore;
        }
      },
      cancel() {
        runner.giveUp();
        parts.ended();
      },
    },
    { highWaterMark: 0 },
  );
}

type Runner = {
  /**
   * Starts as many lookups as may run at once. Resolves when one of those in progress has ended; rejects with an internal
   * failure.
   */
  startMore(): Promise<void>;
  giveUp(): void;
  isGivenUp(): boolean;
};

function createRunner({ batch, answer, isCached, ended }: LinesParts, outbox: Outbox): Runner {
  const { works } = batch;
  let next = 0;
  let running = 0;
  /** How many of the running lookups have cached answers. */
  let inGroup = 0;
  let isGivenUp = false;
  let failure: { readonly error: unknown } | null = null;
  let change = Promise.withResolvers<void>();
  const uncached = createInProgress(AT_ONCE, () => change.resolve());

  async function run(place: number, work: LineWork, piece: Piece | null): Promise<void> {
    try {
      outbox.put(place, await answer(work, piece?.onGathering ?? (() => undefined)));
    } catch (error) {
      if (isGivenUp) return;
      failure ??= { error };
      ended();
    }
  }

  function start(work: LineWork, piece: Piece | null): void {
    const place = next;
    next += 1;
    running += 1;
    void run(place, work, piece).then(() => {
      running -= 1;
      if (piece === null) inGroup -= 1;
      else piece.end();
      change.resolve();
    });
  }

  function startGroup(): void {
    const most = Math.min(MAX_GROUP, MAX_CACHED_AHEAD - running - outbox.ahead());
    const group: LineWork[] = [];
    for (const work of works.slice(next, next + Math.max(0, most))) {
      if (!isCached(work)) break;
      group.push(work);
    }
    inGroup = group.length;
    for (const work of group) start(work, null);
  }

  /** Returns false when no more may be begun now. */
  function startNext(work: LineWork): boolean {
    if (!isCached(work)) {
      if (uncached.room() === 0 || running + outbox.ahead() >= MAX_AHEAD) return false;
      start(work, uncached.begin());
      return true;
    }
    // The next group begins when this one is charged for, so that it can be as large as possible.
    if (inGroup > 0) return false;
    startGroup();
    return inGroup > 0;
  }

  return {
    startMore: async () => {
      change = Promise.withResolvers<void>();
      const { promise } = change;
      for (;;) {
        const work = works[next];
        if (work === undefined || isGivenUp || failure !== null || !startNext(work)) break;
      }
      if (failure === null) await promise;
      if (failure !== null) throw failure.error;
    },
    giveUp: () => {
      isGivenUp = true;
      change.resolve();
    },
    isGivenUp: () => isGivenUp,
  };
}

type Outbox = {
  put(place: number, answer: LineAnswer): void;
  /** Takes the next line to be sent; null until it is ready. */
  take(): Buffer | null;
  /** Returns the number of lookups that are answered but have no line sent yet. */
  ahead(): number;
};

function inOrder({ batch, tooLargeToRepeat }: LinesParts): Outbox {
  const { lines, works } = batch;
  const answers = new Map<number, LineAnswer>();
  let at = 0;
  let ahead = 0;
  let keptBytes = 0;

  /** Keeps the answer for later lines, once its first line was sent. */
  function keep(place: number, answer: LineAnswer, first: number): void {
    const bytes = answer.product?.length ?? 0;
    if (keptBytes + bytes > MAX_KEPT_BYTES) answers.set(place, tooLargeToRepeat(first));
    else keptBytes += bytes;
  }

  return {
    put: (place, answer) => {
      answers.set(place, answer);
      ahead += 1;
    },
    take: () => {
      const line = lines[at];
      const answer = line === undefined ? undefined : answers.get(line.work);
      if (line === undefined || answer === undefined) return null;
      const all = works[line.work]?.lines ?? [];
      const first = all[0] ?? line.line;
      const text = textOf(line, answer, first);
      if (line.line === first) {
        ahead -= 1;
        if (all.length > 1) keep(line.work, answer, first);
      }
      if (line.line === all.at(-1)) {
        if (all.length > 1 && answer.product !== null) keptBytes -= answer.product.length;
        answers.delete(line.work);
      }
      at += 1;
      return text;
    },
    ahead: () => ahead,
  };
}

/** All lines of one lookup follow each other, so that no answer has to be kept. */
function asFinished({ lines, works }: BatchLines): Outbox {
  const byLine = new Map(lines.map((line) => [line.line, line]));
  const finished: { readonly place: number; readonly answer: LineAnswer; at: number }[] = [];
  return {
    put: (place, answer) => void finished.push({ place, answer, at: 0 }),
    take: () => {
      const [head] = finished;
      if (head === undefined) return null;
      const all = works[head.place]?.lines ?? [];
      const line = byLine.get(all[head.at] ?? 0);
      head.at += 1;
      if (head.at >= all.length) finished.shift();
      return line === undefined ? null : textOf(line, head.answer, all[0] ?? line.line);
    },
    ahead: () => finished.length,
  };
}

function textOf({ line, input }: ParsedLine, answer: LineAnswer, first: number): Buffer {
  const { status, isReplayed, retryAfterSeconds, problem, product } = answer;
  const isFirst = line === first;
  const before =
    `{"line":${line},"input":${input},"status":${status},"duplicate_of":${isFirst ? null : first},` +
    `"replayed":${isReplayed},"retry_after":${retryAfterSeconds},"problem":${problem},"product":`;
  if (product === null) return Buffer.from(`${before}null}\n`);
  const consumed = isFirst ? answer.tokensConsumed : 0;
  const tokens = `,"tokens_consumed":${consumed},"tokens_remaining":${answer.tokensRemaining}}`;
  return Buffer.concat([Buffer.from(before), product, Buffer.from(`${tokens}}\n`)]);
}
