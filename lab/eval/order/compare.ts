// Defines what may differ between two answers to one lookup: answers are normalized, then compared field by field over the
// orders in which the same lookups were made.

import { isKnownSlug } from '../../../src/base/retailer.ts';

export type LookupAnswer = { readonly status: number; readonly body: unknown };

/** Field of an answer, such as `stats.windows.30d.low` → its value as JSON text. */
export type ComparableAnswer = ReadonlyMap<string, string>;

/** One order's answers by lookup. */
export type OrderAnswers = {
  readonly order: number;
  readonly answers: ReadonlyMap<string, ComparableAnswer>;
};

/** A field in which at least one lookup got two different answers. */
export type FieldDifference = {
  /** With `[]` for any retailer, and for any position in a list. */
  readonly field: string;
  /** Lookups whose answers differ in this field. */
  readonly lookups: number;
  readonly example: {
    readonly lookup: string;
    readonly field: string;
    /** Each value, with the orders that had it. */
    readonly values: readonly { readonly value: string; readonly orders: readonly number[] }[];
  };
};

/** Costs, ids of the call, and counts of price observations: they depend on the calls made so far. */
const OF_THE_CALL = new Set([
  'tokens_consumed',
  'tokens_remaining',
  'request_id',
  'observation_count',
  'excluded_count',
]);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const ABSENT = '(absent)';

/**
 * Normalizes an answer for comparison. A problem is its status and code. `domains`: slug → domain of the shops that the
 * store has met, because which of two domains with one label gets the plain slug depends on which came first.
 */
export function comparable(
  { status, body }: LookupAnswer,
  domains: ReadonlyMap<string, string>,
): ComparableAnswer {
  const fields = new Map<string, string>([['status', String(status)]]);
  if (status === 200) flatten(body, '', { fields, domains });
  else fields.set('code', JSON.stringify((body as { code?: unknown } | null)?.code ?? null));
  return fields;
}

type Flattening = {
  readonly fields: Map<string, string>;
  readonly domains: ReadonlyMap<string, string>;
};

function flatten(value: unknown, path: string, into: Flattening): void {
  const { fields, domains } = into;
  if (Array.isArray(value)) flattenList(value, path, into);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      if (OF_THE_CALL.has(name)) continue;
      const below = path === '' ? name : `${path}.${name}`;
      if (path !== CELLS) flatten(each, below, into);
      else flattenPart(each, `${path}[${shownName(name, domains)}]`, into);
    }
  } else {
    fields.set(path, JSON.stringify(typeof value === 'string' ? shownText(value, domains) : value));
  }
}

/** Retailers' parts are compared retailer by retailer; their order is a separate field. */
function flattenList(list: readonly unknown[], path: string, into: Flattening): void {
  const names = list.map((each, at) => {
    const { retailer } = (each ?? {}) as { readonly retailer?: unknown };
    return typeof retailer === 'string' ? shownName(retailer, into.domains) : String(at);
  });
  into.fields.set(`${path}.order`, JSON.stringify(names.join(', ')));
  for (const [at, each] of list.entries()) {
    const before = names.slice(0, at).filter((name) => name === names[at]).length;
    const name = before === 0 ? names[at] : `${names[at]} ${before + 1}`;
    flattenPart(each, `${path}[${name}]`, into);
  }
}

/** Flattens one retailer's part of an answer, which may be absent. */
function flattenPart(value: unknown, path: string, into: Flattening): void {
  if (typeof value === 'object' && value !== null) into.fields.set(path, '(present)');
  flatten(value, path, into);
}

const CELLS = 'cross_retailer';

function shownName(slug: string, domains: ReadonlyMap<string, string>): string {
  const domain = domains.get(slug);
  return domain === undefined ? slug : `shop ${domain}`;
}

function shownText(text: string, domains: ReadonlyMap<string, string>): string {
  if (INSTANT.test(text)) return '<instant>';
  return shownName(text, domains);
}

/** Returns the fields of `answer` that `isWanted` accepts. */
export function fieldsWhere(
  answer: ComparableAnswer,
  isWanted: (field: string) => boolean,
): ComparableAnswer {
  return new Map([...answer].filter(([field]) => isWanted(field)));
}

/**
 * Returns the fields that differ between the orders, those with the most lookups first. Lookups that only one order has are
 * skipped.
 */
export function differencesBetween(orders: readonly OrderAnswers[]): readonly FieldDifference[] {
  const lookups = new Set(orders.flatMap(({ answers }) => [...answers.keys()]));
  const groups = new Map<string, FieldDifference>();
  for (const lookup of lookups) {
    const given = orders.flatMap(({ order, answers }) => {
      const answer = answers.get(lookup);
      return answer === undefined ? [] : [{ order, answer }];
    });
    const counted = new Set<string>();
    for (const field of differingFields(given.map(({ answer }) => answer))) {
      const name = field.replaceAll(/\[[^\]]*\]/g, '[]');
      const before = groups.get(name);
      if (before === undefined) {
        groups.set(name, { field: name, lookups: 1, example: exampleOf(lookup, field, given) });
      } else if (!counted.has(name)) {
        groups.set(name, { ...before, lookups: before.lookups + 1 });
      }
      counted.add(name);
    }
  }
  return [...groups.values()].toSorted((a, b) => b.lookups - a.lookups);
}

