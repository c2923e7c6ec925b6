// Terms of sources (D81), to which the operator agreed by taking a key, a token or a feed, as data. docs/run/terms.md
// quotes where each default is from. Pages, store APIs and UCP have no profile: robots.txt and its signals bind them.

export type Terms = {
  /** Hours for which price, stock and everything else about the sale may be given; null for no limit. */
  readonly priceHours: number | null;
  /** Hours for which the other facts may be given. */
  readonly identityHours: number | null;
  /** Whether a price history may be made of it. */
  readonly history: boolean;
  /** Whether watches may be judged by it. */
  readonly alerts: boolean;
  /** `isolated`: shown separately; it contributes nothing to results from several sources. */
  readonly merge: 'yes' | 'isolated';
  readonly pictures: 'store' | 'link' | 'none';
  /** Whether its history may be in the files of `openshelf export`. */
  readonly export: boolean;
  /** `operator`: given only to keys with the scope `admin`. */
  readonly audience: 'everyone' | 'operator';
  /** A sentence that is shown with it. */
  readonly notice: string | null;
};

/** The longest that data of the Selling Partner API may be kept. */
const EIGHTEEN_MONTHS_HOURS = 548 * 24;

/** Prices for a day and nothing that is made of them: what a program has to agree to as long as nobody has read more. */
const DAY_ONLY: Terms = {
  priceHours: 24,
  identityHours: null,
  history: false,
  alerts: false,
  merge: 'yes',
  pictures: 'link',
  export: false,
  audience: 'everyone',
  notice: null,
};

/** The account belongs to the operator's own business, whose own offers may be tracked. */
const OWN_SELLING: Terms = { ...DAY_ONLY, history: true, alerts: true, export: true };

const PRODUCTS: Terms = { ...DAY_ONLY, priceHours: 72, identityHours: 72 };

const DEFAULTS: Readonly<Record<string, Terms>> = {
  'retailer_a.creators': {
    ...DAY_ONLY,
    identityHours: 24,
    notice: 'Prices are as of the time shown with them and may have changed since.',
  },
  'retailer_a.selling_partner': { ...OWN_SELLING, identityHours: EIGHTEEN_MONTHS_HOURS },
  'retailer_b.products': PRODUCTS,
  'retailer_b.open_box': PRODUCTS,
  'retailer_e.browse': {
    ...DAY_ONLY,
    priceHours: 6,
    identityHours: 24,
    merge: 'isolated',
    export: true,
  },
  'retailer_w.affiliate': DAY_ONLY,
  'retailer_w.marketplace': OWN_SELLING,
};

const PICTURES: readonly Terms['pictures'][] = ['store', 'link', 'none'];

/** Checks whether whatever one source's terms allow, another's allow too: facts of both may then be kept under the first. */
export function isAsStrict(one: Terms | null, other: Terms | null): boolean {
  if (other === null) return true;
  if (one === null) return false;
  const isWithin = (hours: number | null, limit: number | null): boolean =>
    limit === null || (hours !== null && hours <= limit);
  return (
    isWithin(one.priceHours, other.priceHours) &&
    isWithin(one.identityHours, other.identityHours) &&
    (['history', 'alerts', 'export'] as const).every((use) => other[use] || !one[use]) &&
    (one.merge === 'isolated' || other.merge === 'yes') &&
    PICTURES.indexOf(one.pictures) >= PICTURES.indexOf(other.pictures) &&
    (one.audience === 'operator' || other.audience === 'everyone') &&
    (other.notice === null || one.notice === other.notice)
  );
}

const FEED = /^feed\.[a-z0-9_-]{1,40}$/;

/** The sources whose terms are known, without feeds, which the operator names. */
export const TERMS_SOURCES: readonly string[] = Object.keys(DEFAULTS);

/** The permitted uses of a source unless the operator says otherwise; null if it has no terms of its own. */
function defaultTerms(source: string): Terms | null {
  return DEFAULTS[source] ?? (FEED.test(source) ? { ...DAY_ONLY, identityHours: 24 } : null);
}

/** Checks whether a source has terms: its facts are stored in rows of their own, because they may be withheld one day. */
export function isTermsSource(source: string): boolean {
  return defaultTerms(source) !== null;
}

const WITH_TERMS = new Set(TERMS_SOURCES.map((source) => source.slice(0, source.indexOf('.'))));

/** Whether some source of a retailer has terms. */
export function haveTerms(slug: string): boolean {
  return WITH_TERMS.has(slug);
}

/** The terms in force here, by the name of the source; null for one without. */
export type TermsInForce = ((source: string) => Terms | null) & {
  /** Whether the operator changed the terms of a source; absent means never. */
  readonly isChanged?: (source: string) => boolean;
};

/** Nothing is withheld: in the simulated market, in tests, and wherever facts are only stored. */
export const NO_TERMS: TermsInForce = () => null;

/** The operator's changes of single fields, by source. */
export type TermsOverrides = ReadonlyMap<string, Partial<Terms>>;

/** The terms of every source as the operator has them. */
export function termsWith(overrides: TermsOverrides): TermsInForce {
  const made = new Map<string, Terms | null>();
  const inForce = (source: string): Terms | null => {
    const known = made.get(source);
    if (known !== undefined) return known;
    const usual = defaultTerms(source);
    const terms = usual === null ? null : { ...usual, ...overrides.get(source) };
    made.set(source, terms);
    return terms;
  };
  return Object.assign(inForce, { isChanged: (source: string) => overrides.has(source) });
}
