// Webhooks of channels, checked as Standard Webhooks has it, with the WebCrypto of Node, browsers and edge runtimes.

export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

export type Webhook = {
  /** The same for each attempt: what was handled once need not be again. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
};

/** As `fetch` has them, of whichever library, or as Node and its frameworks do. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToCheck = {
  /** The body as it came, before any parsing. */
  readonly body: string;
  readonly headers: WebhookHeaders;
  /** `whsec_…`, or several while one is replaced. */
  readonly secret: string | readonly string[];
  /** Milliseconds since 1970; now, unless given. */
  readonly nowMs?: number | undefined;
  /** How old or early it may be: 300 unless given. */
  readonly toleranceSeconds?: number | undefined;
};

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/** The notice of a webhook that a channel with one of the secrets signed. Rejects with WebhookRefused for any other. */
export async function checkWebhook(given: WebhookToCheck): Promise<Webhook> {
  const { body, secret, nowMs = Date.now(), toleranceSeconds = TOLERANCE_SECONDS } = given;
  const id = headerOf(given.headers, 'webhook-id');
  const timestamp = headerOf(given.headers, 'webhook-timestamp');
  const signatures = headerOf(given.headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('webhook-timestamp is not a time.');
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefused(
      `It was signed more than ${toleranceSeconds} s ago, or in the future.`,
    );
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(each);
    for (const signature of signatures) {
      const [version, base64 = ''] = signature.split(',');
      const bytes = version === 'v1' ? bytesOf(base64) : null;
      if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        return { ...(JSON.parse(body) as Omit<Webhook, 'id'>), id };
      }
    }
  }
  throw new WebhookRefused('None of its signatures matches this secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const given = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const value = typeof given === 'object' ? given?.[0] : given;
  if (typeof value !== 'string' || value === '') throw new WebhookRefused(`${name} is missing.`);
  return value;
}

function hasGet(
  headers: WebhookHeaders,
): headers is Extract<WebhookHeaders, { get(name: string): unknown }> {
  return typeof headers.get === 'function';
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0) {
    throw new WebhookRefused(
      'The secret is not whsec_ and base64. Copy it from the answer that created the channel.',
    );
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** Null: it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}
