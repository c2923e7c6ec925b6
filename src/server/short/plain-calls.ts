// Makes the call of a plain target, only where nothing is wrong with the request: every fault is left to the framework.

import type { Caller } from '../../data/metering/metering.ts';
import { presentPlain } from '../../answer/wire/record/present-record.ts';
import type { BilledCall } from '../bill.ts';
import type { PlainTarget } from './plain-target.ts';
import { productCall } from '../product-call.ts';
import type { queriedCall, QueriedCallParts } from './queried-calls.ts';

/**
 * Loaded when first needed: it brings the schemas of parameters, which most calls do without and no start waits for.
 */
let queried: { readonly queriedCall: typeof queriedCall } | null = null;

/** Null when its query is not valid. FaultError or URIError of an invalid identifier. */
export async function plainCall(
  parts: QueriedCallParts,
  asked: PlainTarget,
  caller: Caller,
): Promise<BilledCall<object> | null> {
  if (asked.kind === 'by_id' && !asked.target.includes('?')) {
    const text = decodeURIComponent(asked.id);
    return productCall(parts, { caller, text, query: {}, present: presentPlain });
  }
  queried ??= await import('./queried-calls.ts');
  return queried.queriedCall(parts, asked, caller);
}
