// Turns a saved file back into the page, for `openshelf parse` and the measurements, so that the service's readers can read
// it without a fetch.

import type { Page } from '../../../base/listing/page.ts';

type SavedFrom = {
  readonly url: string;
  /** The content type as served. If it is unknown, it is guessed from the first byte. */
  readonly contentType?: string | undefined;
};

const BRACES = [0x7b, 0x5b];

/** JSON starts with a brace or a bracket, a page never does. */
function guessType(body: Uint8Array): string {
  const first = body.find((byte) => byte > 0x20);
  return first !== undefined && BRACES.includes(first) ? 'application/json' : 'text/html';
}

/** Returns the page, with status 200 and only a content type in its headers. */
export function savedPage(body: Uint8Array, from: SavedFrom): Page {
  return {
    requestedUrl: from.url,
    url: from.url,
    status: 200,
    headers: { 'content-type': from.contentType ?? guessType(body) },
    body,
    fetchedAtMs: 0,
  };
}
