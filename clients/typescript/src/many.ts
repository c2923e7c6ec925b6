// Many identifiers: as single calls, a bounded number at once, or in one batch.

import { mostOfLookup, type Reserve } from './budget.ts';
import type { components, paths } from './schema.ts';
import { textLines } from './text-lines.ts';
import type { Send } from './transport.ts';

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
  let calls = 0;
  let isOver = false;
  try {
    for (;;) {
      while (!isOver && running.size < atOnce) {
        const next = await source.next();
        if (next.done === true) {
          isOver = true;
          break;
        }
        const id = next.value;
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
      if (running.size === 0) return;
      const { call, found } = await Promise.race(running.values());
      running.delete(call);
      yield found;
    }
  } finally {
    await source.return?.();
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
    super(`The batch broke off: ${answered} of ${lines} lines were answered.`, options);
    this.answered = answered;
  }
}

export type BatchParts = {
  readonly send: Send;
  readonly reserve: Reserve;
  readonly baseUrl: string;
};

/** One answer for each line. Leaving the loop stops the work of the service. */
export async function* batchOf(
  { send, reserve, baseUrl }: BatchParts,
  lines: readonly BatchLine[],
  { order = 'sent', idempotencyKey, signal }: BatchOptions,
): AsyncGenerator<BatchAnswer, void> {
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const most = lines.reduce((sum, { id: _, ...parameters }) => sum + mostOfLookup(parameters), 0);
  const init = { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) };
  const request = new Request(`${baseUrl}/v1/products/batch?order=${order}`, init);
  const settle = reserve(most);
  let answered = 0;
  let spent = 0;
  try {
    const response = await send(request);
    for await (const line of textLines(response.body ?? new ReadableStream())) {
      if (line === '') continue;
      const answer = JSON.parse(line) as BatchAnswer;
      answered += 1;
      if (!answer.replayed) spent += answer.product?.tokens_consumed ?? 0;
      yield answer;
    }
  } catch (error) {
    if (signal?.aborted === true || answered === 0) throw error;
    throw new BatchBrokeOff(answered, lines.length, { cause: error });
  } finally {
    settle(spent);
  }
  if (answered < lines.length) throw new BatchBrokeOff(answered, lines.length);
}
