// An API answer, whose whole body is JSON: its parsed body, and the same answer with a part of that.

import type { Page } from '../../base/listing/page.ts';
import { parseScriptJson } from '../page-data/json/bounded-json.ts';
import { decodeJson } from '../page-data/decode-bytes.ts';

/** Returns the parsed body; undefined when it is not JSON, or is larger or deeper than `parseScriptJson` accepts. */
export function jsonBody(page: Page): unknown {
  return parseScriptJson(decodeJson(page.body, page.headers['content-type']).trimStart());
}

/** Returns the same answer with another body, and another status if it is given. */
export function withJsonBody(page: Page, body: unknown, status = page.status): Page {
  const headers = { ...page.headers, 'content-type': 'application/json; charset=utf-8' };
  return { ...page, status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
}
