// The call of a plain target. Only where nothing is to be said about the request itself: every fault is the framework's to tell.

import type { Caller } from '../../metering/metering.ts';
import { presentPlain } from '../../wire/record/present-record.ts';
import type { BilledCall } from '../bill.ts';
import type { PlainTarget } from './plain-target.ts';
import { productCall } from '../product-call.ts';
import type { queriedCall, QueriedCallParts } from './queried-calls.ts';

/** With the schemas of parameters, which most calls do without, and no start waits for. */
let queried: { readonly queriedCall: typeof queriedCall } | null = null;

/** Null: its query is not right. FaultError or URIError of an identifier that is none. */
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
