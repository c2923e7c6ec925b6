// `sales_rank` of the record and of a cell: its schema.

import { z } from '@hono/zod-openapi';

import { text } from '../fields.ts';

const SalesRankBody = z
  .strictObject({
    category: text('Category as the retailer names it; null where it does not say which.'),
    rank: z.int().positive().meta({ description: 'Place in the category; 1 is sold most.' }),
  })
  .openapi('SalesRank', { description: 'The place of a listing among what its retailer sells.' });

export const SalesRanks = z
  .array(SalesRankBody)
  .nullable()
  .openapi({
    description:
      'Sales ranks that the page or API of the retailer states, the widest category first. Null: it states none. Of the ' +
      'seven, retailer_a shows them, and the API of retailer_b.',
  });

export type SalesRanks = z.infer<typeof SalesRanks>;
