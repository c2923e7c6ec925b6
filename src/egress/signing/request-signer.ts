// Signs requests to shops with this installation's key (Web Bot Auth, draft-ietf-webbotauth-httpsig-protocol). A signature
// covers only the authority, so that it can be used for all requests to a host during the five minutes for which it is
// valid: signing takes 42 µs.

import { createBoundedMap } from '../../base/bounded-map.ts';
import { SECOND_MS, type Clock } from '../../base/clock.ts';
import { signMessage, type SigningKey } from './message-signature.ts';

/**
 * The form in which the address of the keys is written. `dictionary`: as the draft requires since its fourth version.
 * `string`: as before; most shops can only verify this form.
 */
export type SignatureForm = 'string' | 'dictionary';

export type RequestSigner = {
  /** Returns the three headers of a request to this authority: `shop.example`, or `shop.example:8443`. */
  headersFor(authority: string): Readonly<Record<string, string>>;
  /** Reports the status of the answer to a signed request. */
  answered(authority: string, status: number): void;
};

type SignerOptions = {
  readonly key: SigningKey;
  /** The origin at which the key directory is served. */
  readonly origin: string;
  /** The form for hosts about which nothing is known yet. */
  readonly form: SignatureForm;
  readonly clock: Pick<Clock, 'now'>;
};

const LIFE_SECONDS = 300;
/** A signature is not used in its last seconds, because it could expire while the request is on its way. */
const SPARE_SECONDS = 30;
const MAX_HOSTS = 10_000;
const LABEL = 'sig1';

type Signed = {
  readonly headers: Readonly<Record<string, string>>;
  readonly form: SignatureForm;
  readonly created: number;
};

/** The state of a host: the form to send next, and whether the host has answered this form without a refusal. */
type Known = { readonly form: SignatureForm; readonly isTaken: boolean };

export function createRequestSigner(options: SignerOptions): RequestSigner {
  const { key, origin, clock } = options;
  const signed = createBoundedMap<string, Signed>(MAX_HOSTS, () => 1);
  const known = createBoundedMap<string, Known>(MAX_HOSTS, () => 1);
  const formOf = (authority: string) => known.use(authority)?.form ?? options.form;

  function make(authority: string, form: SignatureForm, created: number): Signed {
    const value = `"${origin}"`;
    const isDictionary = form === 'dictionary';
    const signature = signMessage(key, {
      label: LABEL,
      covered: [
        ['"@authority"', authority],
        [isDictionary ? `"signature-agent";key="${LABEL}"` : '"signature-agent"', value],
      ],
      parameters: [
        ['created', created],
        ['expires', created + LIFE_SECONDS],
        ['keyid', key.thumbprint],
        ['tag', 'web-bot-auth'],
      ],
    });
    const agent = isDictionary ? `${LABEL}=${value}` : value;
    return { headers: { 'signature-agent': agent, ...signature }, form, created };
  }

  return {
    headersFor(authority) {
      const now = Math.floor(clock.now() / SECOND_MS);
      const form = formOf(authority);
      const before = signed.use(authority);
      // After the clock was set back, a signature from the future must not be sent.
      const isUsable =
        before?.form === form &&
        before.created <= now &&
        now < before.created + LIFE_SECONDS - SPARE_SECONDS;
      if (isUsable) return before.headers;
      const made = make(authority, form, now);
      signed.set(authority, made);
      return made.headers;
    },
    answered(authority, status) {
      const { form, isTaken } = known.use(authority) ?? { form: options.form, isTaken: false };
      if (isTaken) return;
      // These statuses may refuse the signature. The next request to the host, whenever it is due, uses the other form.
      const isRefusal = status === 400 || status === 401 || status === 403;
      if (isRefusal) known.set(authority, { form: otherThan(form), isTaken: false });
      else if (status < 400) known.set(authority, { form, isTaken: true });
    },
  };
}

function otherThan(form: SignatureForm): SignatureForm {
  return form === 'string' ? 'dictionary' : 'string';
}
