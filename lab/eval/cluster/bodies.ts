// Decides whether an answer of one of many processes is right: it must equal what a single process answers about the same market.

export type Body = Readonly<Record<string, unknown>>;

/** Of a call and not of a product: its price, its moment, how often it was read, how it was found last. */
const OF_THE_CALL =
  /^(?:tokens_(?:consumed|remaining)|.*_at|request_id|observation_count|observations|_freshness|found_via|last_.*)$/;

/**
 * Without what is the call's own, and every list without repetitions: prices are observed with every fetch, so the
 * same price stands there once or often.
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

/** Names of fields in which two answers differ. */
export function differing(a: Body, b: Body): readonly string[] {
  const [left, right] = [timeless(a) as Body, timeless(b) as Body];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.filter((name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]));
}
