// The changes of watched listings as they happen: a stream of server-sent events that is taken up again where it ended.

import { OpenshelfError, hasCode } from './errors.ts';
import type { components } from './schema.ts';
import { textLines } from './text-lines.ts';
import { sleep, type Send } from './transport.ts';

export type Change = components['schemas']['Change'];

export type ChangesOptions = {
  /** The `id` of the last change that is known; absent: from now on. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

type Event = { readonly id: string; readonly name: string; readonly data: string };

const PAUSE_MS = 1_000;

/** Ends when the signal aborts, and with OpenshelfError where the service refuses. What breaks off is taken up again. */
export async function* changesOf(
  send: Send,
  baseUrl: string,
  { after, signal }: ChangesOptions,
): AsyncGenerator<Change, void> {
  let last = after;
  while (signal?.aborted !== true) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': last }),
      };
      const init = { headers, ...(signal === undefined ? {} : { signal }) };
      const { body } = await send(new Request(`${baseUrl}/v1/changes`, init));
      if (body === null) return;
      for await (const { id, name, data } of events(body)) {
        if (id !== '') last = id;
        if (name === 'change') yield JSON.parse(data) as Change;
      }
    } catch (error) {
      if (isAborted(signal)) return;
      if (!passes(error)) throw error;
    }
    await sleep(PAUSE_MS, signal ?? null).catch(() => undefined);
  }
}

/** A connection that broke, a service in trouble or behind a proxy that does not reach it, a throttle: another time it works. */
function passes(error: unknown): boolean {
  if (error instanceof OpenshelfError && error.status >= 500) return true;
  return error instanceof TypeError || hasCode(error, 'throttled');
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void> {
  let event = { id: '', name: 'message', data: '' };
  for await (const line of textLines(body)) {
    if (line === '') {
      if (event.data !== '' || event.id !== '') yield event;
      event = { id: '', name: 'message', data: '' };
      continue;
    }
    const [, field = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') event = { ...event, id: value };
    else if (field === 'event') event = { ...event, name: value };
    else if (field === 'data')
      event = { ...event, data: `${event.data}${event.data === '' ? '' : '\n'}${value}` };
  }
}
