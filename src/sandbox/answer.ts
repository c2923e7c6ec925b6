// What a simulated shop does with a request: an ordinary answer, or one of the ways in which shops fail.

export type Answer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is closed without a word. */
  | { readonly kind: 'reset' }
  /** The head of a page arrives, the rest never does. */
  | { readonly kind: 'stalled'; readonly head: string }
  /** A page whose body is filled up to `bytes` bytes. */
  | { readonly kind: 'padded'; readonly body: string; readonly bytes: number };

export function htmlAnswer(status: number, body: string, headers = {}): Answer {
  return { kind: 'page', status, type: 'text/html; charset=utf-8', body, headers };
}

export function jsonAnswer(body: string): Answer {
  return { kind: 'page', status: 200, type: 'application/json; charset=utf-8', body };
}
