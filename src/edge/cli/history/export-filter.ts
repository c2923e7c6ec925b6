// Selects the part of the history to export: one retailer's, one product's, or some days.

import { DAY_MS } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { findIdentified } from '../../../answer/lookup/history/known-listings.ts';
import { parseInput } from '../../../answer/lookup/steps/parse-input.ts';
import { slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import type { ImportedFilter } from '../../../data/history/imported-history.ts';
import type { Store } from '../../../data/store.ts';
import { UsageError, type Values } from '../command.ts';
import { slugOption, textOption } from '../options.ts';

/**
 * Creates the filter. Throws a UsageError for an invalid day, and the fault of an invalid product. Only the store knows
 * which listings belong to a barcode.
 */
export function importedFilterOf(values: Values): (store: Store) => Promise<ImportedFilter> {
  const slug = slugOption(values);
  const retailer = slug === undefined ? null : slugNamed(slug);
  const product = productIn(values);
  const fromMs = dayOption(values, 'from') ?? 0;
  const lastMs = dayOption(values, 'to') ?? Number.POSITIVE_INFINITY;
  if (lastMs < fromMs) throw new UsageError('--to is before --from.');
  return async (store) => {
    const tied = await tiedListings(store, product ?? []);
    return {
      isWanted: (listing) =>
        (retailer === null || listing.retailer === retailer) &&
        (product === null || tied.has(listing.id) || product.some((each) => names(each, listing))),
      fromMs,
      toMs: lastMs + DAY_MS,
    };
  };
}

/** Returns listings that a barcode's history shows besides those that print it: pages found for it that print none. */
async function tiedListings(
  store: Store,
  identifiers: readonly Identifier[],
): Promise<ReadonlySet<string>> {
  const barcodes = identifiers.filter((each) => 'gtin14' in each);
  const known = await Promise.all(barcodes.map((each) => findIdentified(store, [each])));
  return new Set(known.flatMap((each) => each?.listings ?? []).map(({ id }) => id));
}

function productIn(values: Values): readonly Identifier[] | null {
  const text = textOption(values, 'product');
  if (text === undefined) return null;
  const parsed = parseInput(text);
  if (!parsed.ok) throw new FaultError(parsed.fault);
  return parsed.identifiers;
}

type Names = Parameters<ImportedFilter['isWanted']>[0];

function names(identifier: Identifier, { retailer, key, gtin }: Names): boolean {
  if ('gtin14' in identifier) return gtin === identifier.gtin14;
  if (identifier.kind === 'url') return key === identifier.value;
  return retailer === identifier.retailer && key === identifier.value;
}

function dayOption(values: Values, name: string): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // JavaScript would parse 30 February as 2 March.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)) return ms;
  throw new UsageError(`--${name} takes a day such as 2026-01-31, not "${text}".`);
}
