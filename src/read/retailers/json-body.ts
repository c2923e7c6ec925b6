// Reads an API answer, whose whole body is JSON.

import type { Page } from '../../base/listing/page.ts';
import { parseScriptJson } from '../page-data/json/bounded-json.ts';
import { decodeJson } from '../page-data/decode-bytes.ts';

/** Returns the parsed body; undefined when it is not JSON, or is larger or deeper than `parseScriptJson` accepts. */
export function jsonBody(page: Page): unknown {
  return parseScriptJson(decodeJson(page.body, page.headers['content-type']).trimStart());
}
