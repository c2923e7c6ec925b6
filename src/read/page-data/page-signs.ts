// Collects the facts that a page states about itself outside its products: headings, titles, the shop's name, and whether
// its tags call it a product. main-product.ts chooses the product by these signs.

import type { Graph } from './schema-org/graph.ts';
import type { HtmlPage } from './html/html.ts';
import { hasType } from './schema-org/node.ts';
import type { OpenGraph } from './open-graph.ts';
import { bareName } from './page-names.ts';
import { titleIn } from './schema-org/schema-values.ts';

/** The signs of a page's subject. */
export type PageSigns = {
  /** Headings and titles: the page's own product shares its name with one of them. */
  readonly names: readonly string[];
  /** The h1 headings and the title in the tags. */
  readonly headlines: readonly string[];
  /** Shop names, letters and digits only. */
  readonly shops: ReadonlySet<string>;
  /** Whether OpenGraph calls the page a product or its tags state a price. */
  readonly isTaggedProduct: boolean;
};

const SITES = new Set(['website', 'organization', 'onlinestore', 'store', 'localbusiness']);
/** Host labels that are not a shop's name. */
const COMMON_LABELS = new Set(['www', 'shop', 'store', 'm', 'co', 'com']);

/** Whether `og:type` is a product; hosted stores use `product.group` for categories. */
export function isTaggedProduct(tags: OpenGraph): boolean {
  return tags.types.some((type) => type === 'product' || type === 'product.item');
}

/** Returns the shop's names: from its tags, its organization in the data, and all host labels except the last. */
function shopsOf(page: PageParts): ReadonlySet<string> {
  const entries = page.jsonLd.nodes
    .filter(({ node, path }) => path.every((step) => step === '@graph') && hasType(node, SITES))
    .map(({ node }) => titleIn(node, 'name'));
  const host = (page.url?.hostname ?? '').replace(/^(?:www|m)\./, '');
  const labels = [host, ...host.split('.').slice(0, -1)];
  const names = [
    page.tags.siteName,
    ...entries,
    ...labels.filter((one) => !COMMON_LABELS.has(one)),
  ];
  return new Set(names.map((name) => bareName(name ?? '')).filter((name) => name.length >= 3));
}

type PageParts = {
  readonly html: HtmlPage;
  readonly tags: OpenGraph;
  readonly jsonLd: Graph;
  readonly url: URL | null;
};

/** Returns a page's signs. Titles are also split: "Name | Shop" and "Shop - Name" contain the name. */
export function signsOf(page: PageParts): PageSigns {
  const { html, tags } = page;
  const shops = shopsOf(page);
  const isOwn = (text: string): boolean => !shops.has(bareName(text));
  const titles = [tags.facts.title, html.title].filter((title) => title !== null);
  const parts = titles.flatMap((title) => title.split(/\s+[|–—·:•]\s+|\s+-\s+/).slice(0, 8));
  const headlines = [...html.headings, tags.facts.title].filter((text) => text !== null);
  return {
    names: [...html.headings, ...titles, ...parts.filter(isOwn)],
    headlines: headlines.filter(isOwn),
    shops,
    isTaggedProduct: isTaggedProduct(tags) || tags.facts.price !== null,
  };
}

/** Returns the name from a title that begins or ends with the shop: "Name | Shop", "Shop: Name". */
export function withoutShop(title: string, signs: PageSigns): string {
  const isShop = (part: string): boolean => signs.shops.has(bareName(part));
  const last = /^(.+?)\s+[|–—·:•-]\s+((?:(?!\s[|–—·:•-]\s).)+)$/su.exec(title.slice(0, 1000));
  if (last !== null && isShop(last[2] ?? '')) return last[1] ?? title;
  const first = /^([^|–—·:•]{1,60}?)\s*[|–—·:•-]\s+(.+)$/su.exec(title);
  return first !== null && isShop(first[1] ?? '') ? (first[2] ?? title) : title;
}
