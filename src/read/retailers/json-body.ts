// Reads an API answer, whose whole body is JSON.

import type { Page } from '../../base/listing/page.ts';
import { parseScriptJson } from '../page-data/json/bounded-json.ts';
import { decodeBody } from '../page-data/html/charset.ts';

/** Returns the parsed body; undefined when it is not JSON, or is larger or deeper than `parseScriptJson` accepts. */
export function jsonBody(page: Page): unknown {
  return parseScriptJson(decodeBody(page.body, page.headers['content-type']).text.trimStart());
}
