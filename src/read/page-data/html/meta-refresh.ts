// Reads where a page sends its visitors without a redirect: `<meta http-equiv="refresh">` in its head, or the header of the
// same name.

import { cleanText } from '../../../base/listing/text/text.ts';
import { numberOf } from './markup-names.ts';
import { MarkupScanner } from './markup.ts';

/** A page that waits longer is for reading, or reloads itself to be up to date. */
const MAX_DELAY_SECONDS = 5;
/** The tag must be within these characters, and its content must not be longer than these. */
const HEAD_LENGTH = 64 * 1024;
const CONTENT_LENGTH = 4096;

const META = numberOf('meta');
const BODY = numberOf('body');
const NOSCRIPT = numberOf('noscript');

/** Seconds, a separator, `url=` if present, and the address up to the end or to its closing quote (HTML, 4.2.5.3). */
const REFRESH =
  /^\s*(?:(\d+)(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*|(?!url\s*=))(?:"([^"]*)|'([^']*)|([^"'].*))/is;

/** Returns the address in the content of a refresh, as written; null if it is late or only reloads. */
function addressIn(content: string): string | null {
  const match = content.length > CONTENT_LENGTH ? null : REFRESH.exec(content);
  if (match === null || Number(match[1] ?? 0) > MAX_DELAY_SECONDS) return null;
  return (match[2] ?? match[3] ?? match[4] ?? '').trim() || null;
}

/**
 * Returns the content of the first refresh in the head; null if there is none. One inside `noscript` does not count:
 * visitors with scripts stay on the page.
 */
function contentIn(html: string): string | null {
  if (!/refresh/i.test(html.slice(0, HEAD_LENGTH))) return null;
  const tag = new MarkupScanner(html, 0, HEAD_LENGTH);
  let isHidden = false;
  while (tag.next() && tag.number !== BODY) {
    if (tag.number === NOSCRIPT) isHidden = tag.kind === 'open';
    if (isHidden || tag.kind === 'close' || tag.number !== META) continue;
    const pragma = (tag.attribute('http-equiv') ?? '').slice(0, 40);
    if (/^\s*refresh\s*$/i.test(pragma)) {
      return cleanText(tag.attribute('content') ?? '', CONTENT_LENGTH + 1);
    }
  }
  return null;
}

/** Returns the address to which a page sends its visitors within a few seconds, as written; null if they stay. */
export function refreshAddress(html: string, header: string | undefined): string | null {
  const content = header ?? contentIn(html);
  return content === null ? null : addressIn(content);
}
