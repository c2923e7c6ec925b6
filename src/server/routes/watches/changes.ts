// GET /v1/changes: what changed about the listings that the organization watches, in pages or as a stream of events. A
// client resumes a stream where it ended (D70).

import { SECOND_MS, type Clock } from '../../../base/clock.ts';
import { FaultError, type Fault, type FaultCode, OVERLOADED } from '../../../base/fault.ts';
import type { Log } from '../../../base/log.ts';
import type { ManageWatches } from '../../../answer/lookup/watches/manage-watches.ts';
import { ChangeList, ChangesQuery, presentChange } from '../../../answer/wire/watches/changes.ts';
import { orUnavailable, type Metering } from '../../../data/metering/metering.ts';
import type { Answer } from '../../answer.ts';
import { chargeFree } from '../../bill.ts';
import type { Call } from '../../call.ts';
import { createPlaces } from '../../listen/places.ts';
import { faultOf } from '../../problems/problems.ts';
import { free, route, type ParsedCall, type Route } from '../../route.ts';
import { FREE_FAULTS } from '../route-faults.ts';

const FAULTS = [
  ...FREE_FAULTS,
  'insufficient_scope',
  'invalid_parameter',
  'cursor_expired',
] as const satisfies readonly FaultCode[];

const DEFAULT_PAGE = 100;
/** How often a stream checks for changes. */
const LOOK_MS = SECOND_MS;
/** A stream that has sent nothing for this long sends a heartbeat, because a proxy may close a silent one. */
const BEAT_MS = 10 * SECOND_MS;
/** A stream ends by itself before the listener cuts it, as it cuts what takes 30 s to send; its client resumes it. */
const STREAM_MS = 24 * SECOND_MS;
/** How long a client should wait before it reconnects. */
const RETRY_MS = 1_000;
/**
 * Maximum streams open in one process. Each occupies a connection and reads the store every second, and it has no waiting
 * call that could be refused. Before this limit, one key held all 4,096 connections, including those of health checks.
 */
const STREAMS = { inAll: 512, ofOne: 32 };

export type ChangeRouteParts = {
  readonly metering: Pick<Metering, 'authenticate' | 'charge'>;
  readonly manageWatches: ManageWatches;
  /** The clock for durations. */
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Whether the service accepts no new calls: streams then end, so that their clients go elsewhere. */
  readonly isStopping: () => boolean;
};

const REQUEST = { query: ChangesQuery };

const changes = route({
  method: 'get',
  path: '/v1/changes',
  operationId: 'listChanges',
  summary: 'Read the changes of watched listings',
  description:
    'Returns each change of price, stock, buy box, number of offers and identity, once and in order; ' +
    'a price that nothing supports is withheld. With `Accept: text/event-stream`, changes are sent ' +
    'as server-sent events whose `id` is the number of the change. A stream ends after some seconds ' +
    'with the event `bye`; reconnect with `Last-Event-ID` to miss nothing.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: REQUEST,
  answer: { description: 'The changes.', schema: ChangeList },
  faults: FAULTS,
  call: answerChanges,
});

export const CHANGE_ROUTES: readonly Route<ChangeRouteParts>[] = [changes];

function answerChanges(parts: ChangeRouteParts) {
  const { manageWatches, metering } = parts;
  const take = createPlaces(STREAMS);
  return async ({ call, route: name, caller, query }: ParsedCall<typeof REQUEST>) => {
    const { limit = DEFAULT_PAGE, cursor } = query;
    const { organizationId } = caller;
    const { method, headers } = call.asked;
    const isStream =
      method === 'GET' && headers.get('accept')?.includes('text/event-stream') === true;
    const from = isStream ? (lastEventId(call) ?? cursor) : cursor;
    const after =
      from === undefined ? (await manageWatches.feed(organizationId)).lastSeq : Number(from);
    const read = async () => {
      const changes = await manageWatches.changes(organizationId, after, limit);
      const next = String(changes.at(-1)?.seq ?? after);
      return { changes: changes.map(presentChange), next };
    };
    if (!isStream) return free(read);
    // Before the first event, the stream is throttled and refused like a page: its status cannot be changed later.
    await chargeFree(metering, call, name);
    await orUnavailable(read());
    const leave = take(organizationId);
    if (leave === 'of one') throw new FaultError(TOO_MANY_STREAMS);
    if (leave === 'in all') {
      throw new FaultError({ ...OVERLOADED, retryAfterSeconds: STREAM_MS / SECOND_MS });
    }
    // A stream of events is documented in words; the schema describes the pages.
    return stream(call, parts, { organizationId, after, limit, leave });
  };
}

