// A shelf's reply from work in this process.

import type { Reply } from '../../../answer/agents/shelf.ts';
import { mostItCanCost, type PricedCall } from '../../../base/call-cost.ts';
import { FaultError } from '../../../base/fault.ts';

/** Returns what the work makes, at the price of the call, or the fault that it throws. */
export async function replied<Body extends object>(
  call: PricedCall,
  work: () => Promise<Body>,
): Promise<Reply<Body>> {
  try {
    return { ok: true, body: { ...(await work()), tokens_consumed: mostItCanCost(call) } };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return { ok: false, refusal: error.fault };
  }
}
