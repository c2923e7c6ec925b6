// A page that is handed in (D84): the request, and the answer: the record as the organization now sees it, with the facts
// read from the page and from where.

import { z } from 'zod';

import { isoTimestamp } from '../../base/clock.ts';
import { PRICE_READ_FROM, type Listing, type PriceReadFrom } from '../../base/listing/listing.ts';
import { amountOf } from '../../base/listing/money/minor-units.ts';
import { publicUrl } from '../../base/listing/public-url.ts';
import type { Product } from '../../rules/product/product.ts';
import type { HandedIn } from '../collect/hand-in.ts';
import { candidateFields, presentPageText } from './candidates.ts';
import { tokenFields } from './fields.ts';
import { presentProduct } from './record/present.ts';
import { ProductRecord } from './record/product-record.ts';

export const MAX_HTML_MB = 5;

export const PageBody = z
  .strictObject({
    url: z.string().min(1).max(8_192).meta({
      description: 'The address of the page, as the browser shows it.',
      example: 'https://shop.example.com/lamp',
    }),
    html: z
      .string()
      .min(1)
      .meta({ description: `The page as HTML, at most ${MAX_HTML_MB} MB in UTF-8.` }),
    captured_at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({
        description:
          'When the page was seen; now, if omitted. At most 14 days ago. A page that is older ' +
          'than the stored data only adds to the history.',
      }),
    candidates: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether `page` also contains the text of the page, with every amount, stock word ' +
          'and barcode and the reason why each was taken or not. Cannot be combined with an ' +
          '`Idempotency-Key`, because the answer would then be stored.',
      }),
    cross_retailer: z.boolean().optional().meta({
      description:
        'Whether the record contains `cross_retailer`, from stored data and at no extra cost.',
    }),
  })
  .meta({ id: 'NewPage' });

const ReadField = z.strictObject({
  field: z.string().meta({ description: 'The name of the field, as in a record.' }),
  value: z
    .union([z.string(), z.number(), z.boolean()])
    .meta({ description: 'The value that was read; amounts are in the `currency` of the page.' }),
  from: z
    .enum(PRICE_READ_FROM)
    .nullable()
    .meta({
      description:
        "Where on the page: its `json_ld`, `microdata`, `rdfa` or `open_graph` tags, its scripts' `state`, or " +
        'its `visible` text. `null` if the reader does not know.',
    }),
});

const HandedInPage = z.strictObject({
  id: z.string().meta({
    description:
      'The ID of the data stored from the page. A later page of the same address gets the same ' +
      'ID.',
    example: 'pag_Zr3vXl5Qm0Wn8sT2yKc1bA',
  }),
  url: z.string().meta({ description: 'The address under which the data is stored.' }),
  retailer: z.string().meta({ description: 'Slug.' }),
  captured_at: z.iso.datetime().meta({ description: 'When the page was seen.' }),
  read: z.array(ReadField).meta({ description: 'The facts that were read from the page.' }),
  missing: z
    .array(z.string())
    .meta({ description: 'Fields that such a page normally states, and this one does not.' }),
  ...z.strictObject(candidateFields).partial().shape,
});

export const PageRecord = z
  .strictObject({
    ...ProductRecord.shape,
    page: HandedInPage.meta({ description: 'The facts that were read from the page.' }),
  })
  .meta({ id: 'PageRecord' });

export const PageDeleted = z.strictObject({
  deleted: z
    .literal(true)
    .meta({ description: 'Always `true`: the data from the page is no longer stored.' }),
  id: z.string().meta({ description: 'The ID of the deleted data.' }),
  ...tokenFields,
});

export const PagesDeleted = z.strictObject({
  deleted: z
    .int()
    .nonnegative()
    .meta({ description: 'The number of pages whose data was deleted.' }),
  ...tokenFields,
});

const PREFIX = 'pag_';

/** Returns the row of an id; null for a text that is not an id. */
export function rowIdOfPage(id: string): string | null {
  return /^pag_[\w-]{22}$/.test(id) ? id.slice(PREFIX.length) : null;
}

/** Returns the record with the facts that were read, without its token fields. */
export function presentHandedIn(product: Product, handedIn: HandedIn) {
  const record = presentProduct(product, { includeHistory: true, includeStats: true });
  const { rowId, url, retailer, capturedAtMs, notes } = handedIn;
  const page = {
    id: PREFIX + rowId,
    url,
    retailer,
    captured_at: isoTimestamp(capturedAtMs),
    read: readFields(handedIn),
    missing: [...notes.missing],
    ...(handedIn.candidates === null ? {} : presentPageText(handedIn.candidates)),
  };
  return { ...record, page };
}

function readFields({ listing, notes, usualPlace }: HandedIn): z.infer<typeof ReadField>[] {
  const placeOf = (name: keyof Listing): PriceReadFrom | null =>
    notes.places?.[name] ?? (name === 'price' ? listing.priceReadFrom : null) ?? usualPlace;
  const { price, listPrice } = listing;
  const read: readonly (readonly [
    string,
    z.infer<typeof ReadField>['value'] | null,
    keyof Listing,
  ])[] = [
    ['title', listing.title, 'title'],
    ['brand', listing.brand, 'brand'],
    ['price', price === null ? null : amountOf(price), 'price'],
    ['currency', price?.currency ?? null, 'price'],
    ['list_price', listPrice === null ? null : amountOf(listPrice), 'listPrice'],
    ['in_stock', listing.inStock, 'inStock'],
    ['condition', listing.condition, 'condition'],
    ['gtin', listing.gtin, 'gtin'],
    ['asin', listing.asin, 'asin'],
    ['item_id', listing.itemId, 'itemId'],
    ['sku', listing.sku, 'sku'],
    ['mpn', listing.mpn, 'mpn'],
    ['seller_name', listing.sellerName, 'sellerName'],
    ['image_url', publicUrl(listing.imageUrl), 'imageUrl'],
    ['rating', listing.rating, 'rating'],
    ['review_count', listing.reviewCount, 'reviewCount'],
  ];
  return read.flatMap(([field, value, name]) =>
    value === null ? [] : [{ field, value, from: placeOf(name) }],
  );
}
