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
        "How the record is tied to the barcode. `confirmed`: the retailer's own record states the " +
        'requested barcode. `unconfirmed`: no barcode was compared; do not treat it as confirmed. ' +
        '`mismatch`: its record states another barcode.',
    }),
    method: z.enum(['catalog_key', 'page_barcode']).nullable().meta({
      description: 'How the barcodes were compared; `null` if the state is `unconfirmed`.',
    }),
    page_barcode: text('The barcode that the record states, with 14 digits.'),
    checked_at: instant(
      'When the barcodes were compared; `null` before the retailer has responded.',
    ),
    disputed: z
      .strictObject({
        reason: z
          .string()
          .meta({ description: 'The trait that differs, as in `_meta.disagreements`.' }),
        detail: text('The difference in words.'),
      })
      .nullable()
      .meta({
        description:
          'Why the listing is disputed: it states the barcode, but the other listings contradict it, so ' +
          'the record uses none of its data. `null` if nothing contradicts it.',
      }),
    note: z.string().meta({
      description: 'A sentence that states whether the row counts for the record, and why.',
    }),
  })
  .nullable()
  .meta({
    id: 'CellIdentity',
    description:
      'How the cell is tied to the barcode; `null` if it was stored by a version that did not compare ' +
      'barcodes.',
  });

/** Why a price is suspect (D68). */
export const SuspectBody = z.strictObject({
  reason: z.enum(SUSPECT_REASONS).meta({
    description:
      'Why the price is suspect. `above_level`: it is at least five times the usual level of ' +
      'the listing. `hundredth`: it is a hundredth of that level or less. `currency`: it ' +
      'differs by the factor of an exchange rate between another currency and the dollar. ' +
      '`placeholder`: it is a number like 9,999 that is not a real price. `deep_fall`: it is ' +
      'between a hundredth and a fifteenth of the level, and has been seen only once so far.',
  }),
});

const CellBody = z
  .strictObject({
    retailer: z.string().meta({ description: 'Slug.' }),
    status: z.enum(CELL_STATUSES).meta({
      description:
        'The status of the data. `ok`: it was fetched within the last day. `stale`: it is ' +
        'older; a refresh runs in the background. `indexing`: it has not been fetched yet; ' +
        'repeat the request in a few seconds. `not_found`: the retailer has no product with ' +
        'the barcode. `blocked`: the retailer refuses automated requests. `error`: the last ' +
        'request to the retailer failed or, if `_freshness.refreshed_at` is `null`, the ' +
        'retailer cannot be searched by barcode with the sources configured in this ' +
        'installation.',
    }),
    price: amount(
      'The price; `null` if it is unknown, in another currency, the product is out of stock, or the ' +
        'listing has another barcode.',
    ),
    native_price: NativePriceBody.meta({
      description:
        'The price that the page states. Present only if `currency` of the record is set and the price ' +
        'is in another currency.',
    }),
    price_suspect: SuspectBody.optional().meta({
      description:
        'Why `price` is suspect, like `_meta.price_suspect` for `current_price`. Present only if `price` ' +
        'contradicts the history of its listing.',
    }),
    url: text('The URL of the product page; `null` if the listing has another barcode.'),
    in_stock: flag('Whether the product can be bought now.'),
    unavailable: flag(
      'Whether the retailer states that the listing is gone, has ended or is discontinued.',
    ),
    sold_tag: text('The sales tag of the listing, word for word.'),
    estimated_sales: count(
      'The number of units sold per month, if `sold_tag` states a monthly number.',
    ),
    is_best_seller: flag('Whether the retailer marks the product as a best seller.'),
    sales_rank: SalesRanks,
    pack_count: count(
      'The number of pieces in the pack: the outermost multiplier that a field or the title states.',
    ),
    hazmat: flag('Whether the product is dangerous goods.'),
    seller_context: CellSellerContextBody,
    _source: z
      .enum(['primary', 'secondary'])
      .nullable()
      .meta({
        description:
          'The kind of source. `primary`: an official API, or the page if no API is configured. ' +
          '`secondary`: the page, although an API is configured. `null` if no listing is known.',
      }),
    _via: Via,
    _freshness: z
      .strictObject({
        refreshed_at: instant(
          'When the facts were fetched; `null` before the first request to the retailer.',
        ),
      })
      .meta({ description: 'The age of the facts.' }),
    identity: IdentityBody,
    ...termsFields,
  })
  .meta({ id: 'CrossRetailerCell' });

export const CrossRetailer = z.record(z.string(), CellBody).meta({
  description:
    'The stored data of each retailer for the barcode, by slug. Present only with ' +
    "`include_cross_retailer=true`. By default it contains only cells that the retailer's own record " +
    'confirms, so it can be an empty object.',
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

/** The fields of a cell that terms withhold; its address and its identity stay (D81). */
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
