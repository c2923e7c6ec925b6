// The columns of the table that a run writes, after those of the given sheet, and each entry's row. Pure.

import { KNOWN_SLUGS } from '../../base/retailer.ts';
import { costFactorOf, packsOf, type CostPer } from '../../rules/product/cost-factor.ts';
import { profitOf, type SellerCosts } from '../../rules/product/profit.ts';
import { freeName } from '../sheets/identifier-column.ts';
import type { TableCell, TableColumn } from '../sheets/write-table.ts';
import { usdOf } from '../../answer/wire/hundredths.ts';
import type { FoundProduct } from './found-product.ts';

/** The result of an entry. `invalid`: no identifier; `unread`: the row itself could not be read. */
export type EntryResult =
  | { readonly status: 'found'; readonly product: FoundProduct; readonly tokens: number }
  | {
      readonly status: 'not_found' | 'error' | 'invalid' | 'unread';
      readonly detail: string;
      readonly tokens: number;
    };

export type ResultEntry = {
  readonly line: number;
  readonly identifier: string;
  /** What was corrected in the row. */
  readonly note: string | null;
  readonly costCents: number | null;
  /** Why the row has no cost although the cell is filled; null otherwise. */
  readonly costProblem: string | null;
};

const text = (name: string): TableColumn => ({ name, kind: 'text' });
const number = (name: string): TableColumn => ({ name, kind: 'number' });

const RESULT_COLUMNS: readonly TableColumn[] = [
  number('line'),
  text('identifier'),
  text('status'),
  text('note'),
  text('gtin'),
  text('upc'),
  text('isbn'),
  text('asin'),
  text('item_id'),
  text('title'),
  text('brand'),
  number('best_price'),
  text('best_retailer'),
  text('best_url'),
  ...KNOWN_SLUGS.map((slug) => number(`${slug}_price`)),
  number('pack_count'),
  number('unit_price'),
  number('current_price'),
  number('buybox_price'),
  number('offers'),
  number('sales_rank'),
  text('sales_rank_category'),
  { name: 'in_stock', kind: 'boolean' },
  text('sell_at'),
  number('sell_price'),
  number('sell_pack'),
  number('referral_fee'),
  number('fulfillment_fee'),
  number('fees'),
  number('unit_cost'),
  number('cost_factor'),
  number('profit'),
  number('roi_percent'),
  number('highest_cost'),
  text('warnings'),
  text('refreshed_at'),
  number('tokens'),
];

const NAMES: ReadonlySet<string> = new Set(RESULT_COLUMNS.map(({ name }) => name));

/** The last column, where answers state their currency (D87). */
const CURRENCY = text('currency');

/**
 * Returns the names of all columns. Those of the sheet keep their names, unless one of ours is the same; no two are equal.
 */
export function tableColumns(
  inputNames: readonly string[],
  hasCurrency = false,
): readonly TableColumn[] {
  const names = hasCurrency ? new Set([...NAMES, CURRENCY.name]) : NAMES;
  const taken = new Set([...names, ...inputNames.map((name) => name.toLowerCase())]);
  const own = inputNames.map((name) => {
    if (!names.has(name.toLowerCase())) return text(name);
    const free = freeName(`${name} (input)`, taken);
    taken.add(free.toLowerCase());
    return text(free);
  });
  return [...own, ...RESULT_COLUMNS, ...(hasCurrency ? [CURRENCY] : [])];
}

/**
 * Returns the cells that follow the sheet's own. `costs` contains everything but the purchase price, which is in the entry.
 */
export function resultRow(
  entry: ResultEntry,
  result: EntryResult,
  costs: Omit<SellerCosts, 'costCents'>,
): readonly TableCell[] {
  const { line, identifier } = entry;
  const notes = [entry.note, entry.costProblem].filter((each) => each !== null);
  if (result.status !== 'found') {
    const note = [...notes, result.detail].join('; ');
    const head = [line, identifier, result.status, note];
    const nothing = RESULT_COLUMNS.slice(head.length + 1).map(() => null);
    return [...head, ...nothing, result.tokens];
  }
  const { product, tokens } = result;
  return [
    line,
    identifier,
    'found',
    notes.length === 0 ? null : notes.join('; '),
    product.gtin,
    product.upc,
    product.isbn,
    product.asin,
    product.itemId,
    product.title,
    product.brand,
    product.best?.price ?? null,
    product.best?.retailer ?? null,
    product.best?.url ?? null,
    ...KNOWN_SLUGS.map((slug) => product.prices[slug] ?? null),
    product.packCount,
    product.unitPrice,
    product.currentPrice,
    product.buyBoxPrice,
    product.offers,
    product.salesRank,
    product.salesRankCategory,
    product.inStock,
    ...sellingCells(product, { ...costs, costCents: entry.costCents }),
    warningsOf(product, costs.costPer).join('; '),
    product.refreshedAt,
    tokens,
  ];
}

function sellingCells(
  { selling, packCount }: FoundProduct,
  costs: SellerCosts,
): readonly TableCell[] {
  if (selling === null) {
    return [null, null, null, null, null, null, usdOf(costs.costCents), null, null, null, null];
  }
  const { retailer, priceCents, referralCents, fulfillmentCents } = selling;
  const packs = packsOf(selling.packCount, packCount);
  const feesCents = referralCents + fulfillmentCents;
  const profit = profitOf({ priceCents, feesCents, packs }, costs);
  return [
    retailer,
    usdOf(priceCents),
    packs.sold,
    usdOf(referralCents),
    usdOf(fulfillmentCents),
    usdOf(feesCents),
    usdOf(costs.costCents),
    profit.costFactor === 1 ? null : profit.costFactor,
    usdOf(profit.profitCents),
    profit.roiPercent,
    usdOf(profit.highestCostCents),
  ];
}

/** Returns the product's warnings, and that its sale pays another number of costs than one, as in a comparison (D77). */
function warningsOf(
  { selling, packCount, warnings }: FoundProduct,
  costPer: CostPer,
): readonly string[] {
  if (selling === null) return warnings;
  const { times, over } = costFactorOf(packsOf(selling.packCount, packCount), costPer);
  const isOneCost = times === over;
  return isOneCost ? warnings : [...new Set([...warnings, `${selling.retailer} other_pack`])];
}
