// Open Food Facts and its sisters for beauty, pet food and other products: their API (version 2) and their dumps. Each
// product is in one of them, and the others redirect to it.

import {
  BARCODE_DATABASES,
  type BarcodeDatabase,
  type IdentityFacts,
} from '../../base/identity-facts.ts';
import { productCode, toGtin14, type Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Page, PageRequest } from '../../base/listing/page.ts';
import { at, numberAt, textAt } from '../page-data/json/json-path.ts';
import { lineAt } from '../page-data/json/json-values.ts';
import { titlePackCount } from '../titles/pack-count.ts';
import {
  addressBelow,
  jsonOf,
  nameAt,
  namesAt,
  specsOf,
  type DatabaseAnswer,
} from './database-answer.ts';

/** By the product types of the API. */
const FAMILY = {
  food: 'open_food_facts',
  beauty: 'open_beauty_facts',
  petfood: 'open_pet_food_facts',
  product: 'open_products_facts',
} as const;
type Member = (typeof FAMILY)[keyof typeof FAMILY];

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
const FIELDS = [
  'code',
  'product_name',
  ...LANGUAGES.map((language) => `product_name_${language}`),
  'generic_name',
  'brands',
  'quantity',
  'product_quantity',
  'product_quantity_unit',
  'categories_tags',
  'image_front_url',
  'product_type',
].join();

/** Returns the request for a barcode at a database of the family. */
export function openFactsRequest(gtin: Gtin14, source: BarcodeDatabase): PageRequest {
  const { host } = BARCODE_DATABASES[source];
  const url = `https://${host}/api/v2/product/${codeOf(gtin)}.json?product_type=all&fields=${FIELDS}`;
  return { url, accept: 'json', isOfficial: true };
}

/** Thirteen digits with leading zeros; eight for a GTIN-8. */
function codeOf(gtin: Gtin14): string {
  return gtin.startsWith('000000') ? gtin.slice(6) : gtin.slice(1);
}

export function readOpenFacts(page: Page, gtin: Gtin14): DatabaseAnswer {
  if (page.status >= 300 && page.status < 400) return redirected(page);
  if (page.status !== 200 && page.status !== 404) return { kind: 'failed' };
  const body = jsonOf(page);
  const status = numberAt(body, 'status');
  if (status === 0) return { kind: 'unknown' };
  const product = at(body, 'product');
  if (page.status === 404 || status !== 1 || gtinOf(product) !== gtin) return { kind: 'failed' };
  const member = memberAt(URL.parse(page.url)?.hostname ?? '') ?? 'open_food_facts';
  const facts = factsOf(product, gtin, member);
  return facts === null ? { kind: 'unknown' } : { kind: 'known', facts };
}

/** Only the host of the address is used, and only if it belongs to the family. */
function redirected({ headers, url }: Page): DatabaseAnswer {
  const to = URL.parse(headers['location'] ?? '', url);
  const member = memberAt(to?.hostname ?? '');
  return member === null || to?.hostname === URL.parse(url)?.hostname
    ? { kind: 'failed' }
    : { kind: 'elsewhere', source: member };
}

/** Returns the database at a host, regardless of a country and language in front of its name. */
function memberAt(host: string): Member | null {
  const domain = host.replace(/^[^.]*\./, 'world.');
  return Object.values(FAMILY).find((each) => BARCODE_DATABASES[each].host === domain) ?? null;
}

function gtinOf(product: unknown): string | null {
  const code = textAt(product, 'code');
  return code !== null && /^\d{8,14}$/.test(code) ? code.padStart(14, '0') : null;
}

/** Reads a row of a dump by its field names, which are the same in JSON and CSV; null if it has no barcode or no name. */
export function readDumpRow(
  row: unknown,
): { readonly gtin: Gtin14; readonly facts: IdentityFacts } | null {
  const gtin = toGtin14(gtinOf(row) ?? '');
  if (gtin === null || !productCode(gtin).usable) return null;
  const type = textAt(row, 'product_type') ?? '';
  const member = Object.hasOwn(FAMILY, type) ? FAMILY[type as keyof typeof FAMILY] : null;
  const host = URL.parse(textAt(row, 'url') ?? '')?.hostname ?? '';
  const facts = factsOf(row, gtin, member ?? memberAt(host) ?? 'open_food_facts');
  return facts === null ? null : { gtin, facts };
}

function factsOf(product: unknown, gtin: Gtin14, source: Member): IdentityFacts | null {
  const title = titleOf(product);
  if (title === null) return null;
  const { host } = BARCODE_DATABASES[source];
  const quantity = quantityOf(product);
  const image = textAt(product, 'image_front_url') ?? textAt(product, 'image_url');
  return {
    source,
    url: `https://${host}/product/${codeOf(gtin)}`,
    title,
    brand: nameAt(textAt(product, 'brands')?.split(',')[0], ''),
    imageUrl: addressOfFamily(image),
    categories: categoriesOf(product),
    specs: specsOf([['Quantity', quantity]]),
    packCount: titlePackCount(quantity ?? '') ?? titlePackCount(title),
  };
}

/** The name in the product's own language, else in English, else in the first language that has one. */
function titleOf(product: unknown): string | null {
  if (typeof product !== 'object' || product === null) return null;
  const others = Object.keys(product).filter((key) => /^product_name_[a-z]{2,3}$/.test(key));
  const fields = ['product_name', 'product_name_en', ...others.toSorted(), 'generic_name'];
  for (const field of fields) {
    const name = nameAt(product, field);
    if (name !== null) return name;
  }
  return null;
}

function quantityOf(product: unknown): string | null {
  const stated = nameAt(product, 'quantity');
  if (stated !== null) return stated;
  const [amount, unit] = [
    numberAt(product, 'product_quantity'),
    lineAt(product, 'product_quantity_unit'),
  ];
  return amount === null || amount <= 0 || unit === null ? null : `${amount} ${unit}`;
}

/** Tags are `en:plant-milks`, widest first; a CSV joins them with commas. */
function categoriesOf(product: unknown): readonly string[] {
  const joined = at(product, 'categories_tags');
  const tags = namesAt(typeof joined === 'string' ? joined.split(',') : joined, '');
  return tags
    .map((tag) =>
      tag
        .replace(/^[a-z]{2,3}:/, '')
        .replaceAll('-', ' ')
        .trim(),
    )
    .filter(Boolean);
}

function addressOfFamily(text: string | null): string | null {
  const domains = Object.values(FAMILY).map((each) => BARCODE_DATABASES[each].host.slice(6));
  const found = domains.map((domain) => addressBelow(domain, text));
  return found.find((each) => each !== null) ?? null;
}
