// Preprocesses an answer of retailer_b's API before a product is read: parses its JSON, or interprets its error. Limits and wrong
// keys are in api-failures.ts.

import type { FailedVerdict, Page } from '../../../base/listing/page.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { hasObjectAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import { readApiStatus } from '../page-status.ts';

type ApiAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly verdict: FailedVerdict };

/** Returns the parsed body of an answer, or the verdict that replaces it. */
export function apiAnswer(page: Page): ApiAnswer {
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const body = parseJson(text);
  const message = lineAt(body, 'error.message', 200);
  if (page.status === 400) {
    return { ok: false, verdict: { kind: 'unreadable', why: message ?? 'the query was refused' } };
  }
  const verdict = readApiStatus(page, message !== null && /not found/i.test(message));
  if (verdict !== null) return { ok: false, verdict };
  if (message === null && hasObjectAt(body, '')) return { ok: true, body };
  return {
    ok: false,
    verdict: { kind: 'unreadable', why: message ?? 'the response is not a JSON object' },
  };
}
