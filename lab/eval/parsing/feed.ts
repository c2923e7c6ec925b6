// The body that a reader receives for a row: the file's bytes, or the part of it that `feed` names, embedded as the page
// would carry it.

import type { Feed } from './manifest.ts';

function partAt(value: unknown, path: string): unknown {
  let part: unknown = value;
  for (const key of path.split('.')) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) {
      throw new Error(`"feed.take" ${path}: the file has no "${key}" there`);
    }
    part = (part as Record<string, unknown>)[key];
  }
  return part;
}

function nestAt(value: unknown, path: string): unknown {
  return path.split('.').reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
}

function wrap(into: Feed['into'], json: string): string {
  const safe = json.replaceAll('<', '\\u003c');
  switch (into) {
    case 'json':
      return json;
    case 'next_data':
      return (
        '<!doctype html><html><head><title></title></head><body>' +
        `<script id="__NEXT_DATA__" type="application/json">${safe}</script></body></html>`
      );
    case 'preloaded_state':
      return (
        '<!doctype html><html><body>' +
        `<script>window['__PRELOADED_STATE__'] = ${safe}</script></body></html>`
      );
    case 'apollo_events':
      return (
        '<!doctype html><html><body><script>' +
        '(window[Symbol.for("ApolloSSRDataTransport")] ??= [])' +
        `.push({"events":[{"type":"next","value":{"data":${safe}}}]})</script></body></html>`
      );
  }
}

/** Returns the bytes for the reader. Throws with a reason if the file does not contain what `feed` names. */
export function bodyOf(file: Uint8Array, feed: Feed | null): Uint8Array {
  if (feed === null) return file;
  const whole: unknown = JSON.parse(new TextDecoder().decode(file));
  const part = feed.take === undefined ? whole : partAt(whole, feed.take);
  const nested = feed.at === undefined ? part : nestAt(part, feed.at);
  return new TextEncoder().encode(wrap(feed.into, JSON.stringify(nested)));
}

/** Returns true for a row whose file is a page: no wrapped data, and it begins with a tag. */
export function isHtmlRow(file: Uint8Array, feed: Feed | null): boolean {
  if (feed !== null) return false;
  const head = new TextDecoder().decode(file.subarray(0, 1_000)).replace(/^\ufeff/, '');
  return head.trimStart().startsWith('<');
}
