// A way out through which no request goes while another process has the same one under way.

import type { Fetcher } from '../listing/page.ts';
import type { ExclusiveWork } from './exclusive-work.ts';

/** Two requests are the same when method, address and body are. */
export function fetchAlone({ inTurn }: ExclusiveWork, fetcher: Fetcher): Fetcher {
  return async (request, context) => {
    const { method = 'GET', url, body = '' } = request;
    const ran = await inTurn(`${method} ${url}\n${body}`, context, () => fetcher(request, context));
    if (ran.ran) return ran.value;
    const detail = 'another process was asking for the same';
    return { ok: false, failure: { kind: 'timeout', detail } };
  };
}
