// The feed of changes of watched listings on the wire (D70).

import { z } from 'zod';

import { isoTimestamp } from '../../../base/clock.ts';
import { CHANGE_KINDS } from '../../../rules/watches/changes.ts';
import type { FeedChange } from '../../../rules/watches/stored-watch.ts';
import { saidCurrency } from '../currency.ts';
import { amountIn } from '../hundredths.ts';
import { pageSize, text, tokenFields } from '../fields.ts';

const changed = (what: string) =>
  z.union([z.string(), z.number(), z.boolean()]).nullable().meta({ description: what });

const ChangeBody = z
  .strictObject({
    id: z.string().meta({
      description:
        'The number of the change in the feed; send it as `cursor` to continue after it.',
    }),
    kind: z.enum(CHANGE_KINDS).meta({ description: 'The kind of change.' }),
    field: z.string().meta({
      description:
        'The field that changed: price, in_stock, seller, offers_count, gtin, pack_count.',
    }),
    retailer: z.string().meta({ description: 'Slug.' }),
    url: text('The URL of the product page.'),
    title: text('The title of the listing.'),
    gtin: text('The GTIN-14 that the record of the listing states.'),
    currency: saidCurrency,
    before: changed('The value before the change.'),
    after: changed('The value after the change.'),
    observed_at: z.iso.datetime().meta({ description: 'When the change was seen.' }),
  })
  .meta({ id: 'Change' });

export function presentChange({ seq, kind, body }: FeedChange): z.infer<typeof ChangeBody> {
  const shown = (value: FeedChange['body']['after']) =>
    kind === 'price' && typeof value === 'number' ? amountIn(value, body.currency ?? 'USD') : value;
  const { field, retailer, url, title, gtin, currency, before, after, observedAtMs } = body;
  return {
    id: String(seq),
    kind,
    field,
    retailer,
    url,
    title,
    gtin,
    ...(currency === undefined ? {} : { currency }),
    before: shown(before),
    after: shown(after),
    observed_at: isoTimestamp(observedAtMs),
  };
}

export const ChangesQuery = z.strictObject({
  limit: pageSize,
  cursor: z
    .string()
    .refine((written) => /^\d{1,15}$/.test(written), {
      params: { allowed: ['`next` of the previous response', 'the `id` of a change'] },
    })
    .optional()
    .meta({
      pattern: '^\\d{1,15}$',
      description:
        'The `next` value of the previous response, or the `id` of a change. If omitted, only changes ' +
        'from now on are returned.',
    }),
});

export const ChangeList = z.strictObject({
  changes: z.array(ChangeBody).meta({ description: 'The changes, oldest first.' }),
  next: z.string().meta({ description: 'The value to send as `cursor` to continue.' }),
  ...tokenFields,
});
