// A client of the change stream, like any other program: it reconnects with Last-Event-ID whenever the stream ends.

import { setTimeout as wait } from 'node:timers/promises';

import type { NotifyingService } from './service.ts';

/** The numbers of the changes it received, in order of arrival. */
export type Followed = { readonly ids: readonly number[]; readonly connections: number };

export function followChanges(
  { url }: Pick<NotifyingService, 'url'>,
  key: string,
): { readonly end: () => Promise<Followed> } {
  const ids: number[] = [];
  const over = new AbortController();
  let connections = 0;
  const connect = async (): Promise<void> => {
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'last-event-id': String(ids.at(-1) ?? 0),
    };
    const response = await fetch(`${url()}/v1/changes`, { headers, signal: over.signal });
    connections += 1;
    let text = '';
    for await (const piece of response.body ?? []) {
      const events = `${text}${Buffer.from(piece).toString()}`.split('\n\n');
      text = events.pop() ?? '';
      ids.push(...events.filter((event) => event.includes('event: change')).map(numberOf));
    }
  };
  const follow = async (): Promise<void> => {
    while (!over.signal.aborted) await connect().catch(() => wait(100));
  };
  const following = follow();
  return {
    async end() {
      // The last write is given time to arrive.
      await wait(5_000);
      over.abort();
      await following;
      return { ids, connections };
    },
  };
}

function numberOf(event: string): number {
  return Number(/^id: (\d+)$/m.exec(event)?.[1]);
}
