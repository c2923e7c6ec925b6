// `cross_retailer`: the schema of a cell, and its presentation (D28, D34, D35).

import { z } from 'zod';

import { CELL_STATUSES, type Cell } from '../../../rules/product/cell.ts';
import { isoTimestamp } from '../../../base/clock.ts';
import { isWithheld } from '../../../base/listing/stored-listing.ts';
import { SUSPECT_REASONS } from '../../../rules/history/suspect-reason.ts';
import { otherPriceOf, shownPriceCents } from '../../../rules/product/shown-price.ts';
import type { CellWithFees } from '../../../rules/product/product.ts';
import { estimatedSales } from '../../../base/listing/vocabularies/sold-tag.ts';
import { CellSellerContextBody } from './seller-context.ts';
import { type CellFees, presentCellSellerContext, presentSalesRank } from './present-facts.ts';
import { amount, count, flag, instant, SalesRanks, text, Via } from '../fields.ts';
import { NativePriceBody } from '../currency.ts';
import { amountOrNull, currencyField, presentMoney } from '../hundredths.ts';
import { presentLimits } from '../withheld.ts';
import { termsFields } from '../withheld-body.ts';

const IdentityBody = z
  .strictObject({
    state: z.enum(['confirmed', 'unconfirmed', 'mismatch']).meta({
      description:
        "`confirmed`: the retailer's own record states the barcode searched. `unconfirmed`: no barcode was compared; do " +
        'not treat it as confirmed. `mismatch`: its record states another barcode.',
    }),
    method: z.enum(['catalog_key', 'page_barcode']).nullable().meta({
      description: 'How the barcodes were compared; null with `unconfirmed`.',
    }),
    page_barcode: text('The barcode that the record states, 14 digits.'),
    checked_at: instant('When the barcodes were compared; null before the retailer has answered.'),
    disputed: z
      .strictObject({
        reason: z.string().meta({ description: 'As in `_meta.disagreements`.' }),
        detail: text('In words.'),
      })
      .nullable()
      .meta({
        description:
          'The listing states the barcode, but the other listings contradict it, so the record uses none of its ' +
          'data. Null: nothing contradicts it.',
      }),
    note: z.string().meta({
      description: 'One sentence: whether the row counts for the record, and why.',
    }),
  })
  .nullable()
  .meta({
    id: 'CellIdentity',
    description:
      'How the cell is tied to the barcode. Null: stored by a version that did not compare barcodes.',
  });

/** Why a price is suspect (D68). */
export const SuspectBody = z.strictObject({
  reason: z.enum(SUSPECT_REASONS).meta({
    description:
      "`above_level`: at least five times the listing's own level. `hundredth`: a hundredth of it or less. " +
      '`currency`: off by the exchange rate of another currency to the dollar. `placeholder`: a number like ' +
      '9,999 that is not a real price. `deep_fall`: between a hundredth and a fifteenth of the level, seen ' +
      'once so far.',
  }),
});

const CellBody = z
  .strictObject({
    retailer: z.string().meta({ description: 'Slug.' }),
    status: z.enum(CELL_STATUSES).meta({
      description:
        '`ok`: fetched within the last day. `stale`: older; a refresh runs in the background. `indexing`: not ' +
        'fetched yet; call again in a few seconds. `not_found`: the retailer has no product with the barcode. ' +
        '`blocked`: the retailer refuses automated requests. `error`: the last request to it failed, or, if ' +
        '`_freshness.refreshed_at` is null, it cannot be searched by barcode with the sources configured here.',
    }),
    price: amount('Null when out of stock, in another currency, or on a mismatch.'),
    native_price: NativePriceBody.meta({
      description:
        'Only where `currency` of the record stands, and the price is in another one: the price that the page states.',
    }),
    price_suspect: SuspectBody.optional().meta({
      description:
        'Present only if `price` contradicts the history of its listing, as `_meta.price_suspect` for `current_price`.',
    }),
    url: text('Product page; null on a mismatch.'),
    in_stock: flag('Whether it can be bought now.'),
    unavailable: flag(
      'The retailer states that the listing is gone, has ended or is discontinued.',
    ),
    sold_tag: text('Sales tag of the listing, word for word.'),
    estimated_sales: count('Units sold per month, if `sold_tag` states a monthly number.'),
    is_best_seller: flag('The retailer marks it as a best seller.'),
    sales_rank: SalesRanks,
    pack_count: count(
      'Pieces in the pack: the outermost multiplier that a field or the title states.',
    ),
    hazmat: flag('Whether it is dangerous goods.'),
    seller_context: CellSellerContextBody,
    _source: z
      .enum(['primary', 'secondary'])
      .nullable()
      .meta({
        description:
          '`primary`: an official API, or the page where no API is configured. `secondary`: the page, although an API is ' +
          'configured. Null: no listing is known.',
      }),
    _via: Via,
    _freshness: z
      .strictObject({
        refreshed_at: instant(
          'When the facts were fetched; null before the first request to the retailer.',
        ),
      })
      .meta({ description: 'Age of the facts.' }),
    identity: IdentityBody,
    ...termsFields,
  })
  .meta({ id: 'CrossRetailerCell' });

