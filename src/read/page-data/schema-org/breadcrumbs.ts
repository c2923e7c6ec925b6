// Converts a product's category path (BreadcrumbList in JSON-LD or microdata) to category names.

import { oneOf } from '../../../base/listing/words/all-languages.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import type { PageContext } from '../facts.ts';
import type { Graph } from './graph.ts';
import { hasType, isNode, listOf, plainNumber, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { absoluteUrl, addressMatch } from '../page-address.ts';
import { firstOf, textIn } from './schema-values.ts';

const LIST = new Set(['breadcrumblist']);
const LIMIT = 20;
/** Names of the front page, which is not a category, in several languages. */
export const HOME = new RegExp(`^${oneOf('homeCrumb')}$`, 'i');

function itemOf(entry: SchemaNode): SchemaNode | null {
  const item = firstOf(entry, 'item');
  return isNode(item) ? item : null;
}

function nameOf(entry: SchemaNode): string | null {
  const item = itemOf(entry);
  return textIn(entry, 'name', 200) ?? (item === null ? null : textIn(item, 'name', 200));
}

function addressOf(entry: SchemaNode, context: PageContext): URL | null {
  const item = itemOf(entry);
  // If the item is a node, its name is read below.
  const own = item === null ? textIn(entry, 'item', 2048) : null;
  const place = item ?? entry;
  const text = own ?? textIn(place, '@id', 2048) ?? textIn(place, 'url', 2048);
  return absoluteUrl(text, context.url);
}

function positionOf(entry: SchemaNode): number {
  return plainNumber(valueOf(entry, 'position')) ?? Number.POSITIVE_INFINITY;
}

function isFrontPage(url: URL | null): boolean {
  return url !== null && url.pathname === '/';
}

/** Whether an entry is a category: not the front page, the page itself or the product name. */
function isCategory(entry: SchemaNode, index: number, end: Trail): boolean {
  const name = cleanText(nameOf(entry) ?? '', 200);
  if (name === '' || (index === 0 && HOME.test(name))) return false;
  const url = addressOf(entry, end.context);
  if (index === 0 && isFrontPage(url)) return false;
  if (addressMatch(url, end.context.url) > 0 || addressMatch(url, end.context.canonical) > 0) {
    return false;
  }
  return end.title === null || name.toLowerCase() !== end.title.toLowerCase();
}

/** The end of the path: the product. */
type Trail = { readonly title: string | null; readonly context: PageContext };

/** Returns category names, broadest first, without the front page and the product itself. */
export function breadcrumbsIn(graph: Graph, end: Trail): readonly string[] {
  const lists = graph.nodes.filter(({ node }) => hasType(node, LIST));
  for (const { node } of lists) {
    const names = listOf(node, 'itemListElement')
      .filter(isNode)
      .slice(0, LIMIT)
      .toSorted((a, b) => positionOf(a) - positionOf(b))
      .filter((entry, index) => isCategory(entry, index, end))
      .map((entry) => cleanText(nameOf(entry) ?? '', 200))
      .filter((name, index, all) => name !== all[index - 1]);
    if (names.length > 0) return names;
  }
  return [];
}
