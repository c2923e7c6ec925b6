// Signed webhooks according to Standard Webhooks 1.0.0 (standard-webhooks/standard-webhooks, spec/standard-webhooks.md).
// `webhook-id` is the same for each attempt, `webhook-timestamp` is the time of the attempt, and the signature covers
// `id.timestamp.body`. Pure.

import { createHmac } from 'node:crypto';

import { isoTimestamp } from '../../base/clock.ts';
import type { ChannelMessage, Target } from './channel.ts';
import type { ReceiverRequest } from './receiver.ts';

const PREFIX = 'whsec_';
/** Bytes that the specification requires: 192 to 512 bits. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** Formats random bytes as a secret for people to copy. Throws unless there are 24 to 64. */
export function signingSecretOf(bytes: Uint8Array): string {
  const secret = PREFIX + Buffer.from(bytes).toString('base64');
  if (keyOf(secret) === null) throw new RangeError(`${bytes.length} bytes are not a signing key`);
  return secret;
}

/** Returns the key of a secret; null unless the secret is `whsec_` and the base64 of 24 to 64 bytes. */
function keyOf(secret: string): Buffer | null {
  if (!secret.startsWith(PREFIX)) return null;
  const base64 = secret.slice(PREFIX.length);
  const key = Buffer.from(base64, 'base64');
  // Other encodings of the same bytes are refused, because receivers' libraries differ in what they accept.
  if (key.toString('base64') !== base64) return null;
  return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : null;
}

export function isSigningSecret(text: string): boolean {
  return text.length <= 200 && keyOf(text) !== null;
}

/** `nowMs` is the time of the attempt: receivers refuse signatures that are minutes old. */
export function webhookRequest(
  target: Extract<Target, { kind: 'webhook' }>,
  { notice, data }: ChannelMessage,
  nowMs: number,
): ReceiverRequest {
  const type = `notice.${notice.kind}`;
  const body = JSON.stringify({ type, timestamp: isoTimestamp(notice.atMs), data });
  const seconds = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', keyOf(target.signingSecret) ?? '')
    .update(`${notice.id}.${seconds}.${body}`)
    .digest('base64');
  return {
    url: target.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': notice.id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}
