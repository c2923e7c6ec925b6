// Finds two products under one barcode, each with two or more listings. Next to its twin no listing is the outlier
// (`outlier.ts`), and the model's result for one pair is too weak to exclude a listing. But if every listing of one part is
// unlike every listing of the other, and each resembles its own part, several pairs agree.

import { comparePair } from '../pair/compare.ts';
import { turned } from '../pair/conflicts.ts';
import type { ComparedGroup, GroupListing } from './group-conflicts.ts';
import type { MatchModel } from '../model/model.ts';

/** Records that all listings of two such parts contradict each other. */
export function putUnlikeParts(
  model: MatchModel,
  listings: readonly GroupListing[],
  { logits, conflicts }: Pick<ComparedGroup, 'logits' | 'conflicts'>,
): void {
  const parts = partsOf(logits).filter((part) => part.length > 1);
  for (const [at, part] of parts.entries()) {
    for (const other of parts.slice(at + 1)) {
      const pairs = part.flatMap((one) => other.map((two) => [one, two] as const));
      if (!pairs.every(([one, two]) => (logits[one]?.[two] as number) < UNLIKE)) continue;
      for (const [one, two] of pairs) {
        if (conflicts[one]?.has(two)) continue;
        const [a, b] = [listings[one] as GroupListing, listings[two] as GroupListing];
        const { reason, detail } = comparePair(model, a.prepared, b.prepared);
        const conflict = { reason: reason ?? 'title', detail: detail ?? 'title' };
        conflicts[one]?.set(two, conflict);
        conflicts[two]?.set(one, turned(conflict));
      }
    }
  }
}

/** The log-odds below which a pair across two such parts is unlike. */
const UNLIKE = -1;

/** Groups the listings, joining two if the model finds them more likely one product than not. */
function partsOf(logits: ComparedGroup['logits']): readonly (readonly number[])[] {
  let left = [...logits.keys()];
  const parts: number[][] = [];
  while (left.length > 0) {
    const part = left.splice(0, 1);
    for (const at of part) {
      part.push(...left.filter((other) => (logits[at]?.[other] as number) > 0));
      left = left.filter((other) => !part.includes(other));
    }
    parts.push(part);
  }
  return parts;
}
