// Which questions each known retailer can answer in this installation, and why it cannot answer others. Each source is tried
// with every kind of question to see which it takes. Sends nothing.

import { RETAILERS, type KnownSlug } from '../../base/retailer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import type {
  RetailerQuestion,
  RetailerQuestionKind,
  Source,
} from '../../read/retailers/adapter.ts';
import { ADAPTERS } from '../../read/retailers/adapters.ts';
import { bookOf } from '../../read/retailers/addresses/address-books.ts';
import { settingOf } from '../../read/retailers/credentials.ts';

const QUESTION_KINDS = [
  'product',
  'barcode',
  'offers',
  'reviews',
  'seller',
  'restriction',
  'fulfillment_eligibility',
] as const satisfies readonly RetailerQuestionKind[];

/** Why this kind of question cannot be answered in this installation. */
type NoAnswerReason = 'first_party_retailer' | 'no_source' | 'settings_missing';

type Answerable = {
  /** This installation's sources that answer the question, in the order in which they are tried. */
  readonly sources: readonly string[];
  /** Null if a source answers it. */
  readonly reason: NoAnswerReason | null;
  /** With `settings_missing`: the missing settings of the first source that would answer. */
  readonly missing: readonly string[];
};

export type RetailerAnswers = Readonly<Record<(typeof QUESTION_KINDS)[number], Answerable>>;

/** `isUsed` returns whether this installation has the settings that a source needs. */
export function answersOf(slug: KnownSlug, isUsed: (source: Source) => boolean): RetailerAnswers {
  const of = (kind: RetailerQuestionKind) => answerable(slug, kind, isUsed);
  return {
    product: of('product'),
    barcode: of('barcode'),
    offers: of('offers'),
    reviews: of('reviews'),
    seller: of('seller'),
    restriction: of('restriction'),
    fulfillment_eligibility: of('fulfillment_eligibility'),
  };
}

/** Questions that only marketplaces answer: about other sellers and their permissions. */
const OF_SELLERS: ReadonlySet<RetailerQuestionKind> = new Set([
  'offers',
  'seller',
  'restriction',
  'fulfillment_eligibility',
]);

function answerable(
  slug: KnownSlug,
  kind: RetailerQuestionKind,
  isUsed: (source: Source) => boolean,
): Answerable {
  const able = ADAPTERS[slug].sources.filter((source) => takes(slug, source, kind));
  const used = able.filter(isUsed);
  if (used.length > 0) {
    return { sources: used.map(({ name }) => name), reason: null, missing: [] };
  }
  if (!RETAILERS[slug].marketplace && OF_SELLERS.has(kind)) {
    return { sources: [], reason: 'first_party_retailer', missing: [] };
  }
  const [first] = able;
  if (first === undefined) return { sources: [], reason: 'no_source', missing: [] };
  const missing = first.needs.map((name) => settingOf(slug, name));
  return { sources: [], reason: 'settings_missing', missing };
}

/**
 * Checks whether the source takes this kind: by its declaration, else by whether it builds a request for such a question.
 */
function takes(slug: KnownSlug, source: Source, kind: RetailerQuestionKind): boolean {
  if (source.takes !== undefined) return source.takes.includes(kind);
  const access = {
    credentials: Object.fromEntries(source.needs.map((name) => [name, SAMPLE_SETTING])),
    token: 'any',
    nowMs: 0,
    newId: () => 'any',
  };
  return questionsOf(slug, kind).some((question) => source.request(question, access) !== null);
}

/** Any text will do: which questions a source takes does not depend on a setting's value. */
const SAMPLE_SETTING = '1';
const SAMPLE_GTIN = '00614141000012' as Gtin14;

/** One identifier of every form that retailers have. None needs to exist. */
const SAMPLES: readonly Identifier[] = [
  { kind: 'asin', value: 'B000000001', retailer: 'retailer_a' },
  { kind: 'item_id', value: '123456789', retailer: 'retailer_w' },
  { kind: 'retailer_b_sku', value: '1234567', retailer: 'retailer_b' },
  { kind: 'retailer_b_product_id', value: 'J3ABCDEFGH', retailer: 'retailer_b' },
];

function questionsOf(slug: KnownSlug, kind: RetailerQuestionKind): readonly RetailerQuestion[] {
  if (kind === 'barcode') return [{ kind, gtin: SAMPLE_GTIN }];
  if (kind === 'seller') return [{ kind, catalogSellerId: '101000000' }];
  const own = SAMPLES.filter((each) => 'retailer' in each && each.retailer === slug);
  const items = ['123456789', '123456789012'].map((value): Identifier => ({
    kind: 'retailer_item',
    value,
    retailer: slug,
  }));
  const identifiers = [...own, ...items].filter((each) => bookOf(slug).productUrl(each) !== null);
  return identifiers.map((identifier) =>
    kind === 'reviews' ? { kind, identifier, page: 1 } : { kind, identifier },
  );
}
