// What every 2xx body of /v1 says about its price (D16).

import { z } from '@hono/zod-openapi';

/** The two token fields that every 2xx body of /v1 carries at its top level (D16). */
export const tokenFields = {
  tokens_consumed: z.int().nonnegative().meta({ description: 'Tokens this call cost.' }),
  tokens_remaining: z.int().nonnegative().meta({ description: 'Tokens left this month.' }),
};