const TOO_MANY_STREAMS: Fault = {
  code: 'throttled',
  detail:
    `The organization already has ${STREAMS.ofOne} streams of changes open in this process. Share one of ` +
    'them, or read pages: the same call without Accept: text/event-stream.',
  retryAfterSeconds: STREAM_MS / SECOND_MS,
};

/** Returns the last event that the client has seen; undefined if it names none. */
function lastEventId({ asked }: Call): string | undefined {
  const id = asked.headers.get('last-event-id');
  if (id === undefined || id === '') return undefined;
  if (/^\d{1,15}$/.test(id)) return id;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'Last-Event-ID',
    detail: 'Invalid Last-Event-ID. Send the id of the last event that you received, unchanged.',
  });
}

type Place = {
  readonly organizationId: string;
  readonly after: number;
  readonly limit: number;
  /** Releases the stream's place among those that may be open. */
  readonly leave: () => void;
};

function stream({ asked, requestId }: Call, parts: ChangeRouteParts, place: Place): Answer {
  const authorization = asked.headers.get('authorization');
  const hasKey = () =>
    parts.metering.authenticate(authorization).then(
      () => true,
      () => false,
    );
  const about = { request_id: requestId, method: asked.method };
  let isOver = false;
  return {
    status: 200,
    headers: STREAM_ANSWER_HEADERS,
    body: {
      stream: eventsOf({ ...parts, hasKey, about, isOver: () => isOver }, place),
      ended: () => {
        isOver = true;
        place.leave();
      },
    },
  };
}

/** No proxy may cache events, or buffer them until it has many. */
const STREAM_ANSWER_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

type StreamParts = ChangeRouteParts & {
  /** Whether the stream's key is still valid. */
  readonly hasKey: () => Promise<boolean>;
  /** Identifies the stream's call in the log. */
  readonly about: Readonly<Record<string, string>>;
  /** Whether nobody reads the stream any more. */
  readonly isOver: () => boolean;
};

async function* eventsOf(
  { manageWatches, clock, log, isStopping, hasKey, about, isOver }: StreamParts,
  { organizationId, after, limit }: Place,
): AsyncGenerator<string, void> {
  /** The number of the last change sent. */
  let seen = after;
  // The first message has an id, from which a client resumes if it loses the stream before the first change.
  yield `retry: ${RETRY_MS}\nid: ${after}\n\n`;
  try {
    const untilMs = clock.now() + STREAM_MS;
    let beatMs = clock.now();
    while (!isOver() && !isStopping() && clock.now() < untilMs && (await hasKey())) {
      const changes = await manageWatches.changes(organizationId, seen, limit);
      for (const change of changes) {
        yield eventText('change', JSON.stringify(presentChange(change)), change.seq);
        seen = change.seq;
      }
      if (changes.length === limit) continue;
      if (clock.now() - beatMs >= BEAT_MS) {
        yield ': beat\n\n';
        beatMs = clock.now();
      }
      await clock.sleep(LOOK_MS);
    }
  } catch (error) {
    // The status is already sent, so the error can only be logged.
    faultOf(error, log, about);
  }
  if (!isOver()) yield eventText('bye', '', seen);
}

/** `data` is one line. */
function eventText(event: string, data: string, id: number): string {
  return `event: ${event}\ndata: ${data}\nid: ${id}\n\n`;
}
