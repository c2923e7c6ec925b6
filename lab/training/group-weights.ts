// Fits the weights of the evidence against one listing of a group (`src/rules/matching/group/outlier.ts`): logistic regression by
// Newton's method. The same rows give the same weights.

export type EvidenceRow = {
  readonly evidence: readonly number[];
  readonly isWrong: boolean;
  readonly weight: number;
};

const ROUNDS = 40;
/** Keeps the weights of nearly identical evidence small. */
const PENALTY = 0.01;

/** Returns the weights in the order of the evidence, rounded to hundredths. */
export function groupWeights(rows: readonly EvidenceRow[]): readonly number[] {
  const size = rows[0]?.evidence.length ?? 0;
  let weights = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = stepOf(rows, weights);
    weights = weights.map((value, at) => value + (step[at] as number));
  }
  return weights.map((value) => Math.round(value * 100) / 100);
}

function stepOf(rows: readonly EvidenceRow[], weights: readonly number[]): readonly number[] {
  const gradient = weights.map((value) => -PENALTY * value);
  const curvature = weights.map((_, at) =>
    weights.map((__, other) => (at === other ? PENALTY : 0)),
  );
  for (const { evidence, isWrong, weight } of rows) {
    const logit = evidence.reduce((sum, value, at) => sum + value * (weights[at] as number), 0);
    const chance = 1 / (1 + Math.exp(-logit));
    const error = ((isWrong ? 1 : 0) - chance) * weight;
    const curve = chance * (1 - chance) * weight;
    for (const [at, value] of evidence.entries()) {
      gradient[at] = (gradient[at] as number) + error * value;
      const row = curvature[at] as number[];
      for (const [other, factor] of evidence.entries()) {
        row[other] = (row[other] as number) + curve * value * factor;
      }
    }
  }
  return solved(curvature, gradient);
}

/** Solves the equations by elimination; the matrix of a penalized regression always has a solution. */
function solved(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] as number]);
  for (const [at, pivot] of rows.entries()) {
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] as number) / (pivot[at] as number);
      for (let column = at; column < row.length; column += 1) {
        row[column] = (row[column] as number) - factor * (pivot[column] as number);
      }
    }
  }
  return rows.map((row, at) => (row.at(-1) as number) / (row[at] as number));
}
