// A tool's answer: small, with page text marked and limited. It is sent both as structured content and as text, because
// hosts read one or the other; the limits count both.

import type { CallToolResult } from '@modelcontextprotocol/server';

import { cleanText } from '../../base/listing/text/text.ts';

/** Maximum bytes of a digest, both forms together. */
const DIGEST_BYTES = 2_048;
/** Maximum bytes of an answer with `detail`. */
const DETAIL_BYTES = 16_384;

/** Limits for long content: characters of page text, rows of a list. */
export type DigestRoom = { readonly text: number; readonly rows: number };

const DETAIL_ROOMS: readonly DigestRoom[] = [
  { text: 300, rows: 60 },
  { text: 200, rows: 30 },
  { text: 120, rows: 15 },
];
const DIGEST_ROOMS: readonly DigestRoom[] = [
  { text: 120, rows: 7 },
  { text: 100, rows: 5 },
  { text: 80, rows: 3 },
  { text: 60, rows: 1 },
  { text: 30, rows: 0 },
];

/** Longer addresses are left out, because a truncated one is useless. */
const URL_LENGTH = 160;

/** Returns the largest form that fits. */
export function answerWithin(
  make: (room: DigestRoom) => Record<string, unknown>,
  options: { readonly detail?: boolean | undefined; readonly isError?: boolean } = {},
): CallToolResult {
  const { detail = false, isError = false } = options;
  const rooms = detail ? [...DETAIL_ROOMS, ...DIGEST_ROOMS] : DIGEST_ROOMS;
  const most = detail ? DETAIL_BYTES : DIGEST_BYTES;
  let result = resultOf({}, isError);
  for (const room of rooms) {
    result = resultOf(make(room), isError);
    if (resultBytes(result) <= most) break;
  }
  return result;
}

function resultOf(body: Record<string, unknown>, isError: boolean): CallToolResult {
  const shown = withoutNothing(body);
  const content = [{ type: 'text' as const, text: JSON.stringify(shown) }];
  return { content, structuredContent: shown, ...(isError ? { isError } : {}) };
}

function resultBytes(result: object): number {
  return new TextEncoder().encode(JSON.stringify(result)).byteLength;
}

/** Removes unknown fields, which would only take up space. */
function withoutNothing(body: object): Record<string, unknown> {
  const shown = Object.entries(body)
    .map(([name, value]) => [name, shownOf(value)] as const)
    .filter(([, value]) => value !== null && value !== undefined && !isEmpty(value));
  return Object.fromEntries(shown);
}

function shownOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownOf);
  return typeof value === 'object' && value !== null ? withoutNothing(value) : value;
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Returns text from a page as one line, without control and direction characters, truncated. */
export function pageText(
  text: string | null | undefined,
  { text: length }: DigestRoom,
): string | null {
  if (text === null || text === undefined) return null;
  const cleaned = cleanText(text, length);
  return cleaned === '' ? null : cleaned;
}

export function shortUrl(url: string | null | undefined): string | null {
  return url === null || url === undefined || url.length > URL_LENGTH ? null : url;
}
