// Many identifiers: as single calls, a bounded number at once, or in one batch.

import { mostOfLookup } from './budget.ts';
import type { components, paths } from './schema.ts';
import { textLines } from './text-lines.ts';
import type { Open } from './transport.ts';

export type ProductRecord = components['schemas']['ProductRecord'];
export type LookupParameters = NonNullable<
  paths['/v1/products/{id}']['get']['parameters']['query']
>;
export type BatchAnswer = components['schemas']['BatchAnswer'];
/** A line: an identifier, and the parameters of its lookup. */
export type BatchLine = { readonly id: string } & LookupParameters;

/** What came of one identifier: exactly one of `product` and `error` is null. */
export type Found = {
  readonly id: string;
  readonly product: ProductRecord | null;
  readonly error: unknown;
};

type Ids = Iterable<string> | AsyncIterable<string>;

/** In the order in which they are finished. `ids` is read no further than calls are made. */
export async function* eachOf(
  ids: Ids,
  atOnce: number,
  lookUp: (id: string) => Promise<ProductRecord>,
): AsyncGenerator<Found, void> {
  const source = Symbol.asyncIterator in ids ? ids[Symbol.asyncIterator]() : ids[Symbol.iterator]();
  const running = new Map<number, Promise<{ readonly call: number; readonly found: Found }>>();
  /** The next identifier, while it is waited for: what is finished meanwhile is told. */
  let coming: Promise<{ readonly next: IteratorResult<string> }> | null = null;
  let calls = 0;
  let isOver = false;

  function start(id: string): void {
    const call = calls;
    calls += 1;
    const found = lookUp(id).then(
      (product): Found => ({ id, product, error: null }),
      (error: unknown): Found => ({ id, product: null, error }),
    );
    running.set(
      call,
      found.then((each) => ({ call, found: each })),
    );
  }

  try {
    for (;;) {
      if (!isOver && running.size < atOnce) {
        coming ??= Promise.resolve(source.next()).then((next) => ({ next }));
      }
      if (coming === null && running.size === 0) return;
      const first = await Promise.race([...(coming === null ? [] : [coming]), ...running.values()]);
      if ('found' in first) {
        running.delete(first.call);
        yield first.found;
        continue;
      }
      coming = null;
      if (first.next.done === true) isOver = true;
      else start(first.next.value);
    }
  } finally {
    const closed = Promise.resolve(source.return?.());
    // A generator that is waited for closes when it has given what it was asked for: the caller does not wait for that.
    if (coming === null) await closed;
    else closed.catch(() => undefined);
  }
}

export type BatchOptions = {
  readonly order?: 'sent' | 'finished' | undefined;
  /** Of the whole batch: with the same key and the same lines a batch that broke off goes on, and nothing is charged twice. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The answer broke off before each line had one. With an `idempotencyKey` the same batch goes on when it is sent again. */
export class BatchBrokeOff extends Error {
  override readonly name = 'BatchBrokeOff';
  readonly answered: number;

  constructor(answered: number, lines: number, options?: ErrorOptions) {
    super(`The batch was interrupted: ${answered} of ${lines} lines were answered.`, options);
    this.answered = answered;
  }
}

export type BatchParts = {
  readonly open: Open;
  readonly baseUrl: string;
};

/** One answer for each line. Leaving the loop stops the work of the service; what it did before that is not told. */
export async function* batchOf(
  { open, baseUrl }: BatchParts,
  lines: readonly BatchLine[],
  { order = 'sent', idempotencyKey, signal }: BatchOptions,
): AsyncGenerator<BatchAnswer, void> {
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  /** By number of the line: the most that those without an answer can cost. */
  const unanswered = new Map(
    lines.map(({ id: _, ...parameters }, at) => [at + 1, mostOfLookup(parameters)]),
  );
  const most = () => [...unanswered.values()].reduce((sum, tokens) => sum + tokens, 0);
  const init = { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) };
  const request = new Request(`${baseUrl}/v1/products/batch?order=${order}`, init);
  const { response, isAgain, settle } = await open(request, most());
  let answered = 0;
  let spent = 0;
  try {
    for await (const line of textLines(response.body ?? new ReadableStream())) {
      if (line === '') continue;
      const answer = JSON.parse(line) as BatchAnswer;
      answered += 1;
      unanswered.delete(answer.line);
      if (isAgain || !answer.replayed) spent += answer.product?.tokens_consumed ?? 0;
      yield answer;
    }
  } catch (error) {
    if (signal?.aborted === true || answered === 0) throw error;
    throw new BatchBrokeOff(answered, lines.length, { cause: error });
  } finally {
    settle(spent + most());
  }
  if (answered < lines.length) throw new BatchBrokeOff(answered, lines.length);
}
