// The columns of the table that a run writes, after those of the given sheet, and each entry's row. Pure.

import { isMarketplace, KNOWN_SLUGS } from '../../base/retailer.ts';
import { costFactorOf, packsOf, type CostPer } from '../../rules/product/cost-factor.ts';
import { profitOf, type SellerCosts } from '../../rules/product/profit.ts';
import { freeName } from '../sheets/identifier-column.ts';
import type { TableCell, TableColumn } from '../sheets/table-cell.ts';
import { usdOf } from '../../answer/wire/hundredths.ts';
import type { FoundProduct, SellingPlace } from './found-product.ts';

/**
 * The result of an entry. `invalid`: no identifier; `unread`: the row itself could not be read; `skipped`: the token limit of
 * the run was reached.
 */
export type EntryResult =
  | { readonly status: 'found'; readonly product: FoundProduct; readonly tokens: number }
  | {
      readonly status: 'not_found' | 'error' | 'invalid' | 'unread' | 'skipped';
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
const money = (name: string): TableColumn => ({ name, kind: 'money' });
const dollars = (name: string): TableColumn => ({ name, kind: 'dollars' });

export const WARNINGS_COLUMN = 'warnings';

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
  money('best_price'),
  text('best_retailer'),
  { name: 'best_url', kind: 'link' },
  ...KNOWN_SLUGS.map((slug) => money(`${slug}_price`)),
  number('pack_count'),
  number('unit_price'),
  money('current_price'),
  money('buybox_price'),
  number('offers'),
  number('sales_rank'),
  text('sales_rank_category'),
  { name: 'in_stock', kind: 'boolean' },
  text('sell_at'),
  dollars('sell_price'),
  number('sell_pack'),
  dollars('referral_fee'),
  dollars('fulfillment_fee'),
  dollars('fees'),
  money('unit_cost'),
  number('cost_factor'),
  dollars('profit'),
  { name: 'roi_percent', kind: 'percent' },
  dollars('highest_cost'),
  text(WARNINGS_COLUMN),
  { name: 'refreshed_at', kind: 'time' },
  number('tokens'),
];

const MARKETPLACES = KNOWN_SLUGS.filter(isMarketplace);
const PROFIT_COLUMNS = MARKETPLACES.map((slug) => dollars(`${slug}_profit`));

const CHANGED: TableColumn = { name: 'changed', kind: 'text', marksRows: true };

/** The last column, where answers state their currency (D87). */
const CURRENCY = text('currency');

type TableOptions = {
  /** Whether answers state their currency. */
  readonly hasCurrency?: boolean;
  /** Whether each marketplace has a column with the profit of a sale there. */
  readonly hasProfits?: boolean;
  /** Whether a column states what changed since the last run. */
  readonly hasChanges?: boolean;
};

/**
 * Returns the names of all columns. Those of the sheet keep their names, unless one of ours is the same; no two are equal.
 */
export function tableColumns(
  inputNames: readonly string[],
  { hasCurrency = false, hasProfits = false, hasChanges = false }: TableOptions = {},
): readonly TableColumn[] {
  const ours = [
    ...RESULT_COLUMNS.map((column): TableColumn =>
      // Without a currency all amounts are in US dollars.
      column.kind === 'money' && !hasCurrency ? { ...column, kind: 'dollars' } : column,
    ),
    ...(hasProfits ? PROFIT_COLUMNS : []),
    ...(hasChanges ? [CHANGED] : []),
    ...(hasCurrency ? [CURRENCY] : []),
  ];
  const names = new Set(ours.map(({ name }) => name));
  const taken = new Set([...names, ...inputNames.map((name) => name.toLowerCase())]);
  const own = inputNames.map((name): TableColumn => {
    if (!names.has(name.toLowerCase())) return { name, kind: 'own' };
    const free = freeName(`${name} (input)`, taken);
    taken.add(free.toLowerCase());
    return { name: free, kind: 'own' };
  });
  return [...own, ...ours];
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

/** Returns the profit of a sale at each marketplace, in dollars. */
export function profitCells(
  entry: ResultEntry,
  result: EntryResult,
  costs: Omit<SellerCosts, 'costCents'>,
): readonly TableCell[] {
  return MARKETPLACES.map((slug) => {
    if (result.status !== 'found') return null;
    const { places, packCount } = result.product;
    const place = places.find(({ retailer }) => retailer === slug);
    if (place === undefined) return null;
    return usdOf(saleOf(place, packCount, { ...costs, costCents: entry.costCents }).profitCents);
  });
}

function saleOf(place: SellingPlace, packCount: number | null, costs: SellerCosts) {
  const { priceCents, referralCents, fulfillmentCents } = place;
  const packs = packsOf(place.packCount, packCount);
  const feesCents = referralCents + fulfillmentCents;
  return { packs, feesCents, ...profitOf({ priceCents, feesCents, packs }, costs) };
}

function sellingCells(
  { selling, packCount }: FoundProduct,
  costs: SellerCosts,
): readonly TableCell[] {
  if (selling === null) {
    return [null, null, null, null, null, null, usdOf(costs.costCents), null, null, null, null];
  }
  const { retailer, priceCents, referralCents, fulfillmentCents } = selling;
  const { packs, feesCents, ...profit } = saleOf(selling, packCount, costs);
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
export function warningsOf(
  { selling, packCount, warnings }: FoundProduct,
  costPer: CostPer,
): readonly string[] {
  if (selling === null) return warnings;
  const { times, over } = costFactorOf(packsOf(selling.packCount, packCount), costPer);
  const isOneCost = times === over;
  return isOneCost ? warnings : [...new Set([...warnings, `${selling.retailer} other_pack`])];
}
