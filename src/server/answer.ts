// A route's answer, before it is encoded and sent: status, its own headers, and a body.

/** Parts of a body that are sent one after the other, so that cached bytes are sent without a copy. */
export type SplicedBody = {
  readonly bytes: Buffer;
  /** In characters of one byte each. */
  readonly text: string;
};

/** A body that is sent while it is generated. */
export type StreamedBody = {
  readonly stream: AsyncIterable<string | Uint8Array>;
  /** Called once: all of it was sent, or the client has disconnected. */
  readonly ended: () => void;
};

export type AnswerBody = null | string | Uint8Array | SplicedBody | StreamedBody;

/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
};

const JSON_HEADERS = { 'content-type': 'application/json' } as const;

/** Answers with this as JSON. */
export function json(body: object, status = 200): Answer {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(body) };
}

/** Redirects a browser to another address. */
export function redirect(location: string, status: 302 | 308, headers: Headers = {}): Answer {
  return { status, headers: { ...headers, location }, body: null };
}
