// Recognizes pages about their visitor, which are never accepted from anybody: carts, checkouts, orders and accounts (D84). Pure.

import { oneOf, wholeText, compile } from '../../base/listing/words/all-languages.ts';
import { plainTextOfHtml } from '../../base/listing/text/text.ts';
import type { HtmlPage } from '../page-data/html/html.ts';
import { ORDER_NUMBER } from './order-number.ts';
import { hasType } from '../page-data/schema-org/node.ts';

/** The signs by which a page is recognized. */
export type PrivateSign = 'address' | 'title' | 'order number';

const PRIVATE = compile('privatePage', wholeText);
/** Folders in which shops have products, whatever these are called: `/products/cart` may be a garden cart. */
const PRODUCT_FOLDER =
  /^(?:p|dp|ip|itm|item|items|shop|product\w*|produkt\w*|produit\w*|producto\w*|prodott\w*|artikel\w*)$/;
/** Parameters by which shop systems name the page. */
const PAGE_PARAMETERS = ['route', 'controller', 'main_page', 'dispatch', 'page', 'rt', 'wc-ajax'];

/**
 * Returns by what the page is recognized; null for any other page. A page that states a product in its data is not judged by its
 * title or its text.
 */
export function privateSignOf(url: URL, html: HtmlPage): PrivateSign | null {
  if (isPrivateAddress(url)) return 'address';
  if (statesProduct(html)) return null;
  if (titlesOf(html).some(isPrivateName)) return 'title';
  return hasOrderNumberByAddress(html) ? 'order number' : null;
}

function isPrivateName(text: string): boolean {
  return PRIVATE.test(text);
}

/** Returns a name as the words have it: without diacritics, numbers, punctuation and file extension. */
function plainName(text: string): string {
  return text
    .slice(0, 200)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\.(?:php|aspx?|jsp|html?|do|action)$/, '')
    .replaceAll(/[\s_+.-]+/g, ' ')
    .replace(/[!?…\s]+$/, '')
    .replace(/(?:\s+(?:n[°ºo]?|nr|num(?:ber|ero|mer)?)?\s*[#(№]?\s*\d[\d\s-]*\)?)+$/, '')
    .trim();
}

function isPrivateAddress(url: URL): boolean {
  const parts = [
    ...segmentsOf(url.pathname.split('/')),
    ...PAGE_PARAMETERS.flatMap((name) =>
      segmentsOf((url.searchParams.get(name) ?? '').split(/[/.]/)),
    ),
  ];
  return parts.some(
    (name, at) =>
      isPrivateName(name) &&
      !PRODUCT_FOLDER.test(parts[at - 1] ?? '') &&
      !isFolderOfGoods(name, parts[at + 1]),
  );
}

function segmentsOf(parts: readonly string[]): readonly string[] {
  return parts.filter((part) => part !== '').map((part) => plainName(decoded(part)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Single words that name goods too, unlike those for a checkout or an account. */
const ALSO_GOODS = /^(?!checkout|account|compte|konto|cuenta|orders)\S+$/;

/** Whether goods stand after a name that may be their folder: `/bag/leather-tote`. */
function isFolderOfGoods(name: string, next: string | undefined): boolean {
  if (next === undefined || !ALSO_GOODS.test(name)) return false;
  return /\p{L}+ \p{L}+/u.test(next) && !isPrivateName(next);
}

/** The parts of the title, and the heading if there is only one: of several, some are of hidden dialogs. */
function titlesOf({ title, headings }: HtmlPage): readonly string[] {
  const parts = (title ?? '').split(/\s+[|–—·:•-]\s+|:\s+|\s*\|\s*/).slice(0, 8);
  return [...parts, ...(headings.length === 1 ? headings : [])].map(plainName);
}

/** Whether the page's data states a product, of whatever kind. */
function statesProduct({ metas, jsonLd, items }: HtmlPage): boolean {
  return (
    metas.some(({ key, content }) => key === 'og:type' && /^product(?:\.item)?$/i.test(content)) ||
    jsonLd.some((text) =>
      /"@type"\s*:\s*\[?\s*"(?:[a-z]+:|https?:\/\/schema\.org\/)?(?:Product|ProductGroup|Book|Vehicle|Car)"/i.test(
        text,
      ),
    ) ||
    items.some((item) => hasType(item, PRODUCTS))
  );
}

const PRODUCTS: ReadonlySet<string> = new Set(['product', 'productgroup']);

/** Characters of the page's text that are searched. */
const SEARCHED = 200_000;
/** Characters between an order's number and the label of an address. */
const NEAR = 1_500;
const ADDRESS = new RegExp(oneOf('postalAddress'), 'giu');

function hasOrderNumberByAddress({ html }: HtmlPage): boolean {
  const text = plainTextOfHtml(html, SEARCHED).normalize('NFD').replaceAll(/\p{M}/gu, '');
  const addresses = [...text.matchAll(ADDRESS)].map(({ index }) => index);
  if (addresses.length === 0) return false;
  return text
    .matchAll(ORDER_NUMBER)
    .some(({ index }) => addresses.some((at) => Math.abs(at - index) <= NEAR));
}
