// Lists of pages as other price trackers export them. changedetection.io: a line for each page, with or without tags behind
// the address. PriceBuddy: JSON of products, each with the addresses that it is sold at. Pure.

import { hundredths } from '../core/dollars.ts';

export type ListedWatch = {
  /** One, or several pages of one product. */
  readonly identifiers: readonly string[];
  readonly belowCents: number | null;
};

/** A line or entry that says nothing that could be watched, and why. */
export type UnreadLine = { readonly line: number; readonly why: string };

export type UrlList = {
  readonly watches: readonly ListedWatch[];
  readonly unread: readonly UnreadLine[];
};

/** The watches of a list, and what in it cannot be watched. */
export function readUrlList(text: string): UrlList {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  return /^[[{]/.test(trimmed) ? readProducts(trimmed) : readLines(trimmed);
}

/** The first word of a line is watched; what stands behind it are tags. */
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

/** A list of products, or an answer whose `data` is one. */
function readProducts(text: string): UrlList {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { watches: [], unread: [{ line: 1, why: 'this is no valid JSON' }] };
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

/** An address stands alone, or in a field `url`. */
function addressIn(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : fieldOf(value, 'url');
  return typeof text === 'string' && /^https?:\/\//i.test(text) ? [text] : [];
}

/** An amount as a number or as text; null for none, and for zero. */
function centsIn(value: unknown, name: string): number | null {
  const amount = Number(fieldOf(value, name) ?? Number.NaN);
  return Number.isFinite(amount) && amount > 0 ? hundredths(amount) : null;
}
