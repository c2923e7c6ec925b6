// GET /.well-known/ucp: describes this installation to shops that speak the Universal Commerce Protocol (D82). Free,
// without a key. Shops refuse a profile that they must not cache for at least a minute.

import { constantText } from '../../constant-text.ts';
import type { RouteRow } from '../../route.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' };

export const AGENT_PROFILE_ROWS: readonly RouteRow<object>[] = [
  {
    method: 'get',
    path: '/.well-known/ucp',
    scope: 'no key',
    request: null,
    call: () => {
      const text = constantText(async () => {
        const { AGENT_PROFILE } = await import('../../../answer/wire/agent-profile.ts');
        return AGENT_PROFILE;
      });
      return ({ call }) => text(call.asked, HEADERS);
    },
  },
];
