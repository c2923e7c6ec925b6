// Reads lists of pages in the export formats of other price trackers. changedetection.io has one line per page, with or
// without tags after the address. PriceBuddy has JSON of products, each with the addresses where it is sold. Pure.

import { hundredths } from '../../base/dollars.ts';

type ListedWatch = {
  /** One identifier, or several pages of one product. */
  readonly identifiers: readonly string[];
  readonly belowCents: number | null;
};

/** A line or entry without anything that can be watched, and the reason. */
type UnreadLine = { readonly line: number; readonly why: string };

type UrlList = {
  readonly watches: readonly ListedWatch[];
  readonly unread: readonly UnreadLine[];
};

/** Returns the watches of a list, and the entries that cannot be watched. */
export function readUrlList(text: string): UrlList {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  return /^[[{]/.test(trimmed) ? readProducts(trimmed) : readLines(trimmed);
}

/** The first word of a line is watched; the words after it are tags. */
function readLines(text: string): UrlList {
  const watches: ListedWatch[] = [];
  const unread: UnreadLine[] = [];
  const seen = new Set<string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [first = ''] = line.trim().split(/[\s,;]+/);
    if (first === '' || first.startsWith('#')) continue;
    if (seen.has(first)) continue;
    seen.add(first);
    if (/^https?:\/\//i.test(first) || /^[0-9A-Z-]{8,17}$/i.test(first)) {
      watches.push({ identifiers: [first], belowCents: null });
    } else {
      unread.push({
        line: at + 1,
        why: `"${first.slice(0, 60)}" is neither an address nor a code`,
      });
    }
  }
  return { watches, unread };
}

/** Reads a list of products, or an object whose `data` is one. */
function readProducts(text: string): UrlList {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { watches: [], unread: [{ line: 1, why: 'this is not valid JSON' }] };
  }
  const products = listIn(parsed, 'data');
  const watches: ListedWatch[] = [];
  const unread: UnreadLine[] = [];
  for (const [at, product] of products.entries()) {
    const pages = [...listIn(product, 'urls'), ...listIn(product, 'price_cache'), product];
    const identifiers = [...new Set(pages.flatMap(addressIn))];
    if (identifiers.length === 0) unread.push({ line: at + 1, why: 'the product has no address' });
    else watches.push({ identifiers, belowCents: centsIn(product, 'notify_price') });
  }
  return { watches, unread };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** Returns the addresses, given directly or in a field `url`. */
function addressIn(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : fieldOf(value, 'url');
  return typeof text === 'string' && /^https?:\/\//i.test(text) ? [text] : [];
}

/** Returns the cents of an amount that is a number or a text; null without one, and for zero. */
function centsIn(value: unknown, name: string): number | null {
  const amount = Number(fieldOf(value, name) ?? Number.NaN);
  return Number.isFinite(amount) && amount > 0 ? hundredths(amount) : null;
}
