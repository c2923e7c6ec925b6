// A file on disk as the page it was saved from, for `openshelf parse` and the measurements: read by the readers of the
// service, without a fetch.

import type { Page } from '../../listing/page.ts';

export type SavedFrom = {
  readonly url: string;
  /** As it was served; guessed from the first byte when it is not known. */
  readonly contentType?: string | undefined;
};

const BRACES = [0x7b, 0x5b];

/** JSON starts with a brace or a bracket, a page never does. */
function guessType(body: Uint8Array): string {
  const first = body.find((byte) => byte > 0x20);
  return first !== undefined && BRACES.includes(first) ? 'application/json' : 'text/html';
}

/** A page with status 200 and nothing but a content type in its headers. */
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
