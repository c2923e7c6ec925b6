// The stock rules: every change is notified, unless the stock is flapping (D70). Pure.

import { DAY_MS } from '../../base/clock.ts';
import type { FiringReason, LastNotified, Rules } from './watch.ts';

export type StockSeen = {
  readonly inStock: boolean | null;
  readonly atMs: number;
  /** An observation within this time after a counted one belongs to that one. */
  readonly restMs: number;
};

/** A stock notice of one kind is only sent again within this time if the stock was the opposite twice in a row. */
const FLAP_MS = DAY_MS;

/** Returns what has been notified about stock after this observation, and the reasons for a notification now. */
export function stockRules(rules: Rules, told: LastNotified, seen: StockSeen) {
  const { inStock, atMs } = seen;
  if (inStock === null) return { told: {}, reasons: [] };
  const isTurn = told.inStock !== inStock;
  const turned = isTurn
    ? { inStock, stockRun: 1, stockAtMs: atMs }
    : { inStock, ...runAfter(told, seen) };
  const isWanted = inStock ? rules.backInStock : rules.outOfStock;
  const isNews = isTurn
    ? told.inStock !== null && !isFlap(told, { inStock, atMs })
    : turned.stockRun === 2 && isNotifiedOtherwise(told, inStock);
  if (!isWanted || !isNews) return { told: turned, reasons: [] };
  const reason: FiringReason = inStock
    ? { rule: 'back_in_stock', detail: 'It is in stock again.' }
    : { rule: 'out_of_stock', detail: 'It is out of stock.' };
  const at = inStock ? { backToldAtMs: atMs } : { outToldAtMs: atMs };
  return { told: { ...turned, ...at }, reasons: [reason] };
}

function runAfter({ stockRun, stockAtMs }: LastNotified, { atMs, restMs }: StockSeen) {
  const isCounted = stockAtMs !== null && atMs - stockAtMs < restMs;
  return isCounted ? { stockRun, stockAtMs } : { stockRun: stockRun + 1, stockAtMs: atMs };
}

function isFlap(
  told: LastNotified,
  { inStock, atMs }: { inStock: boolean; atMs: number },
): boolean {
  const lastAtMs = inStock ? told.backToldAtMs : told.outToldAtMs;
  return lastAtMs !== null && told.stockRun < 2 && atMs - lastAtMs < FLAP_MS;
}

/** Returns whether the last stock notice says the opposite: a change was mistaken for flapping but has lasted. */
function isNotifiedOtherwise(
  { backToldAtMs, outToldAtMs }: LastNotified,
  inStock: boolean,
): boolean {
  if (backToldAtMs === null || outToldAtMs === null) return false;
  return inStock ? outToldAtMs > backToldAtMs : backToldAtMs > outToldAtMs;
}
