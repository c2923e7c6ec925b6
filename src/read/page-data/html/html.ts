// Reads an HTML page in one pass, without building a tree, into the parts that readers use: meta tags, JSON-LD blocks,
// other scripts, headings and, where present, microdata.

import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import { ItemReferences } from './item-references.ts';
import { numberOf, NUMBERS } from './markup-names.ts';
import { MarkupScanner, templateEnd } from './markup.ts';
import { ItemCollector } from './microdata.ts';
import type { SchemaNode } from '../schema-org/node.ts';

/** A meta tag with content; `key` is its lower-case property or name. */
export type MetaTag = { readonly key: string; readonly content: string };

/** A script that is not JSON-LD; its text is `html.slice(from, to)`. */
export type ScriptBlock = {
  readonly id: string;
  readonly type: string;
  readonly from: number;
  readonly to: number;
};

/** A range of the page source. */
type Stretch = { readonly from: number; readonly to: number };

export type HtmlPage = {
  readonly html: string;
  /** The language of the html element as written ("en-US"). */
  readonly lang: string | null;
  readonly title: string | null;
  /** `href` of the canonical link as written; may be relative. */
  readonly canonical: string | null;
  readonly base: string | null;
  readonly metas: readonly MetaTag[];
  /** The text of each JSON-LD script as written. */
  readonly jsonLd: readonly string[];
  readonly scripts: readonly ScriptBlock[];
  /** The inline style sheets; their text is `html.slice(from, to)`. */
  readonly styles: readonly Stretch[];
  /** The texts of the `h1` elements. */
  readonly headings: readonly string[];
  /** Start index of each heading in `html`. */
  readonly headingStarts: readonly number[];
  /** Top-level microdata items, which are not a property of another item. */
  readonly items: readonly SchemaNode[];
  /** Whether the products among them are RDFa. */
  readonly isRdfa: boolean;
};

const META_LIMIT = 2000;
const META_LENGTH = 20_000;
/** Maximum total length of all meta tag contents, in characters; recorded pages have up to 3,147. */
const META_SOURCE = 400_000;
const SCRIPT_LIMIT = 2000;
const STYLE_LIMIT = 500;
/** Maximum number of JSON-LD blocks read from one page. */
const JSON_LD_LIMIT = 64;
const HEADING_LIMIT = 10;
const HEADING_SOURCE = 5000;

type Draft = {
  lang: string | null;
  title: string | null;
  canonical: string | null;
  base: string | null;
  readonly metas: MetaTag[];
  metaLength: number;
  readonly jsonLd: string[];
  readonly scripts: ScriptBlock[];
  readonly styles: Stretch[];
  readonly headings: string[];
  readonly headingStarts: number[];
};

/** RDFa is read only from the first product on: most RDFa on real pages is breadcrumbs. */
function typesProduct(tag: MarkupScanner): boolean {
  return tag.hasTypeof && (tag.attribute('typeof') ?? '').slice(0, 300).includes('Product');
}

/** The only microdata property that also counts outside an item: shops write it next to an amount of a script. */
const CURRENCY_PROPERTY = 'priceCurrency';

function currencyProperty(tag: MarkupScanner): string | null {
  return tag.attribute('itemprop') === CURRENCY_PROPERTY ? CURRENCY_PROPERTY : null;
}

function readMeta(tag: MarkupScanner, draft: Draft): void {
  const content = tag.attribute('content');
  if (content === null || draft.metas.length >= META_LIMIT) return;
  draft.metaLength += content.length;
  if (draft.metaLength > META_SOURCE) return;
  const key = tag.attribute('property') ?? tag.attribute('name') ?? currencyProperty(tag);
  if (key === null) return;
  draft.metas.push({
    key: key.trim().slice(0, 200).toLowerCase(),
    content: cleanText(content, META_LENGTH),
  });
}

function readLink(tag: MarkupScanner, draft: Draft): void {
  const rel = tag.attribute('rel');
  if (rel === null || rel.length > 100) return;
  if (!rel.toLowerCase().split(/\s+/).includes('canonical')) return;
  draft.canonical ??= cleanText(tag.attribute('href') ?? '', 4096) || null;
}

