// Decides, before a product is read, whether an answer is gone, refused, to be retried, or of an unsupported content type.
// Checks the status code, the content type, and the signs of walls and error pages with status 200.

import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { HtmlPage } from '../page-data/html/html.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import { plainTextOfHtml } from '../../base/listing/text/text.ts';
import { isAwayName, isNotFoundName, isQueueName, isWallName, saysWall } from './error-names.ts';

/** A verdict reached without reading the body. */
type EarlyVerdict = Exclude<
  PageVerdict<never>,
  { readonly kind: 'read' } | { readonly kind: 'follow' } | { readonly kind: 'unreadable' }
>;

const BLOCKED = new Set([401, 403, 407, 412, 418, 429, 430, 435, 451]);
const GONE = new Set([404, 410]);

const READ_TYPES = new Set([
  'text/html',
  'application/xhtml+xml',
  'application/json',
  'application/ld+json',
]);
/** Script types used by hosted stores for the JSON of `/products/<handle>.js`. */
const SCRIPT_TYPES = new Set([
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
]);

/** Addresses to which shops redirect refused visitors. */
const WALL_PATHS =
  /^\/(?:blocked|password|errors\/validatecaptcha|splashui\/(?:captcha|challenge))\/?$/i;

/** Signs of walls, in pages with little else. */
const WALL_MARKS = [
  'px-captcha',
  'captcha-delivery.com',
  'cf-browser-verification',
  'cf-challenge',
  '_cf_chl_opt',
  '/orchestrate/chl_',
  'captcha.px-cdn.net',
  '_Incapsula_Resource',
  'Incapsula incident ID',
  'validateCaptcha',
  'Enter the characters you see below',
  'Click the button below to continue shopping',
  'Robot or human?',
  'Pardon Our Interruption',
  'distil_r_captcha',
  'KPSDK',
  'Vercel Security Checkpoint',
  'awsWafCookieDomainList',
  'sec-if-cpt-container',
  'bm-verify=',
  'Please enable JS and disable any ad blocker',
];
/** Signs that forms have too: a wall only on a very small page. */
const FORM_MARKS = ['g-recaptcha', 'h-captcha', 'hcaptcha.com', 'smart-captcha', 'cf-turnstile'];
const BARE_LENGTH = 8000;
/** Maximum size of a wall: a shop page with a captcha in its newsletter form is larger. */
const WALL_LENGTH = 60_000;
/** Maximum number of links on a wall: bot protection also adds its marks to ordinary pages, which have more links. */
const WALL_LINKS = 12;

const SPACE = 0x20;
const UTF8_MARK = [0xef, 0xbb, 0xbf];
const GZIP_START = [0x1f, 0x8b, 0x08];
const ZSTD_START = [0x28, 0xb5, 0x2f, 0xfd];

