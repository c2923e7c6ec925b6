// A page split into text, tags, structured data, scripts, and the facts about itself. Parsed once for the generic reader
// and those of known retailers.

import type { Page } from '../../../base/listing/page.ts';
import { decimalMarkOfLanguage } from '../../../base/listing/money/number-rules.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { OFFERS_OF_PAGE, type PageContext } from '../../page-data/facts.ts';
import { EMPTY_GRAPH, graphOf } from '../../page-data/schema-org/graph.ts';
import type { Graph } from '../../page-data/schema-org/graph.ts';
import { readHtml } from '../../page-data/html/html.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { readJsonLd } from '../../page-data/schema-org/json-ld.ts';
import { readOpenGraph } from '../../page-data/open-graph.ts';
import type { OpenGraph } from '../../page-data/open-graph.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import {
  addressCurrency,
  namedCurrency,
  pageCountry,
  pageCurrency,
} from '../../page-data/page-currency.ts';
import { signsOf } from '../../page-data/page-signs.ts';
import type { PageSigns } from '../../page-data/page-signs.ts';
import { readStoreScript } from '../../page-data/hosted-store/store-script.ts';
import type { StoreScript } from '../../page-data/hosted-store/store-script.ts';
import { askedIn, NOTHING_ASKED } from '../../page-data/variants/asked-address.ts';
import type { AskedAddress } from '../../page-data/variants/asked-address.ts';

/** The parts of a page, parsed once for this reader and those of known retailers. */
export type ParsedPage = {
  readonly page: Page;
  readonly charset: string;
  readonly html: HtmlPage;
  readonly context: PageContext;
  readonly jsonLd: Graph;
  readonly microdata: Graph;
  readonly tags: OpenGraph;
  readonly store: StoreScript | null;
  readonly signs: PageSigns;
};

/** Returns the language and region in the tags of a page: "de_AT". */
function regionTag({ metas }: HtmlPage): string | null {
  return metas.find((meta) => meta.key === 'og:locale')?.content ?? null;
}

/** Whether a bare `$` is the US dollar: the page's language, its tags or the country of the host indicate the US (D26). */
function isUsPage(html: HtmlPage, url: URL | null): boolean {
  const says = [html.lang ?? '', regionTag(html) ?? ''].some((text) =>
    /^[a-z]{2}[-_]us\b/i.test(text),
  );
  return says || (url?.hostname.endsWith('.us') ?? false);
}

function askedOf({ url, requestedUrl, chosenBefore }: Page): AskedAddress {
  const answered = URL.parse(url);
  if (answered === null) return NOTHING_ASKED;
  return askedIn(answered, URL.parse(requestedUrl), chosenBefore);
}

/** Parses a page. Never throws: any bytes produce a result. */
export function parsePage(page: Page, words: UnknownWords): ParsedPage {
  const { text, charset } = decodeBody(page.body, page.headers['content-type']);
  const isJson = /^[\s\ufeff]*[{[]/.test(text.slice(0, 200));
  const html = readHtml(isJson ? '' : text);
  const url = absoluteUrl(page.url, null);
  const base = absoluteUrl(html.base, url) ?? url;
  const canonical = absoluteUrl(html.canonical, base) ?? url;
  const left = { offers: OFFERS_OF_PAGE };
  const before = {
    url,
    canonical,
    asked: askedOf(page),
    dollarIsUs: isUsPage(html, url),
    currency: pageCurrency(null, html.lang, url),
    named: null,
    decimalMark: decimalMarkOfLanguage(html.lang),
    askedCurrency: addressCurrency(url),
    country: pageCountry(html.lang, regionTag(html), url),
    shown: null,
    words,
    left,
    nowMs: page.fetchedAtMs,
  };
  const tags = readOpenGraph(html.metas, before);
  const context = {
    ...before,
    currency: pageCurrency(tags.currency, html.lang, url),
    named: namedCurrency(tags, before.askedCurrency),
  };
  const blocks = isJson ? [text] : html.jsonLd;
  const jsonLd = blocks.length === 0 ? EMPTY_GRAPH : readJsonLd(blocks, { base, lang: html.lang });
  return {
    page,
    charset,
    html,
    context,
    jsonLd,
    microdata: html.items.length === 0 ? EMPTY_GRAPH : graphOf(html.items, { base }),
    tags,
    store: readStoreScript(html),
    signs: signsOf({ html, tags, jsonLd, url }),
  };
}
