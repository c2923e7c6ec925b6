// Preprocesses an answer of retailer_e's Browse API before an item is read: parses its JSON, or interprets its errors.
// Errors occur with any status, so the body is checked first.

import type { FailedVerdict, Page } from '../../../base/listing/page.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { hasObjectAt, listAt, numberAt } from '../../page-data/json/json-path.ts';
import { lineAt } from '../../page-data/json/json-values.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import { readApiStatus } from '../page-status.ts';

/** Error ids for an unknown item, one of another marketplace, and an invalid id. */
const NOT_FOUND = new Set([11_001, 11_003, 11_004, 11_012]);
/** Error id for a variation group, which this call does not return but the page shows. */
const IS_GROUP = 11_006;

type BrowseAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly verdict: FailedVerdict };

function errorVerdict(body: unknown): FailedVerdict | null {
  const error = listAt(body, 'errors', 20)[0];
  const id = numberAt(error, 'errorId');
  if (id === null) return null;
  const message = lineAt(error, 'message', 200) ?? 'no message';
  if (NOT_FOUND.has(id)) return { kind: 'not_found', why: `error ${id}: ${message}` };
  if (id === IS_GROUP)
    return { kind: 'unreadable', why: 'the id belongs to a group of variations' };
  return null;
}

/** Returns the parsed body of an answer, or the verdict that replaces it. */
export function browseAnswer(page: Page): BrowseAnswer {
  const body = parseJson(decodeBody(page.body, page.headers['content-type']).text);
  // `false`: the body has no error id, and only an error id says that an item does not exist.
  const verdict = errorVerdict(body) ?? readApiStatus(page, false);
  if (verdict !== null) return { ok: false, verdict };
  if (hasObjectAt(body, '') && listAt(body, 'errors').length === 0) return { ok: true, body };
  const message = lineAt(body, 'errors.0.message', 200);
  return {
    ok: false,
    verdict: { kind: 'unreadable', why: message ?? 'the response is not a JSON object' },
  };
}
