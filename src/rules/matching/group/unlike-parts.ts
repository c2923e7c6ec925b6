// Two products under one barcode, each with two listings or more. Next to its twin no listing is the outlier (`outlier.ts`), and
// what the model makes of one pair is too little to leave a listing out. But where every listing of one part is unlike every
// listing of the other, and each is like its own, several pairs say the same.

import { comparePair } from '../pair/compare.ts';
import { turned } from '../pair/conflicts.ts';
import type { ComparedGroup, GroupListing } from './group-conflicts.ts';
import type { MatchModel } from '../model/model.ts';

/** Notes that all listings of two such parts contradict each other. */
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

/** The log-odds below which a pair of two such parts is unlike. */
const UNLIKE = -1;

/** The listings, joined where the model finds two more likely one product than not. */
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
