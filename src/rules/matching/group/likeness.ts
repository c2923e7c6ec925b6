// Computes how likely the listings of a group are all one product, based on the pair that the model finds least similar.

/** The likeness below which a listing is reported (D80): such a low score means that one of them is another product. */
export const LEAST_ALIKE = 0.2;

/** Maps the lowest mean logit to the score; fitted on groups with and without a listing of another product. */
const SCORE_SLOPE = 1.4;
const SCORE_OFFSET = 2;

/** Returns 0 to 1 for two or more listings, from the log-odds of each pair. */
export function likenessAmong(
  logits: readonly ArrayLike<number>[],
  among: ReadonlySet<number>,
): number {
  const means = [...among].map((at) => meanWith(logits, among, at));
  return logistic(SCORE_SLOPE * Math.min(...means) + SCORE_OFFSET);
}

/** Returns the mean log-odds of a listing with the others of `among`. */
function meanWith(
  logits: readonly ArrayLike<number>[],
  among: ReadonlySet<number>,
  at: number,
): number {
  const row = logits[at] as ArrayLike<number>;
  let sum = 0;
  for (const to of among) sum += row[to] as number;
  return sum / (among.size - 1);
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