export const CrossRetailer = z.record(z.string(), CellBody).meta({
  description:
    'The stored data of each retailer for the barcode, by slug; only with `include_cross_retailer=true`. By default ' +
    "only cells that the retailer's own record confirms, so an empty object is a valid answer.",
});

type Body = z.infer<typeof CellBody>;

function identityOf(cell: Cell): Body['identity'] {
  const { identity: value, disputed, note } = cell;
  const isResolved = cell.stored !== null || value.state === 'mismatch';
  const checkedAtMs = isResolved ? value.checkedAtMs : null;
  return {
    state: value.state,
    method: value.method,
    page_barcode: value.pageBarcode,
    checked_at: checkedAtMs === null ? null : isoTimestamp(checkedAtMs),
    disputed: disputed === null ? null : { reason: disputed.reason, detail: disputed.detail },
    note,
  };
}

/** Returns facts of the cell's listing; all null without one. */
function facts({ stored }: Cell, currency: string) {
  const listing = stored?.listing ?? null;
  const cents = listing === null ? null : shownPriceCents(listing, listing.price, currency);
  const soldTag = listing?.soldTag ?? null;
  return {
    price: amountOrNull(cents, currency),
    url: stored?.url ?? null,
    in_stock: listing?.inStock ?? null,
    unavailable: listing?.unavailable ?? null,
    sold_tag: soldTag,
    estimated_sales: soldTag === null ? null : estimatedSales(soldTag),
    is_best_seller: listing?.isBestSeller ?? null,
    sales_rank: presentSalesRank(listing?.salesRank ?? []),
    pack_count: listing?.packCount ?? null,
    hazmat: listing?.hazmat ?? null,
  };
}

/** Returns the fees of the cell's own listing, by its retailer's rate card (D44). */
function feesOfCell({ fees }: CellWithFees): CellFees {
  return {
    referralFeeCents: fees?.referralCents ?? null,
    fulfillmentFeeCents: fees?.fulfillmentCents ?? null,
  };
}

/** What terms withhold of a cell; its address and its identity stay (D81). */
const WITHHELD = {
  sale: ['price', 'in_stock', 'sold_tag', 'estimated_sales', 'seller_context'],
  facts: ['unavailable', 'is_best_seller', 'sales_rank', 'pack_count', 'hazmat'],
};

function body(cell: CellWithFees, currency: string, hasNative: boolean): Body {
  const { retailer, status, source, refreshedAtMs } = cell;
  return {
    retailer,
    status,
    ...facts(cell, currency),
    ...(hasNative ? nativeField(cell, currency) : {}),
    ...(cell.priceSuspect === null ? {} : { price_suspect: { reason: cell.priceSuspect } }),
    seller_context:
      cell.stored === null || isWithheld(cell.stored)
        ? null
        : presentCellSellerContext(retailer, feesOfCell(cell), cell.sellerContext),
    _source: source,
    _via: cell.stored?.origin?.door ?? null,
    _freshness: { refreshed_at: refreshedAtMs === null ? null : isoTimestamp(refreshedAtMs) },
    identity: identityOf(cell),
    ...presentLimits(cell.stored?.limits, WITHHELD),
  };
}

/** Returns the price in another currency, if there is one. */
function nativeField({ stored }: Cell, currency: string): Pick<Body, 'native_price'> {
  const native = stored === null ? null : otherPriceOf(stored.listing, currency);
  return native === null ? {} : { native_price: presentMoney(native) };
}

/**
 * Returns the cells by slug. They have prices in other currencies where the record states its own: it was requested (`isAsked`),
 * or is not dollars.
 */
export function presentCells(
  cells: readonly CellWithFees[],
  currency: string,
  isAsked: boolean,
): z.infer<typeof CrossRetailer> {
  const hasNative = 'currency' in currencyField(currency, isAsked);
  return Object.fromEntries(cells.map((cell) => [cell.retailer, body(cell, currency, hasNative)]));
}
