// What an answer is before anybody reads a product out of it: gone, refused, to be asked again, or of a type
// that is never read. Status codes, content types (security 2.2), walls and error pages inside a 200.

import type { HtmlPage } from '../page-data/html.ts';
import type { Page, PageVerdict } from '../listing/page.ts';
import { isNotFoundName, isWallName } from './error-names.ts';

/** A verdict that needs no reading; null: read on. */
export type EarlyVerdict = Exclude<
  PageVerdict<never>,
  { readonly kind: 'read' } | { readonly kind: 'follow' } | { readonly kind: 'unreadable' }
>;

/** Nobody waits longer than a day because a shop said so. */
const LONGEST_WAIT_SECONDS = 86_400;

const BLOCKED = new Set([401, 403, 407, 412, 418, 429, 430, 435, 451]);
const GONE = new Set([404, 410]);

const READ_TYPES = new Set([
  'text/html',
  'application/xhtml+xml',
  'application/json',
  'application/ld+json',
]);
/** What hosted stores send for `/products/<handle>.js`: JSON under a script's type. */
const SCRIPT_TYPES = new Set([
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
]);

/** Addresses that shops send refused visitors to. */
const WALL_PATHS =
  /^\/(?:blocked|password|errors\/validatecaptcha|splashui\/(?:captcha|challenge))\/?$/i;

/** Marks of walls in pages that hold little else. */
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
];
/** Forms carry these as well: a wall only where there is hardly anything else. */
const FORM_MARKS = ['g-recaptcha', 'h-captcha', 'hcaptcha.com', 'smart-captcha', 'cf-turnstile'];
const BARE_LENGTH = 8000;
/** A wall is a small page; a shop's page with a captcha in its newsletter form is not. */
const WALL_LENGTH = 60_000;
/** Nor does a wall lead anywhere: bot guards put the scripts of their marks into ordinary pages too. */
const WALL_LINKS = 12;

function retryAfterSeconds(page: Page): number | undefined {
  const text = (page.headers['retry-after'] ?? '').trim().slice(0, 60);
  if (text === '') return undefined;
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text), LONGEST_WAIT_SECONDS);
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  const seconds = Math.ceil((date - page.fetchedAtMs) / 1000);
  return Math.max(0, Math.min(seconds, LONGEST_WAIT_SECONDS));
}

function refused(kind: 'blocked' | 'retry', why: string, page: Page): EarlyVerdict {
  const seconds = retryAfterSeconds(page);
  return seconds === undefined ? { kind, why } : { kind, why, retryAfterSeconds: seconds };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}

/** The content type without parameters, lower case; empty when the shop sent none. */
export function mediaType(page: Page): string {
  const header = (page.headers['content-type'] ?? '').slice(0, 1000);
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}

function isReadType(page: Page): boolean {
  const type = mediaType(page);
  if (type === '' || READ_TYPES.has(type)) return true;
  return SCRIPT_TYPES.has(type) && pathOf(page.url).endsWith('.js');
}

/** The verdict that status, address and content type give by themselves; null: the body decides. */
export function readStatus(page: Page): EarlyVerdict | null {
  const { status } = page;
  if (GONE.has(status)) return { kind: 'not_found', why: `the shop answered ${status}` };
  if (BLOCKED.has(status)) return refused('blocked', `the shop answered ${status}`, page);
  if (status === 503 && hasWallMark(latinText(page))) {
    return refused('blocked', 'a wall with status 503', page);
  }
  if (status < 200 || status >= 300) return refused('retry', `the shop answered ${status}`, page);
  if (WALL_PATHS.test(pathOf(page.url)) && pathOf(page.url) !== pathOf(page.requestedUrl)) {
    return refused('blocked', `sent on to ${pathOf(page.url)}`, page);
  }
  if (!isReadType(page)) {
    return { kind: 'not_a_product', why: `content type ${mediaType(page).slice(0, 80)}` };
  }
  return page.body.length === 0 ? { kind: 'not_a_product', why: 'an empty answer' } : null;
}

function latinText(page: Page): string {
  return new TextDecoder('windows-1252').decode(page.body.subarray(0, WALL_LENGTH));
}

function hasWallMark(text: string): boolean {
  if (/Access Denied/i.test(text) && text.includes('Reference #')) return true;
  return WALL_MARKS.some((mark) => text.includes(mark));
}

/** Whether the page has links as a shop's pages have. */
function leadsOn(html: string): boolean {
  let at = html.indexOf('<a ');
  for (let found = 0; at >= 0; at = html.indexOf('<a ', at + 3)) {
    found += 1;
    if (found >= WALL_LINKS) return true;
  }
  return false;
}

/** What a page with status 200 says of itself in its title and headings: that it is a wall or an error. */
export function readObstacleName(html: HtmlPage, page: Page): EarlyVerdict | null {
  const names = [html.title, ...html.headings].filter((name) => name !== null);
  if (names.some((name) => isWallName(name))) {
    return refused('blocked', 'a wall: its title asks for something else than the page', page);
  }
  if (names.some((name) => isNotFoundName(name))) {
    return { kind: 'not_found', why: 'an error page with status 200' };
  }
  return null;
}

/**
 * Walls and error pages inside a 200. Asked only of pages on which no product was found: a shop may well
 * have a captcha in a form and a product called "404".
 */
export function readObstacle(html: HtmlPage, page: Page): EarlyVerdict | null {
  const named = readObstacleName(html, page);
  if (named !== null) return named;
  if (html.html.length > WALL_LENGTH || leadsOn(html.html)) return null;
  const isBare = html.html.length <= BARE_LENGTH;
  const asks = isBare && FORM_MARKS.some((mark) => html.html.includes(mark));
  if (asks || hasWallMark(html.html)) {
    return refused('blocked', 'a wall: a small page with a bot check', page);
  }
  return null;
}
