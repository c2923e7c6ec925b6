// Computes the data that one line of the table shows about its product: prices, fees, profit, warnings. Pure.

import { warningWords } from './words.js';

/** @typedef {import('./words.js').ProductRecord} ProductRecord */
/** @typedef {import('./words.js').Cell} Cell */
/**
 * @typedef {{
 *   retailer: string | null, price: number | null, fees: number | null, costs: number, profit: number | null,
 *   roi: number | null, }} Sale where to sell, and what is left; `costs`: how many times it incurs the cost
 */

/** @typedef {'code' | 'piece'} CostPer what a cost applies to: one unit of what the code identifies, or one piece */

/** Converts a number to whole cents: sums of prices are exact. @param {number} value */
const cents = (value) => Math.round(value * 100);

/**
 * Returns the pieces in one sale of a listing: a listing that states no pack has the record's pack.
 * @param {Pick<Cell, 'pack_count'>} cell
 * @param {Pick<ProductRecord, 'pack_count'>} record
 */
const piecesOf = (cell, record) => cell.pack_count || record.pack_count || 1;

/**
 * Selects the listings that count for a sale, by the same rule as in a sheet that the service writes. Their record states the
 * barcode or their page prints it, and nothing contradicts that. They can be bought, and their price does not look wrong. A
 * listing that only looks like the product may be another one. Without a barcode only the page itself counts.
 * @param {ProductRecord} record
 */
function saleCells(record) {
  const cells = Object.values(record.cross_retailer ?? {});
  const isAlone = cells.length === 1 && record.gtin === null;
  return cells.filter(
    (cell) =>
      cell.price !== null &&
      cell.price_suspect === undefined &&
      cell.in_stock !== false &&
      cell.unavailable !== true &&
      (isAlone || isTied(cell, record.gtin)),
  );
}

/** @param {Cell} cell @param {string | null} gtin */
function isTied(cell, gtin) {
  if (cell.identity === null || cell.identity.disputed) return false;
  return cell.identity.state === 'confirmed' || printsBarcode(cell, gtin);
}

/**
 * Returns whether the page of one of the seven retailers prints the barcode. Only their slugs have an underscore. The code of a
 * case of the same item does not count.
 * @param {Cell} cell
 * @param {string | null} gtin
 */
function printsBarcode({ retailer, identity }, gtin) {
  const isPrinted = identity?.state === 'unconfirmed' && identity.page_barcode === gtin;
  return gtin !== null && isPrinted && retailer.includes('_');
}

/** Shops where others sell too, for a fee. */
export const MARKETPLACES = ['retailer_w', 'retailer_a', 'retailer_e'];

/** Marketplaces that store and ship for their sellers, for a fee; the others charge only the referral fee. */
const WITH_FULFILLMENT = ['retailer_w', 'retailer_a'];

/**
 * Returns the marketplace's share of the price, in cents. Null if any part is unknown: partial fees would show a profit that
 * does not exist.
 * @param {Cell} cell
 */
export function feesOf({ retailer, seller_context: context }) {
  const referral = context?.referral_fee_usd ?? null;
  const fulfillment =
    context?.fulfillment_fee_usd ?? (WITH_FULFILLMENT.includes(retailer) ? null : 0);
  return referral === null || fulfillment === null ? null : cents(referral) + cents(fulfillment);
}

/**
 * Returns what a sale leaves at each marketplace with a price and known fees, as in a sheet that the service writes. The first
 * is the one where a piece leaves the most after fees. `cost` is for one unit of what the code identifies, which a listing
 * with another pack than the record's incurs more or less often; or for one piece.
 * @param {ProductRecord} record
 * @param {number | null} cost
 * @param {CostPer} [per]
 * @returns {readonly Sale[]}
 */
export function salesOf(record, cost, per = 'code') {
  // Fees are known in dollars only.
  if ((record.currency ?? 'USD') !== 'USD') return [];
  const sales = saleCells(record).flatMap((cell) => {
    const fees = feesOf(cell);
    if (fees === null || cell.price === null) return [];
    const left = cents(cell.price) - fees;
    const pieces = piecesOf(cell, record);
    return [{ retailer: cell.retailer, price: cell.price, fees, left, pieces }];
  });
  const over = per === 'piece' ? 1 : record.pack_count || 1;
  return sales
    .toSorted((a, b) => b.left / b.pieces - a.left / a.pieces)
    .map(({ retailer, price, fees, left, pieces }) => {
      // Rounded once, halves up, as in the service's comparison.
      const paid = Math.floor((2 * cents(cost ?? 0) * pieces + over) / (2 * over));
      const profit = cost === null ? null : left - paid;
      return {
        retailer,
        price,
        fees: fees / 100,
        costs: pieces / over,
        profit: profit === null ? null : profit / 100,
        roi: profit === null || paid === 0 ? null : percent(profit, paid),
      };
    });
}

/**
 * Returns the best of these sales; null if there is none.
 * @param {ProductRecord} record
 * @param {number | null} cost
 * @param {CostPer} [per]
 * @returns {Sale | null}
 */
export function bestSale(record, cost, per = 'code') {
  return salesOf(record, cost, per)[0] ?? null;
}

/**
 * Returns the warnings that all records have, if there are several.
 * @param {readonly ProductRecord[]} records
 * @returns {ReadonlySet<string>}
 */
export function commonWarnings(records) {
  const [first, ...others] = records.map(warningsOf);
  if (first === undefined || others.length === 0) return new Set();
  return new Set(first.filter((each) => others.every((warnings) => warnings.includes(each))));
}

/**
 * Returns a percentage with two decimals, halves rounded away from zero, as in the service's comparison.
 * @param {number} part in cents, as `whole`
 * @param {number} whole
 */
function percent(part, whole) {
  const hundredths = Math.round((Math.abs(part) * 10_000) / whole);
  return hundredths === 0 ? 0 : (Math.sign(part) * hundredths) / 100;
}

/**
 * Returns warnings to consider before buying, in words.
 * @param {ProductRecord} record
 */
export function warningsOf(record) {
  const cells = Object.values(record.cross_retailer ?? {});
  const priced = cells.filter(({ price, identity }) => price !== null && !identity?.disputed);
  const { _meta: meta } = record;
  const codes = [
    meta.price_suspect === undefined && priced.every((cell) => cell.price_suspect === undefined)
      ? null
      : 'suspect_price',
    cells.some(({ identity }) => identity?.disputed) ? 'disputed' : null,
    record.gtin !== null && priced.some(({ identity }) => identity?.state === 'unconfirmed')
      ? 'unconfirmed'
      : null,
    priced.some((cell) => piecesOf(cell, record) !== (record.pack_count || 1))
      ? 'other_pack'
      : null,
    record.in_stock === false ? 'out_of_stock' : null,
    meta.native_price === undefined ? null : 'foreign_currency',
    record.hazmat === true ? 'hazmat' : null,
    cells.some(({ status }) => status === 'stale') ? 'stale' : null,
  ];
  return codes.filter((code) => code !== null).map(warningWords);
}

/**
 * Returns the rank in the shop's best-seller list, if one is stated.
 * @param {ProductRecord} record
 */
export function rankOf(record) {
  return record.sales_rank?.[0]?.rank ?? null;
}
