// Decides which variants and offers of a schema.org product the page's address names: by their numbers and options, then by
// the addresses that they state.

import { amountOf } from '../../../base/listing/money/minor-units.ts';
import type { PageContext } from '../facts.ts';
import { absoluteUrl, addressMatch } from '../page-address.ts';
import { askedIn, stepsIn } from '../variants/asked-address.ts';
import type { VariantIdentity } from '../variants/chosen-variant.ts';
import { namedVariants } from '../variants/named-variants.ts';
import type { NameableVariant, VariantOption } from '../variants/named-variants.ts';
import { isNode } from './node.ts';
import type { SchemaNode } from './node.ts';
import type { OfferedNode, SchemaOffer } from './offers.ts';
import { barcodeIn, firstOf, specsIn, textIn, titleIn } from './schema-values.ts';

/** Properties that are options of a variant. */
const OPTIONS = ['color', 'size', 'material', 'pattern', 'model'];
const NUMBERS = ['sku', 'productID', 'mpn'];
const SPEC_LIMIT = 20;

/** One offer of one part. */
type Entry = { readonly part: OfferedNode; readonly offer: SchemaOffer };

type Description = {
  readonly numbers: readonly string[];
  readonly options: readonly VariantOption[];
};

/** Returns the words with which all names begin, to the last space; a single name has none. */
function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let length = first.length;
  for (const name of others) {
    while (length > 0 && !name.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, first.lastIndexOf(' ', length) + 1);
}

/** Splits "Red / L" or "- Red, L" into its values. */
function labelsIn(text: string): readonly VariantOption[] {
  const pieces = text.split(/\s*[/|,;()–—]\s*|\s+-\s+|^\s*-\s*/);
  return [text, ...pieces].map((value) => ({ name: '', value: value.trim() }));
}

/** Returns the parameters of an address of this page that a node states for itself. */
function addressOptions(text: string | null, { url: page }: PageContext): readonly VariantOption[] {
  if (text === null || page === null || !/[?#]/.test(text)) return [];
  const url = URL.parse(text, page.href);
  if (url === null || addressMatch(url, page) === 0) return [];
  const { options, parts } = askedIn(url);
  const steps = url.hash === '' ? [] : stepsIn(parts);
  return [...options, ...steps].map((option) => ({ ...option, isInAddress: true }));
}

/** Returns the numbers and options of a node; `start` is the part of its name that its neighbours share. */
function described(node: SchemaNode, start: string, context: PageContext): Description {
  const named = OPTIONS.map((name) => ({ name, value: textIn(node, name, 200) ?? '' }));
  const name = nameOf(node);
  const own = [
    ...named,
    ...specsIn(node).slice(0, SPEC_LIMIT),
    ...labelsIn(name.slice(start.length)),
  ];
  const stated = ['url', '@id'].flatMap((each) =>
    addressOptions(textIn(node, each, 4096), context),
  );
  const numbers = [...NUMBERS.map((each) => textIn(node, each, 200)), barcodeIn(node)];
  return {
    numbers: numbers.filter((number) => number !== null),
    options: [...own.filter(({ value }) => value !== ''), ...stated],
  };
}

const nameOf = (node: SchemaNode): string => (titleIn(node, 'name') ?? '').slice(0, 300);

/** Returns the entries as the address may name them. Offers that share a part share its description. */
function nameable(
  entries: readonly Entry[],
  context: PageContext,
): readonly NameableVariant<Entry>[] {
  const parts = [...new Set(entries.map(({ part }) => part.node))];
  const start = commonStart(parts.map(nameOf));
  const known = new Map(parts.map((node) => [node, described(node, start, context)]));
  const offers = [...new Set(entries.map(({ offer }) => offer.node))];
  const offerStart = commonStart(offers.map(nameOf));
  return entries.map((entry) => {
    const { node, price } = entry.offer;
    const item = firstOf(node, 'itemOffered');
    const all = [
      known.get(entry.part.node),
      described(node, offerStart, context),
      isNode(item) ? described(item, '', context) : undefined,
    ].filter((each) => each !== undefined);
    return {
      item: entry,
      numbers: all.flatMap(({ numbers }) => numbers),
      options: all.flatMap(({ options }) => options),
      price: price === null ? null : `${amountOf(price.money)} ${price.money.currency ?? ''}`,
    };
  });
}

/** Returns the parts whose own address is that of the page; all of them when none or each of them states it. */
function partsAt(parts: readonly OfferedNode[], context: PageContext): readonly OfferedNode[] {
  const own = parts.filter(({ node, offers }) =>
    [absoluteUrl(textIn(node, 'url', 4096), context.url), ...offers.map(({ url }) => url)].some(
      (url) => addressMatch(url, context.url) === 2,
    ),
  );
  return own.length > 0 ? own : parts;
}

/** The parts of a product and their offers that the address selects. */
export type PartsAtAddress = {
  readonly parts: readonly OfferedNode[];
  readonly offers: readonly SchemaOffer[];
  /** Whether it names no single one of them, and their prices differ. */
  readonly isUnclear: boolean;
  /** Returns the facts that identify the variant of one of these offers. */
  readonly identityOf: (offer: SchemaOffer) => VariantIdentity;
};

/**
 * Returns the facts that identify the variants of offers. If there are several sellers, addresses and names do not
 * distinguish variants.
 */
function identitiesOf(
  entries: readonly Entry[],
  context: PageContext,
): PartsAtAddress['identityOf'] {
  if (entries.length < 2) return () => ({});
  const partOf = new Map(entries.map(({ offer, part }) => [offer, part.node]));
  const sellers = new Set(entries.map(({ offer }) => offer.sellerName).filter(Boolean));
  const isOfSellers = sellers.size > 1;
  return (offer: SchemaOffer): VariantIdentity => {
    const part = partOf.get(offer);
    if (part === undefined) return {};
    const item = firstOf(offer.node, 'itemOffered');
    const around = isNode(item) ? [item, part] : [part];
    const nodes = [offer.node, ...around];
    const first = (names: readonly string[]): string | null =>
      nodes.flatMap((node) => names.map((name) => textIn(node, name, 200))).find(Boolean) ?? null;
    const named = isOfSellers ? around : nodes;
    const words = named.flatMap((node) => ['name', ...OPTIONS].map((name) => textIn(node, name)));
    const url = offer.url ?? absoluteUrl(textIn(part, 'url', 4096), context.url);
    return {
      sku: first(['sku', 'productID']),
      gtin: nodes.map(barcodeIn).find(Boolean) ?? null,
      mpn: first(['mpn']),
      url: isOfSellers ? null : (url?.href ?? null),
      name: words.filter(Boolean).join(' / '),
    };
  };
}

/** Returns the parts and offers that the address names; all of them if it does not distinguish them. */
export function variantsAtAddress(
  parts: readonly OfferedNode[],
  context: PageContext,
): PartsAtAddress {
  const entries = parts.flatMap((part) => part.offers.map((offer) => ({ part, offer })));
  const identityOf = identitiesOf(entries, context);
  const all = { parts, offers: entries.map(({ offer }) => offer), isUnclear: false, identityOf };
  if (entries.length < 2) return all;
  const naming = namedVariants(nameable(entries, context), context.asked);
  if (naming.kind === 'unclear') return { ...all, isUnclear: true };
  const named = naming.kind === 'named' ? naming.items : entries;
  const left = partsAt(
    parts.filter((part) => named.some((entry) => entry.part === part)),
    context,
  );
  const offers = named.filter(({ part }) => left.includes(part)).map(({ offer }) => offer);
  return { parts: left, offers, isUnclear: false, identityOf };
}