/**
 * Returns the differing fields without those that follow from another: with another status everything follows, with another
 * listing all its facts.
 */
export function differingFields(answers: readonly ComparableAnswer[]): readonly string[] {
  const all = new Set(answers.flatMap((answer) => [...answer.keys()]));
  const differing = new Set(
    [...all].filter(
      (field) => new Set(answers.map((answer) => answer.get(field) ?? ABSENT)).size > 1,
    ),
  );
  if (differing.has('status')) return ['status'];
  return [...differing].filter((field) => {
    const part = /^.*?\[[^\]]+\]/.exec(field)?.[0];
    if (part === undefined || part === field) return true;
    if (differing.has(part)) return false;
    const leading = LEADING.map((name) => `${part}.${name}`);
    return leading.includes(field) || !leading.some((name) => differing.has(name));
  });
}

/** Fields of a retailer's part that determine its others. */
const LEADING = ['status', 'url', 'identity.state', 'identity_state', 'found_via'];

function exampleOf(
  lookup: string,
  field: string,
  given: readonly { readonly order: number; readonly answer: ComparableAnswer }[],
): FieldDifference['example'] {
  const byValue = Map.groupBy(given, ({ answer }) => answer.get(field) ?? ABSENT);
  const values = [...byValue].map(([value, all]) => ({
    value: value.length > 120 ? `${value.slice(0, 117)}...` : value,
    orders: all.map(({ order }) => order),
  }));
  return { lookup, field, values };
}

/** The anchor, everything that D27 takes from it, title and brand. */
const OF_ANCHOR: ReadonlySet<string> = new Set([
  'status',
  'code',
  'title',
  'brand',
  'current_price',
  'buybox_price',
  'secondary_offer_price',
  'msrp',
  'offers_count',
  'total_offers',
  'delivery_date',
  'fulfillment',
  'seller_name',
  'seller_id',
  'seller_type',
  'seller_rating',
  'average_rating',
  'review_count',
  'condition',
  'sold_tag',
  'estimated_sales',
  'is_best_seller',
  'referral_fee_usd',
  'fulfillment_fee_usd',
  'price_history',
  'stats',
  '_meta.price_source',
  '_meta.title_source',
  '_meta.brand_source',
  '_meta.native_price',
]);

/** Returns whether a field of a barcode's first answer must be the same whenever the same retailers had answered. */
export function isOfAnchor(field: string): boolean {
  const [first = '', second = ''] = field.split(/[.[]/);
  return OF_ANCHOR.has(first) || OF_ANCHOR.has(`${first}.${second}`);
}

/** Returns the slug of the shop that anchors a record although none of the seven does; null if one of the seven does. */
export function strangerAnchorOf({ status, body }: LookupAnswer): string | null {
  if (status !== 200) return null;
  const { _meta } = body as { readonly _meta: { readonly price_source: string | null } };
  const source = _meta.price_source;
  return source === null || isKnownSlug(source) ? null : source;
}

type Cell = {
  readonly status: string;
  readonly url: string | null;
  readonly _source?: string | null;
  readonly identity: { readonly state: string } | null;
};

function cellsOfTheSeven({ status, body }: LookupAnswer): readonly (readonly [string, Cell])[] {
  if (status !== 200) return [];
  const { cross_retailer: cells = {} } = body as { cross_retailer?: Record<string, Cell> };
  return Object.entries(cells).filter(([slug]) => isKnownSlug(slug));
}

/** Returns the known retailers that had answered, by their cells; null if the answer is not a record and has no cells. */
export function answeredRetailers(answer: LookupAnswer): readonly string[] | null {
  if (answer.status !== 200) return null;
  return cellsOfTheSeven(answer)
    .filter(([, cell]) => ['ok', 'stale', 'not_found'].includes(cell.status))
    .map(([slug]) => slug)
    .toSorted();
}

/** Returns whether one of the seven that were asked answered with a listing of the barcode (D80). */
export function isTiedByAnswer(answer: LookupAnswer): boolean {
  return cellsOfTheSeven(answer).some(
    ([, { url, _source: source = null }]) => url !== null && source !== null,
  );
}

/** Returns whether one of the seven has a listing of the barcode. */
export function isTiedAtTheSeven(answer: LookupAnswer): boolean {
  return cellsOfTheSeven(answer).some(
    ([, { url, identity }]) => url !== null && identity !== null && identity.state !== 'mismatch',
  );
}
