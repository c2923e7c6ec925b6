// Finds the elements of retailer_e's item page by content, in the layouts of 2020 (ids) and 2026 (classes), as texts. Their
// meaning is determined elsewhere.

import type { Spec } from '../../../base/listing/listing.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import {
  attributeOf,
  innerHtml,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';

/** Elements of the 2020 layout, by id. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['itemTitle', 'title'],
  ['prcIsum', 'price'],
  ['mm-saleDscPrc', 'price'],
  ['prcIsum_bidPrice', 'bid'],
  ['orgPrc', 'list'],
  ['mm-saleOrgPrc', 'list'],
  ['vi-itm-cond', 'condition'],
  ['qtySubTxt', 'quantity'],
  ['why2buy', 'sales'],
  ['fshippingCost', 'shipping'],
  ['vi-ret-accrd-txt', 'returns'],
  ['descItemNumber', 'number'],
  ['msgPanel', 'status'],
  ['icImg', 'image'],
  ['si-fb', 'feedback'],
  ['binBtn_btn', 'buy'],
  ['isCartBtn_btn', 'buy'],
  ['atcRedesignId_btn', 'buy'],
]);

/** Elements by class: for the 2026 layout, and for 2020 elements without ids. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['g-hdn', 'hidden'],
  ['clipped', 'hidden'],
  ['x-item-title__mainTitle', 'title'],
  ['x-price-primary', 'price'],
  ['x-bid-price', 'bid'],
  ['x-bid-count', 'bids'],
  ['x-bid-action', 'bids'],
  ['x-bin-price', 'fixed box'],
  ['x-price-approx', 'approximate'],
  ['x-additional-info', 'extra'],
  ['ux-textspans--STRIKETHROUGH', 'struck'],
  ['x-item-condition-text', 'condition'],
  ['x-quantity__availability', 'quantity'],
  ['statusMsg', 'status'],
  ['d-statusmessage', 'status'],
  ['x-status-message', 'status'],
  ['d-top-panel-message', 'status'],
  ['ux-message', 'status'],
  ['ux-layout-section__textual-display--statusMessage', 'status'],
  ['x-item-condensed-card__sold-price', 'sold for'],
  ['x-bin-action', 'buy'],
  ['x-atc-action', 'buy'],
  ['mbg-nw', 'seller'],
  ['mbg-l', 'score'],
  ['ux-seller-section__item--seller', 'about seller'],
  ['x-sellercard-atf', 'feedback'],
  ['x-sellercard-atf__data-item', 'feedback'],
  ['vi-acc-del-range', 'delivery'],
  ['ux-labels-values--shipping', 'shipping'],
  ['ux-labels-values--returns', 'returns'],
  ['ux-labels-values--deliverto', 'delivery'],
  ['ux-layout-section--features', 'features'],
  ['ux-layout-section-evo--features', 'features'],
  ['ux-labels-values__labels', 'label'],
  ['ux-labels-values__labels-content', 'label'],
  ['ux-labels-values__values', 'value'],
  ['ux-labels-values__values-content', 'value'],
  ['seo-breadcrumb-text', 'crumb'],
  ['itemAttr', 'features'],
  ['attrLabels', 'label'],
  ['ux-image-carousel-item', 'picture'],
]);

function keyOf(tag: MarkupScanner): string | null {
  const id = tag.attribute('id');
  const byId = id === null ? undefined : IDS.get(id);
  if (byId !== undefined) return byId;
  const classes = tag.attribute('class');
  if (classes !== null) {
    for (const name of classes.slice(0, 1000).split(/\s+/)) {
      const key = CLASSES.get(name);
      if (key !== undefined) return key;
      if (name.endsWith('info__about-seller')) return 'about seller';
    }
  }
  // The values of 2020 are in unnamed cells.
  return tag.name === 'td' ? 'cell' : null;
}

export type ItemElements = {
  readonly html: string;
  readonly all: readonly PageElement[];
  readonly hidden: readonly PageElement[];
};

export function itemElements(html: string): ItemElements {
  const all = pageElements(html, keyOf);
  return { html, all, hidden: all.filter(({ key }) => key === 'hidden') };
}

function holds(outer: PageElement, inner: PageElement): boolean {
  return inner.start >= outer.from && inner.start < outer.to;
}

/** Returns elements of one kind that are outside all elements of the other kind. */
export function elementsOf(
  { all }: ItemElements,
  key: string,
  outside: string | null = null,
): readonly PageElement[] {
  const wanted = all.filter((element) => element.key === key);
  if (outside === null) return wanted;
  const walls = all.filter((element) => element.key === outside);
  return wanted.filter((element) => !walls.some((wall) => holds(wall, element)));
}

