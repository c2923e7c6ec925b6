// The minimum work of reading a page, written as plainly as possible. The readers are compared with it, and it shares no code
// with them.

const JSON_LD = 'application/ld+json';

/**
 * Decodes the page, finds its script blocks by `indexOf` and parses those that `wanted` names. Returns the number parsed.
 */
export function parseScripts(body: Uint8Array, wanted: 'json-ld' | 'all json'): number {
  const text = new TextDecoder().decode(body);
  let parsed = 0;
  let open = text.indexOf('<script');
  while (open >= 0) {
    const from = text.indexOf('>', open) + 1;
    const to = text.indexOf('</script>', from);
    if (from === 0 || to < 0) break;
    const tag = text.slice(open, from);
    if (tag.includes(JSON_LD) || (wanted === 'all json' && tag.includes('json'))) {
      const value: unknown = JSON.parse(text.slice(from, to));
      if (value !== null) parsed += 1;
    }
    open = text.indexOf('<script', to);
  }
  return parsed;
}

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const GREATER = 62;

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** Returns where a tag ends: its first `>` outside quotes. */
function tagEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) return text.length;
    if (code === GREATER) return at + 1;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const close = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", at + 1);
      if (close < 0) return text.length;
      at = close;
    }
    at += 1;
  }
}

/**
 * Decodes the page and finds every tag, respecting quotes and skipping comments and scripts. Ignores names and attributes.
 * Returns the number of tags.
 */
export function scanTags(body: Uint8Array): number {
  const text = new TextDecoder().decode(body);
  let tags = 0;
  let open = text.indexOf('<');
  while (open >= 0) {
    const code = text.charCodeAt(open + 1);
    let next = open + 1;
    if (isLetter(code) || code === SLASH) {
      tags += 1;
      next = tagEnd(text, open + 1);
      if (text.startsWith('<script', open)) next = text.indexOf('</script>', next);
    } else if (text.startsWith('<!--', open)) {
      next = text.indexOf('-->', open);
    }
    if (next < 0) break;
    open = text.indexOf('<', next);
  }
  return tags;
}
