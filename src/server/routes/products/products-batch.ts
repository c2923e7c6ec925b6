// POST /v1/products/batch: up to 10,000 lookups in one call, JSON lines in and out (D72, D74).

import { tokensInWords } from '../../../base/call-cost.ts';
import { FaultError, type FaultCode } from '../../../base/fault.ts';
import {
  IdempotencyKeyTaken,
  fingerprintOf,
  type Metering,
} from '../../../data/metering/metering.ts';
import { BatchAnswer, BatchLine, BatchQuery, type BatchOrder } from '../../../answer/wire/batch.ts';
import { BilledHeaders } from '../../../answer/wire/query.ts';
import type { Answer } from '../../answer.ts';
import { answerLines } from '../../batch/answer-lines.ts';
import { createAnswerWork } from '../../batch/answer-work.ts';
import type { AnswerParts } from '../../batch/batch-call.ts';
import { createBatchLines, type BatchLines } from '../../batch/batch-lines.ts';
import { createBatchSlots, type BatchSlot, type BatchSlots } from '../../batch/batch-slots.ts';
import { problemAnswer } from '../../batch/line-answer.ts';
import { readLines } from '../../batch/read-lines.ts';
import { createTurns } from '../../batch/turns.ts';
import { callerOf, idempotencyKeyOf, type Call } from '../../call.ts';
import { route, type Route } from '../../route.ts';
import { FREE_FAULTS } from '../route-faults.ts';

const FAULTS = [
  ...FREE_FAULTS.filter((code) => code !== 'body_not_accepted'),
  'invalid_parameter',
  'insufficient_scope',
  'idempotency_conflict',
  'body_too_large',
] as const satisfies readonly FaultCode[];

/** Lines of one batch that ask shops at the same time. */
const FETCHING_AT_ONCE = 8;

export type BatchRouteParts = Omit<AnswerParts, 'metering'> & {
  readonly metering: AnswerParts['metering'] &
    Pick<Metering, 'authenticate' | 'charge' | 'findReplay'>;
};

const price = { kind: 'product', addOns: {} } as const;

const batch = route({
  method: 'post',
  path: '/v1/products/batch',
  operationId: 'lookUpBatch',
  summary: 'Look up many products in one call',
  description:
    'The body and the response consist of JSON lines: each line of the body is a lookup, each line ' +
    'of the response a record or a problem. Tokens are charged line by line; a line that the tokens ' +
    'do not cover returns a problem. At most 10,000 lines of 64 KB are accepted. With an ' +
    '`Idempotency-Key`, which covers the whole body, an interrupted batch can be sent again: ' +
    'finished lines are returned again free of charge, and the others are looked up. Lines count ' +
    'against the throttle like calls, and the batch waits for it. Closing the connection stops the ' +
    'work.',
  scope: 'products:read',
  price,
  priceInWords:
    `${tokensInWords(price)} per line, plus the price of its parameters. A line that repeats the identifier ` +
    'and parameters of an earlier line is free, and so is a problem.',
  request: {
    query: BatchQuery,
    headers: BilledHeaders,
    body: {
      type: 'application/x-ndjson',
      description: 'One JSON object per line.',
      schema: BatchLine,
    },
  },
  answer: {
    type: 'application/x-ndjson',
    description:
      'One JSON object per non-empty line of the body. The response is complete when it has as many ' +
      'lines.',
    schema: BatchAnswer,
  },
  faults: FAULTS,
  call: (parts: BatchRouteParts) => {
    const slots = createBatchSlots();
    return ({ call, route: name, query: { order = 'sent' } }) =>
      answerBatch(parts, { call, name, order, slots });
  },
});

export const BATCH_ROUTES: readonly Route<BatchRouteParts>[] = [batch];

type SentBatch = {
  readonly call: Call;
  readonly name: string;
  readonly order: BatchOrder;
  readonly slots: BatchSlots;
};

async function answerBatch(
  parts: BatchRouteParts,
  { call, name, order, slots }: SentBatch,
): Promise<Answer> {
  const { asked, share, requestId } = call;
  const { headers } = asked;
  const caller = callerOf(call);
  const slot = slots.enter(caller.organizationId);
  try {
    // The call releases its room: its lines are admitted one by one, and an arriving body is not work.
    share.work?.ends();
    if (headers.has('expect')) asked.body?.invite();
    const { batch, hash } = await readBatch(asked.body ?? [], slot);
    const idempotencyKey = idempotencyKeyOf(asked);
    if (idempotencyKey !== null) await takeKey(parts, call, { key: idempotencyKey, hash, name });
    const gone = new AbortController();
    const authorization = headers.get('authorization');
    const { metering } = parts;
    const works = createAnswerWork(parts, {
      caller,
      callerNow: () => metering.authenticate(authorization),
      requestId,
      idempotencyKey,
      signal: gone.signal,
      admit: share.admit,
      fetchTurns: createTurns(FETCHING_AT_ONCE),
    });
    const ended = () => {
      slot.leave();
      gone.abort();
    };
    const stream = answerLines({
      batch,
      order,
      ...works,
      tooLargeToRepeat: (first) => problemAnswer(tooLargeToRepeat(first), requestId, null),
      ended,
    });
    return { status: 200, headers: ANSWER_HEADERS, body: { stream, ended } };
  } catch (error) {
    slot.leave();
    throw error;
  }
}

const ANSWER_HEADERS = {
  'content-type': 'application/x-ndjson',
  'x-accel-buffering': 'no',
} as const;

type ReadBatch = { readonly batch: BatchLines; readonly hash: string };

async function readBatch(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  slot: Pick<BatchSlot, 'hold'>,
): Promise<ReadBatch> {
  const builder = createBatchLines();
  const take = (text: string, line: number) => slot.hold(builder.take(text, line));
  const { hash } = await readLines(body, take);
  const batch = builder.done();
  if (batch.lines.length > 0) return { batch, hash };
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'body',
    detail: 'The batch is empty. Send one JSON object per line, for example {"id":"614141000005"}.',
  });
}

/**
 * Stores that the key stands for this body from now on. FaultError idempotency_conflict when it stands for another
 * request.
 */
async function takeKey(
  { metering }: BatchRouteParts,
  call: Call,
  { key, hash, name }: { readonly key: string; readonly hash: string; readonly name: string },
): Promise<void> {
  const caller = callerOf(call);
  const idempotency = { key, fingerprint: fingerprintOf(call.asked, hash) };
  if ((await metering.findReplay(caller, idempotency)) !== null) return;
  const charged = { requestId: call.callId, route: name, tokens: 0, idempotency };
  try {
    await metering.charge(caller, { ...charged, answer: { status: 200, body: '{}' } });
  } catch (error) {
    if (!(error instanceof IdempotencyKeyTaken)) throw error;
    // Another call has just taken the key. This throws if that call was another request.
    await metering.findReplay(caller, idempotency);
  }
}

function tooLargeToRepeat(first: number) {
  return {
    code: 'overloaded',
    detail:
      `This line repeats line ${first}, which has the result: the results of this batch are too large ` +
      'to be cached for later lines. This line is not billed. With order=finished, results need not be ' +
      'cached.',
  } as const;
}