/** Returns elements of a kind inside another element. */
export function elementsWithin(
  { all }: ItemElements,
  outer: PageElement,
  key: string,
): readonly PageElement[] {
  return all.filter((element) => element.key === key && holds(outer, element));
}

/** Returns the visible text without screen reader text ("Details about"). */
export function seenText(elements: ItemElements, element: PageElement, max = 500): string | null {
  const { html, hidden } = elements;
  const inside = hidden.filter((each) => holds(element, each)).slice(0, 20);
  if (inside.length === 0) return visibleText(html, element, max);
  const parts: string[] = [];
  let from = element.from;
  for (const each of inside) {
    if (each.start < from) continue;
    parts.push(html.slice(from, each.start));
    from = each.to;
  }
  parts.push(html.slice(from, element.to));
  return cleanText(parts.join(' '), max, { tags: true }) || null;
}

/** Returns the text of the first of these kinds that has any. */
export function firstSeen(
  elements: ItemElements,
  keys: readonly string[],
  max = 500,
): string | null {
  for (const key of keys) {
    for (const element of elementsOf(elements, key).slice(0, 20)) {
      const text = seenText(elements, element, max);
      if (text !== null) return text;
    }
  }
  return null;
}

/** Returns texts and addresses of the links in an element. */
export function linksIn(
  { html }: ItemElements,
  element: PageElement,
): readonly { readonly text: string | null; readonly href: string | null }[] {
  const inner = innerHtml(html, element).slice(0, 20_000);
  return pageElements(inner, (tag) => (tag.name === 'a' ? 'a' : null))
    .slice(0, 20)
    .map((link) => ({
      text: visibleText(inner, link, 200),
      href: attributeOf(inner, link, 'href'),
    }));
}

/** Returns the address of the first gallery image as written. */
export function pictureIn(elements: ItemElements): string | null {
  const { html } = elements;
  const [image] = elementsOf(elements, 'image');
  if (image !== undefined) return attributeOf(html, image, 'src');
  const [picture] = elementsOf(elements, 'picture');
  if (picture === undefined) return null;
  const inner = innerHtml(html, picture).slice(0, 5000);
  const [img] = pageElements(inner, (tag) => (tag.name === 'img' ? 'img' : null));
  if (img === undefined) return null;
  return attributeOf(inner, img, 'data-zoom-src') ?? attributeOf(inner, img, 'src');
}

/** Returns the texts of the breadcrumb links. */
export function crumbsIn(elements: ItemElements): readonly string[] {
  const names = elementsOf(elements, 'crumb')
    .slice(0, 20)
    .map((element) => seenText(elements, element, 200))
    .filter((name) => name !== null);
  return [...new Set(names)];
}

const SPEC_LIMIT = 200;

/** Returns item specifics: each label with the value after it; the first value of a label counts. */
export function specificsIn(elements: ItemElements): readonly Spec[] {
  const specs = new Map<string, Spec>();
  const sections = elementsOf(elements, 'features');
  let name: string | null = null;
  for (const element of elements.all) {
    const isLabel = element.key === 'label';
    if (!isLabel && element.key !== 'value' && element.key !== 'cell') continue;
    if (specs.size >= SPEC_LIMIT || !sections.some((section) => holds(section, element))) continue;
    if (isLabel) {
      name = seenText(elements, element, 200)?.replace(/\s*:$/, '') ?? null;
    } else if (name !== null) {
      const value = seenText(elements, element, 2000);
      if (value !== null && !specs.has(name)) specs.set(name, { name, value });
      name = null;
    }
  }
  return [...specs.values()];
}