function readScript(tag: MarkupScanner, draft: Draft): void {
  const type = (tag.attribute('type') ?? '').slice(0, 100).trim().toLowerCase();
  if (/^(?:application|text)\/(?:ld\+json|json\+ld)/.test(type)) {
    if (draft.jsonLd.length < JSON_LD_LIMIT) {
      draft.jsonLd.push(tag.html.slice(tag.rawFrom, tag.rawTo));
    }
  } else if (tag.rawTo > tag.rawFrom && draft.scripts.length < SCRIPT_LIMIT) {
    const id = (tag.attribute('id') ?? '').slice(0, 200);
    draft.scripts.push({ id, type, from: tag.rawFrom, to: tag.rawTo });
  }
}

function readStyle(tag: MarkupScanner, draft: Draft): void {
  if (draft.styles.length < STYLE_LIMIT) draft.styles.push({ from: tag.rawFrom, to: tag.rawTo });
}

type Reader = (tag: MarkupScanner, draft: Draft) => void;

const READERS: Readonly<Record<string, Reader>> = {
  meta: readMeta,
  link: readLink,
  script: readScript,
  style: readStyle,
  html: (tag, draft) => {
    draft.lang ??= (tag.attribute('lang') ?? '').trim().slice(0, 40) || null;
  },
  base: (tag, draft) => {
    draft.base ??= cleanText(tag.attribute('href') ?? '', 2048) || null;
  },
  title: (tag, draft) => {
    // SVG images have titles too, but the page title comes first.
    draft.title ??= cleanText(tag.html.slice(tag.rawFrom, tag.rawTo), 2000) || null;
  },
};

/** The reader for an element, indexed by name number. Most elements have none. */
const READER_OF = Array.from({ length: NUMBERS }, (): Reader | null => null);
for (const [name, reader] of Object.entries(READERS)) READER_OF[numberOf(name)] = reader;

const HEADING = numberOf('h1');
const TEMPLATE = numberOf('template');

function keepHeading(draft: Draft, source: string, start: number): void {
  if (draft.headings.length >= HEADING_LIMIT) return;
  const text = plainTextOfHtml(source, 1000);
  if (text === '') return;
  draft.headings.push(text);
  draft.headingStarts.push(start);
}

/** Reads a page in one pass; in two if an item of it refers to elements elsewhere, which is rare. */
export function readHtml(html: string): HtmlPage {
  return readWith(html, null) ?? readWith(html, new ItemReferences(html))!;
}

/** Returns null at the first item with references, when they are not given. */
function readWith(html: string, references: ItemReferences | null): HtmlPage | null {
  const draft: Draft = {
    lang: null,
    title: null,
    canonical: null,
    base: null,
    metas: [],
    metaLength: 0,
    jsonLd: [],
    scripts: [],
    styles: [],
    headings: [],
    headingStarts: [],
  };
  // Created at the first item: earlier properties belong to no item, unless one refers to them.
  let collector = references === null ? null : new ItemCollector(html, references);
  const tag = new MarkupScanner(html);
  let headingFrom = -1;
  let headingStart = -1;
  let templatesEnd = true;
  let isRdfa = false;
  while (tag.next()) {
    if (tag.kind === 'close') {
      if (tag.number === HEADING && headingFrom >= 0) {
        const to = Math.min(tag.start, headingFrom + HEADING_SOURCE);
        keepHeading(draft, html.slice(headingFrom, to), headingStart);
        headingFrom = -1;
      }
      collector?.close(tag);
      continue;
    }
    if (tag.number === TEMPLATE && templatesEnd) {
      const end = templateEnd(tag);
      if (end < 0) templatesEnd = false;
      else tag.skipTo(end);
    }
    if (tag.number === HEADING) {
      headingFrom = tag.end;
      headingStart = tag.start;
    }
    READER_OF[tag.number]?.(tag, draft);
    if (tag.hasItem) {
      if (references === null && tag.attribute('itemref') !== null) return null;
      collector ??= new ItemCollector(html);
    }
    if (typesProduct(tag)) {
      collector ??= new ItemCollector(html);
      collector.followRdfa();
      isRdfa = true;
    }
    collector?.open(tag);
  }
  collector?.finish();
  const { metaLength: _, ...read } = draft;
  return {
    html,
    ...read,
    items: collector?.topItems() ?? [],
    isRdfa,
  };
}
