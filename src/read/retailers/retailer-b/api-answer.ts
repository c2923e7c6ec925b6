// Preprocesses an answer of retailer_b's API before a product is read: parses its JSON, or interprets its error. A key over
// its limit and a wrong key both give 403; only the body distinguishes them.

import type { FailedVerdict, Page } from '../../../base/listing/page.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { hasObjectAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import { readApiStatus } from '../page-status.ts';

type ApiAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly verdict: FailedVerdict };

/** The message for the limit of five calls a second. Any other limit is a daily one. */
const SECOND_LIMIT = /over qps|per second limit|queries per second/i;
const DAY_LIMIT = /over (?:rate|quota)|daily|rate limit|exceeded/i;
const DAY_WAIT_SECONDS = 3600;

function limitVerdict(text: string): FailedVerdict | null {
  const head = text.slice(0, 2000);
  if (SECOND_LIMIT.test(head)) {
    return { kind: 'retry', why: 'too many calls in a second', retryAfterSeconds: 1 };
  }
  if (!DAY_LIMIT.test(head)) return null;
  return {
    kind: 'retry',
    why: 'the calls of the day are used up',
    retryAfterSeconds: DAY_WAIT_SECONDS,
  };
}

/** Returns the parsed body of an answer, or the verdict that replaces it. */
export function apiAnswer(page: Page): ApiAnswer {
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const limit = page.status === 403 || page.status === 429 ? limitVerdict(text) : null;
  const body = parseJson(text);
  const message = lineAt(body, 'error.message', 200);
  if (page.status === 400) {
    return { ok: false, verdict: { kind: 'unreadable', why: message ?? 'the query was refused' } };
  }
  const verdict = limit ?? readApiStatus(page, message !== null && /not found/i.test(message));
  if (verdict !== null) return { ok: false, verdict };
  if (message === null && hasObjectAt(body, '')) return { ok: true, body };
  return {
    ok: false,
    verdict: { kind: 'unreadable', why: message ?? 'the response is not a JSON object' },
  };
}
