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
    id: z
      .string()
      .meta({ description: 'Number in the feed; pass it as `cursor` to continue after it.' }),
    kind: z.enum(CHANGE_KINDS).meta({ description: 'What changed.' }),
    field: z
      .string()
      .meta({ description: 'The field: price, in_stock, seller, offers_count, gtin, pack_count.' }),
    retailer: z.string().meta({ description: 'Slug.' }),
    url: text('Product page.'),
    title: text('Title of the listing.'),
    gtin: text('GTIN-14 that its record states.'),
    currency: saidCurrency,
    before: changed('Before.'),
    after: changed('Now.'),
    observed_at: z.iso.datetime().meta({ description: 'When it was seen.' }),
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
      params: { allowed: ['`next` of the previous answer', 'the `id` of a change'] },
    })
    .optional()
    .meta({
      pattern: '^\\d{1,15}$',
      description:
        '`next` of the previous answer, or the `id` of a change. Without it: changes from now on.',
    }),
});

export const ChangeList = z.strictObject({
  changes: z.array(ChangeBody).meta({ description: 'Oldest first.' }),
  next: z.string().meta({ description: 'Pass it as `cursor` to continue.' }),
  ...tokenFields,
});
