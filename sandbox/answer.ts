// The response of a simulated site: a page, or one of the network failures of real sites.

export type SimulatedAnswer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'file'; readonly type: string; readonly bytes: Uint8Array }
  /** The connection is closed without an answer. */
  | { readonly kind: 'reset' }
  /** The head of a page is sent, and then nothing more. */
  | { readonly kind: 'stalled'; readonly head: string }
  /** A page whose body is padded to `bytes` bytes. */
  | { readonly kind: 'padded'; readonly body: string; readonly bytes: number };

export function htmlAnswer(status: number, body: string, headers = {}): SimulatedAnswer {
  return { kind: 'page', status, type: 'text/html; charset=utf-8', body, headers };
}

export function jsonAnswer(body: string): SimulatedAnswer {
  return { kind: 'page', status: 200, type: 'application/json; charset=utf-8', body };
}
