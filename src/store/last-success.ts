// When a retailer was last read with success: the newest record of its listings.

import type { Slug } from '../core/retailer.ts';
import type { Sql } from './sql.ts';

/** Milliseconds, null when nothing was ever read. An index of its own answers it, however many listings there are. */
export async function lastSuccessOf(sql: Sql, retailer: Slug): Promise<number | null> {
  const rows = await sql.all(
    `select max(fetched_at_ms) as at_ms from listings
     where retailer = $1 and fetched_at_ms is not null`,
    [retailer],
  );
  const atMs = rows[0]?.['at_ms'];
  return typeof atMs === 'number' ? atMs : null;
}
