// The facts that an organization brought: when they were read, and how they are deleted: its own rows, their history, and
// the common rows that were there only for them.

import { deleteYearsOf } from '../history/packed-observations.ts';
import { deleteObservationsOf } from '../history/recent-observations.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { numberOrNull, placeholdersOf } from '../statement-values.ts';
import { LAYERED } from './layers.ts';
import { revise } from './revisions.ts';

/** Returns when the facts of a row were read (ms since 1970); null if there are none. */
export async function findReadAt(sql: Sql, rowId: string): Promise<number | null> {
  const rows = await sql.all('select fetched_at_ms as at_ms from listings where id = $1', [rowId]);
  return numberOrNull(rows[0]?.['at_ms']);
}

/** Rows of one transaction: each revises two listings, and more than 64 would revise everything. */
const BATCH = 32;

/** Deletes the organization's row with this id, or all of them with null. Returns how many there were. */
export async function deleteOwnFacts(
  sql: Sql,
  organizationId: string,
  rowId: string | null,
): Promise<number> {
  for (let deleted = 0; ;) {
    const rows = await sql.all(
      `select id, layer_of, gtin14 from listings where organization_id = $1 and ($2 = '' or id = $2)
       order by id limit ${BATCH}`,
      [organizationId, rowId ?? ''],
    );
    if (rows.length === 0) return deleted;
    await sql.write(deletionOf(rows, sql.dialect));
    deleted += rows.length;
  }
}

function deletionOf(rows: readonly Row[], dialect: Sql['dialect']): readonly Statement[] {
  const ids = rows.map(({ id }) => String(id));
  const commonIds = [...new Set(rows.map(({ layer_of: over }) => String(over)))];
  const gtins = rows.flatMap(({ gtin14 }) => (typeof gtin14 === 'string' ? [gtin14] : []));
  return [
    // Locks the listings against other writers of them.
    ...revise({ listingIds: [...ids, ...commonIds], gtins, isEverything: false }, dialect),
    deleteObservationsOf(ids),
    deleteYearsOf(ids),
    { text: `delete from listings where id in (${placeholdersOf(ids, 1)})`, params: ids },
    {
      text: `delete from listings where id in (${placeholdersOf(commonIds, 1)}) and outcome = '${LAYERED}'
        and record is null
        and not exists (select 1 from listings as layers where layers.layer_of = listings.id)
        and not exists (select 1 from cells where cells.listing_id = listings.id)`,
      params: commonIds,
    },
  ];
}
