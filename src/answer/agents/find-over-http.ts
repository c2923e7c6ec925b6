// Runs `find` at a service. It has no route of its own, so the same tool is called at the service's /mcp, and its answer is
// read.

import type { Send } from './shelf-over-http.ts';
import type { Candidate, Reply, Shelf } from './shelf.ts';

type Answer = {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: {
      readonly candidates?: readonly {
        readonly retailer: string;
        readonly url?: string | null;
        readonly page_text?: { readonly title?: string | null };
      }[];
      readonly error?: string;
      readonly detail?: string;
      readonly tokens?: { readonly spent?: number; readonly left_this_month?: number };
    };
  };
  readonly error?: { readonly message?: string };
};

export function findAt(send: Send): Shelf['find'] {
  return async (words) => {
    const call = { name: 'find', arguments: { words } };
    const { status, text } = await send({
      method: 'POST',
      path: '/mcp',
      headers: { Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    return replyOf(messageOf(text), status);
  };
}

/** Extracts the message: either the whole body, or the data of one event. */
function messageOf(text: string): Answer {
  const data = /^data: ?(\{.*)$/m.exec(text)?.[1] ?? text;
  try {
    return (JSON.parse(data) ?? {}) as Answer;
  } catch {
    return {};
  }
}

function replyOf(
  { result, error }: Answer,
  status: number,
): Reply<{ readonly candidates: readonly Candidate[] }> {
  const digest = result?.structuredContent;
  if (digest === undefined || result?.isError === true) {
    const detail =
      digest?.detail ?? error?.message ?? `The service answered /mcp with status ${status}.`;
    return { ok: false, refusal: { code: digest?.error ?? `status_${status}`, detail } };
  }
  const candidates = (digest.candidates ?? []).flatMap(({ retailer, url, page_text: text }) =>
    typeof url === 'string' ? [{ retailer, url, title: text?.title ?? null }] : [],
  );
  const { spent = 0, left_this_month: left } = digest.tokens ?? {};
  const tokens = left === undefined ? {} : { tokens_remaining: left };
  return { ok: true, body: { candidates, tokens_consumed: spent, ...tokens } };
}
