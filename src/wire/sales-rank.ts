// `sales_rank` of the record and of a cell: its schema, and how it is presented.

import { z } from '@hono/zod-openapi';

import type { SalesRank } from '../listing/sales-rank.ts';
import { text } from './fields.ts';

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

/** A list without an entry is none (D23). */
export function presentSalesRank(ranks: readonly SalesRank[]): z.infer<typeof SalesRanks> {
  if (ranks.length === 0) return null;
  return ranks.map(({ category, rank }) => ({ category, rank }));
}