function refused(kind: 'blocked' | 'retry', why: string, page: Page): EarlyVerdict {
  const seconds = retryAfterSeconds(page.headers['retry-after'], page.fetchedAtMs);
  return seconds === null ? { kind, why } : { kind, why, retryAfterSeconds: seconds };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

/** Returns the lower-case content type without parameters; empty when the shop sent none. */
function mediaType(page: Page): string {
  const header = (page.headers['content-type'] ?? '').slice(0, 1000);
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}

/** Whether a page is JSON by its content type or its first character. */
export function looksLikeJson(page: Page): boolean {
  if (/json|javascript/.test(mediaType(page))) return true;
  for (const byte of page.body.subarray(0, 64)) {
    if (byte === 0x7b || byte === 0x5b) return true;
    // Whitespace and a byte order mark may come first.
    if (byte > 0x20 && byte < 0x80) return false;
  }
  return false;
}

function isReadType(page: Page): boolean {
  const type = mediaType(page);
  if (type === '' || READ_TYPES.has(type)) return true;
  return SCRIPT_TYPES.has(type) && pathOf(page.url).endsWith('.js');
}

/** Returns the verdict from status, address and content type alone; null when the body decides. */
export function readStatus(page: Page): EarlyVerdict | null {
  const { status } = page;
  if (GONE.has(status) && page.body.length <= BARE_LENGTH && hasWallMark(latinText(page))) {
    return refused('blocked', `a wall with status ${status}`, page);
  }
  if (GONE.has(status)) return { kind: 'not_found', why: `the shop answered ${status}` };
  if (BLOCKED.has(status)) return refused('blocked', `the shop answered ${status}`, page);
  if (status === 503 && hasWallMark(latinText(page))) {
    return refused('blocked', 'a wall with status 503', page);
  }
  if (status < 200 || status >= 300) return refused('retry', `the shop answered ${status}`, page);
  if (WALL_PATHS.test(pathOf(page.url)) && pathOf(page.url) !== pathOf(page.requestedUrl)) {
    return refused('blocked', `redirected to ${pathOf(page.url)}`, page);
  }
  if (!isReadType(page)) {
    return { kind: 'not_a_product', why: `content type ${mediaType(page).slice(0, 80)}` };
  }
  // A crashed program, or a cache in between, sends an empty answer. It says nothing about the product.
  if (isBlank(page.body)) return refused('retry', 'an empty answer', page);
  if (isCompressed(page.body)) return refused('retry', 'compressed, but not declared so', page);
  return null;
}

/** Whether the body is only whitespace and a UTF-8 byte order mark. */
function isBlank(body: Uint8Array): boolean {
  const from = UTF8_MARK.every((byte, at) => body[at] === byte) ? UTF8_MARK.length : 0;
  return body.subarray(from).every((byte) => byte <= SPACE);
}

function isCompressed(body: Uint8Array): boolean {
  return [GZIP_START, ZSTD_START].some((start) => start.every((byte, at) => body[at] === byte));
}

/**
 * The same for an API that states in its body that it has no such product. A 404 without that statement says nothing about
 * the product: an API that was moved or shut down answers 404 or 410 to every request.
 */
export function readApiStatus(page: Page, saysGone: boolean): EarlyVerdict | null {
  const early = readStatus(page);
  if (early?.kind !== 'not_found' || saysGone) return early;
  const why = `the API answered ${page.status} without saying that there is no such product`;
  return { kind: 'retry', why };
}

function latinText(page: Page): string {
  return new TextDecoder('windows-1252').decode(page.body.subarray(0, WALL_LENGTH));
}

function hasWallMark(text: string): boolean {
  if (/Access Denied/i.test(text) && text.includes('Reference #')) return true;
  return WALL_MARKS.some((mark) => text.includes(mark));
}

/** Whether the page has as many links as a shop page. */
function hasManyLinks(html: string): boolean {
  let at = html.indexOf('<a ');
  for (let found = 0; at >= 0; at = html.indexOf('<a ', at + 3)) {
    found += 1;
    if (found >= WALL_LINKS) return true;
  }
  return false;
}

function namesOf({ title, headings }: HtmlPage): readonly string[] {
  return title === null ? headings : [title, ...headings];
}

/**
 * Returns the verdict if the title or headings of a page with status 200 say that it is a wall or an error; null otherwise.
 */
export function readObstacleName(html: HtmlPage, page: Page): EarlyVerdict | null {
  const names = namesOf(html);
  if (names.some((name) => isWallName(name))) {
    return refused('blocked', 'a wall: its title asks for something else than the page', page);
  }
  if (names.some((name) => isNotFoundName(name))) {
    return { kind: 'not_found', why: 'an error page with status 200' };
  }
  return null;
}

/** Maximum number of text characters on a wall. */
const WALL_TEXT = 600;

/** Whether a page without metadata for search engines and with almost no text is about a check or a refusal. */
function isWallText({ html, title }: HtmlPage): boolean {
  if (html.includes('og:') || html.includes('ld+json')) return false;
  const body = html.slice(Math.max(0, html.search(/<body\b/i)));
  const text = plainTextOfHtml(body, 2 * WALL_TEXT);
  return text.length <= WALL_TEXT && saysWall(`${title ?? ''} ${text}`);
}

/**
 * Recognizes walls and error pages with status 200. Only for pages without a product: a shop may have a captcha in a form,
 * and a product called "404".
 */
export function readObstacle(html: HtmlPage, page: Page): EarlyVerdict | null {
  const named = readObstacleName(html, page);
  if (named !== null) return named;
  if (html.html.length > WALL_LENGTH || hasManyLinks(html.html)) return null;
  const isBare = html.html.length <= BARE_LENGTH;
  const asks = isBare && FORM_MARKS.some((mark) => html.html.includes(mark));
  const isQueue = namesOf(html).some(isQueueName);
  if (asks || isQueue || hasWallMark(html.html) || isWallText(html)) {
    return refused('blocked', 'a wall: a small page with a bot check', page);
  }
  return namesOf(html).some(isAwayName)
    ? refused('retry', 'a small page that says that it is temporarily unavailable', page)
    : null;
}
