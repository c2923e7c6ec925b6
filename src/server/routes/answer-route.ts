// How a /v1 route answers: throttled and charged, with the two token fields in the body, and once for each
// Idempotency-Key (D16, D17, D21). Every billed route goes through `answerBilled`, every free one through `answerFree`.

import type { Context } from 'hono';

import {
  fingerprintOf,
  orUnavailable,
  type Charged,
  type IdempotentRequest,
  type Metering,
} from '../../data/metering/metering.ts';
import { IDEMPOTENCY_KEY } from '../../answer/wire/query.ts';
import type { WorkKind } from '../admission/admission.ts';
import { billCall, type BilledCall, type BillingParts } from '../bill.ts';
import type { HttpEnv } from '../context.ts';
import { enterAs } from '../refusal.ts';
import { callerOf } from '../middleware.ts';
import type { AnswerOf } from '../route.ts';

/** What a free route needs. Its calls only count against the throttle. */
export type FreeParts = { readonly metering: Pick<Metering, 'charge'> };

type Tokens = { readonly tokens_consumed: number; readonly tokens_remaining: number };

/** Answers 200. Throws the FaultError of the call, which is not billed. Runs behind `requireKey`. */
export async function answerBilled<Body extends object>(
  c: Context<HttpEnv>,
  parts: BillingParts,
  call: BilledCall<Body>,
): Promise<AnswerOf<Body & Tokens>> {
  const { env } = c as { readonly env?: HttpEnv['Bindings'] };
  // From here on the call's bill counts it, whatever comes of it; one that was refused before has been billed.
  c.set('isCounted', true);
  if (env?.refused) throw env.refused.error;
  const { body, charged, isReplayed } = await billCall(parts, {
    caller: callerOf(c),
    call,
    callId: c.get('callId'),
    idempotency: idempotencyOf(c, call.requestBody),
    target: env?.incoming?.url,
    enter: (kind) => enter(c, kind),
  });
  c.set('rateLimit', charged.rateLimit);
  if (isReplayed) c.header('Idempotency-Replayed', 'true');
  else c.set('tokens', charged.consumed);
  return c.json({ ...body, ...tokensOf(charged) }, 200);
}

/** Answers 200 for a route that costs nothing; its calls count against the throttle like any other (D14, D20). */
export async function answerFree<Body extends object>(
  c: Context<HttpEnv>,
  parts: FreeParts,
  { route, body }: { readonly route: string; readonly body: () => Promise<Body> },
): Promise<AnswerOf<Body & Tokens>> {
  const caller = callerOf(c);
  const call = { requestId: c.get('callId'), route, tokens: 0 };
  enter(c, 'writing');
  c.set('isCounted', true);
  const charged = await parts.metering.charge(caller, call);
  c.set('rateLimit', charged.rateLimit);
  return c.json({ ...(await orUnavailable(body())), ...tokensOf(charged) }, 200);
}

/** The idempotency of the call; undefined without the header. The route's schema has checked the header's value. */
function idempotencyOf(c: Context<HttpEnv>, body = ''): IdempotentRequest | undefined {
  const key = c.req.header(IDEMPOTENCY_KEY);
  if (key === undefined) return undefined;
  return { key, fingerprint: fingerprintOf(c.req.method, new URL(c.req.raw.url), body) };
}

function tokensOf({ consumed, remaining }: Charged): Tokens {
  return { tokens_consumed: consumed, tokens_remaining: remaining };
}

/**
 * Makes the call work of this kind. FaultError overloaded when as many calls as may be do such work already; nothing
 * was charged then.
 */
export function enter(
  c: Context<HttpEnv>,
  kind: WorkKind,
  organizationId: string | null = c.get('caller')?.organizationId ?? null,
): void {
  // Without a listener, as in a test that calls the API directly, no work is counted.
  enterAs((c.env as HttpEnv['Bindings'] | undefined)?.work ?? null, kind, organizationId);
}
