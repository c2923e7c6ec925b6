// Compares a stored listing with the truth of the simulated market: which facts differ.

export type Truth = {
  readonly retailer: string;
  readonly url: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The facts stated by each answer (`page`, `api:<name>`). */
  readonly exposes: Readonly<Record<string, readonly string[]>>;
  readonly true_gtin: string;
  readonly has_wrong_barcode: boolean;
  readonly trouble: string | null;
};

export type Difference = {
  readonly retailer: string;
  readonly way: string;
  readonly url: string;
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
};

const WEIGHTS = new Set(['weight_lbs', 'weight_assembled_lbs', 'weight_package_lbs']);

function isNear(field: string, expected: number, got: number): boolean {
  const tolerance = WEIGHTS.has(field) ? Math.max(0.01, expected * 0.01) : 0.005;
  return Math.abs(expected - got) <= tolerance + 1e-9;
}

/** Compares as the vocabulary does: numbers within their tolerance, objects and lists element by element. */
export function isSame(field: string, expected: unknown, got: unknown): boolean {
  if (typeof expected === 'number' && typeof got === 'number') {
    return isNear(field, expected, got);
  }
  if (
    typeof expected !== 'object' ||
    expected === null ||
    typeof got !== 'object' ||
    got === null
  ) {
    return expected === got;
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...names].every((name) =>
    isSame(
      field,
      (expected as Record<string, unknown>)[name] ?? null,
      (got as Record<string, unknown>)[name] ?? null,
    ),
  );
}

type Way = { readonly available?: unknown; readonly cost?: unknown } | null | undefined;

/** Returns the presented fact under the truth's name for it. */
function presentedFact(presented: Readonly<Record<string, unknown>>, field: string): unknown {
  const ways = presented['fulfillment'] as { shipping?: Way; pickup?: Way } | null;
  switch (field) {
    case 'image':
      return presented['image_url'] ?? null;
    case 'shipping_cost':
      return ways?.shipping?.cost ?? null;
    case 'can_ship':
      return ways?.shipping?.available ?? null;
    case 'can_pick_up':
      return ways?.pickup?.available ?? null;
    default:
      return presented[field] ?? null;
  }
}

type Spec = { readonly name: string; readonly value: string };

/** The truth lists some specifications and the description's core; a page may state more. */
function holds(field: string, expected: unknown, got: unknown): boolean {
  if (field === 'description') return typeof got === 'string' && got.includes(String(expected));
  if (field !== 'specs' || !Array.isArray(expected) || !Array.isArray(got)) {
    return isSame(field, expected, got);
  }
  const stated = new Set(got.map(({ name, value }: Spec) => `${name}: ${value}`));
  return expected.every((spec) => stated.has(String(spec)));
}

/** Returns facts that one of the answers in `sources` states and the listing has otherwise. */
export function differencesOf(
  truth: Truth,
  presented: Readonly<Record<string, unknown>>,
  way: string,
  sources: readonly string[],
): { readonly compared: number; readonly differences: readonly Difference[] } {
  const stated = new Set(sources.flatMap((name) => truth.exposes[name] ?? []));
  const differences: Difference[] = [];
  for (const field of stated) {
    const got = presentedFact(presented, field);
    const expected = truth.facts[field] ?? null;
    if (holds(field, expected, got)) continue;
    const { retailer, url } = truth;
    differences.push({ retailer, way, url, field, expected, got });
  }
  return { compared: stated.size, differences };
}
