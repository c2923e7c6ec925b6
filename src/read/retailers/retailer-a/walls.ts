// Recognizes the responses that retailer_a sends instead of a page: bot checks, "sorry" pages, and the page for a
// nonexistent ASIN. The rules for every shop (page-status.ts) come first.

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { readStatus } from '../page-status.ts';

type Obstacle = Exclude<
  PageVerdict<never>,
  { readonly kind: 'read' } | { readonly kind: 'follow' } | { readonly kind: 'unreadable' }
>;

/** Maximum size of a wall or error page; a product page has about a megabyte. */
const SMALL = 60_000;

const WALL_MARKS = [
  'Enter the characters you see below',
  'api-services-support@',
  'make sure you&#39;re not a robot',
  "make sure you're not a robot",
  '/errors/validateCaptcha',
  'Click the button below to continue shopping',
  'To discuss automated access to',
  'window.gokuProps',
];

const GONE_MARKS = [
  "couldn't find that page",
  'couldn&#39;t find that page',
  'not a functioning page on our site',
];

function smallText(page: Page): string {
  return new TextDecoder('windows-1252').decode(page.body.subarray(0, SMALL));
}

/** Returns the verdict from status, headers or a wall; null when the page is to be read. A wall may have status 503. */
export function statusVerdict(page: Page): Obstacle | null {
  const early = readStatus(page);
  if (early?.kind === 'retry' && WALL_MARKS.some((mark) => smallText(page).includes(mark))) {
    return { ...early, kind: 'blocked', why: `a bot check with status ${page.status}` };
  }
  return early;
}

/** Recognizes bot checks and "gone" pages with status 200; only used for pages on which nothing else was found. */
export function obstacleIn(html: string): Obstacle | null {
  if (html.length > SMALL) return null;
  if (WALL_MARKS.some((mark) => html.includes(mark))) {
    return { kind: 'blocked', why: 'a small page with a bot check' };
  }
  return GONE_MARKS.some((mark) => html.includes(mark))
    ? { kind: 'not_found', why: 'the page says that it could not be found' }
    : null;
}
