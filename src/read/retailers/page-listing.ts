// Makes a listing of the facts of a page. Adds the page's own name and address, and the picture and the path of categories that
// the page shows when its data states none.

import type { Facts } from '../page-data/facts.ts';
import { EMPTY_LISTING } from '../../base/listing/listing.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { isLoadCapacity } from '../../base/listing/measures/load-capacity.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import { bareName } from '../page-data/page-names.ts';
import { withoutShop } from '../page-data/page-signs.ts';
import { breadcrumbsIn } from '../page-data/schema-org/breadcrumbs.ts';
import { URL_LENGTH } from '../page-data/schema-org/schema-values.ts';
import { visiblePicture } from '../page-data/visible/visible-picture.ts';
import { visibleTrail } from '../page-data/visible/visible-trail.ts';
import type { ParsedPage } from './parsed-page.ts';

/**
 * The name without the shop's name after it, when a heading of the page shows it that way. A heading may begin with the words of
 * a link or a button ("Log in to save"). Where the tagged title is the rest of the heading, the tagged title is the name.
 */
function ownTitle(parsed: ParsedPage, title: string | null): string | null {
  if (title === null) return null;
  const tagged = parsed.tags.facts.title;
  const isHeading = parsed.html.headings.includes(title);
  if (isHeading && tagged !== null && isRestOf(tagged, title)) return tagged;
  const short = withoutShop(title, parsed.signs);
  return parsed.html.headings.includes(short) ? short : title;
}

/** Whether `rest` is the end and the larger part of `whole`, and no title of the page contains the text before it. */
function isRestOf(rest: string, whole: string): boolean {
  const [bare, all] = [bareName(rest), bareName(whole)];
  return (
    bare.length >= 8 &&
    bare.length < all.length &&
    bare.length * 2 > all.length &&
    all.endsWith(bare)
  );
}

/** The canonical address when it is on the same host, else the address that answered. */
function ownUrl(parsed: ParsedPage): string | null {
  const { url, canonical } = parsed.context;
  const isSame = url !== null && canonical !== null && canonical.hostname === url.hostname;
  const chosen = isSame ? canonical : url;
  if (chosen === null) return null;
  const variant = url?.searchParams.get('variant') ?? null;
  const whole = new URL(chosen.href);
  if (variant !== null && isSame) whole.searchParams.set('variant', variant);
  return whole.href.length <= URL_LENGTH ? whole.href : null;
}

/** The weight; null when the description or the specifications name a load capacity that fits it. */
function ownWeight({ weightLbs, description, specs }: Facts): number | null {
  if (weightLbs === null) return null;
  const rows = specs.map(({ name, value }) => `${name}: ${value}`);
  return isLoadCapacity(weightLbs, [description ?? '', ...rows]) ? null : weightLbs;
}

/** The picture that the page shows, for a page whose data states none. */
function shownPicture({ html }: ParsedPage, title: string | null): string | null {
  const at = html.headingStarts[0] ?? 0;
  return title === null ? null : visiblePicture(html, title, at);
}

/** The listing of a page with these facts. What the page shows counts with `isSeen` only. */
export function listingOf(parsed: ParsedPage, facts: Facts, isSeen: boolean): Listing {
  const { html, context, jsonLd, microdata } = parsed;
  const base = absoluteUrl(html.base, context.url) ?? context.url;
  const shown = isSeen && facts.imageUrl === null ? shownPicture(parsed, facts.title) : null;
  const image = absoluteUrl(facts.imageUrl ?? shown, base);
  const end = { title: facts.title, context };
  const crumbs = breadcrumbsIn(jsonLd, end);
  const trail = crumbs.length > 0 ? crumbs : breadcrumbsIn(microdata, end);
  const categories = trail.length > 0 ? trail : facts.categories;
  const { isPriceZero: _, ...rest } = facts;
  return {
    ...EMPTY_LISTING,
    ...rest,
    title: ownTitle(parsed, facts.title),
    url: ownUrl(parsed),
    imageUrl: image !== null && image.href.length <= URL_LENGTH ? image.href : null,
    categories: isSeen && categories.length === 0 ? visibleTrail(html, end) : categories,
    price: facts.price?.money ?? null,
    weightLbs: ownWeight(facts),
    // `unavailable` means that the listing is gone; in stock or out of stock means that it is not (D24).
    unavailable: facts.unavailable ?? (facts.inStock === null ? null : false),
  };
}
