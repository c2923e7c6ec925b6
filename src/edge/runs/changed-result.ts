// States what changed for a product since the last run of the same sheet. Pure.

import type { FoundProduct } from './found-product.ts';
import type { EntryResult } from './result-table.ts';

type Fact = string | number | boolean | null;

/** Returns `best_price 19.99 → 17.49; in_stock true → false`; null if nothing changed, or there was no earlier result. */
export function changedText(before: EntryResult | null, now: EntryResult): string | null {
  if (before === null || before.status === 'skipped' || now.status === 'skipped') return null;
  if (before.status !== 'found' || now.status !== 'found') {
    return before.status === now.status ? null : `status ${before.status} → ${now.status}`;
  }
  const [old, fresh] = [factsOf(before.product), factsOf(now.product)];
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  const changed = [...names].flatMap((name) => {
    const [was, is] = [old[name] ?? null, fresh[name] ?? null];
    return was === is ? [] : [`${name} ${was ?? 'none'} → ${is ?? 'none'}`];
  });
  return changed.join('; ') || null;
}

function factsOf({ best, prices, inStock }: FoundProduct): Readonly<Record<string, Fact>> {
  return { best_price: best?.price ?? null, ...prices, in_stock: inStock };
}
