// Decides whether an answer of one of many processes is correct: it must equal the answer of a single process for the same
// market.

export type Body = Readonly<Record<string, unknown>>;

/** Fields of a call rather than of a product: its price, its time, how often it was read, how it was last found. */
const OF_THE_CALL =
  /^(?:tokens_(?:consumed|remaining)|.*_at|request_id|observation_count|observations|_freshness|found_via|last_.*)$/;

/**
 * Removes the fields of the call itself, and duplicates in every list: prices are observed with every fetch, so the same
 * price may be there once or several times.
 */
export function timeless(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => JSON.stringify(timeless(each)));
    return [...new Set(all)].sort().map((each) => JSON.parse(each) as unknown);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !OF_THE_CALL.test(name))
    .map(([name, each]) => [name, timeless(each)] as const);
  return Object.fromEntries(entries);
}

/** Returns the names of the fields in which two answers differ. */
export function differing(a: Body, b: Body): readonly string[] {
  const [left, right] = [timeless(a) as Body, timeless(b) as Body];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.filter((name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]));
}
