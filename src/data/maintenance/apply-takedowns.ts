// Merges the lists of takedowns. Hosts that a file lists and the table lacks are taken down in the database, as after
// restoring an older backup. An interrupted takedown is completed.

import type { Slug } from '../../base/retailer.ts';
import type { Sql } from '../sql.ts';
import {
  findCleared,
  findTakedowns,
  isTakedownInForce,
  joinedTakedowns,
  setCleared,
  upsertTakedown,
  type Takedown,
} from '../takedowns.ts';

type AppliedTakedowns = {
  /** Every entry that is known now. */
  readonly entries: readonly Takedown[];
  /** Hosts whose data was deleted now. */
  readonly applied: readonly string[];
};

/**
 * Adds entries to the table. Deletes the stored data of each host that these entries take down, or whose takedown was not
 * finished; with `isThorough`, of every host that is taken down.
 */
export async function applyTakedowns(
  sql: Sql,
  given: readonly Takedown[],
  retailersAt: (host: string) => readonly Slug[],
  isThorough = false,
): Promise<AppliedTakedowns> {
  const before = await findTakedowns(sql);
  const cleared = await findCleared(sql);
  const entries = joinedTakedowns(before, given);
  const applied = entries
    .filter((entry) => isTakedownInForce(entry) && (isThorough || !cleared.has(entry.host)))
    .map(({ host }) => host);
  for (const host of applied) {
    // Loaded only here: most services start without a takedown.
    const { takeDown } = await import('./take-down.ts');
    await takeDown(sql, { host, retailers: retailersAt(host) }, false);
  }
  // Written last, so that an interrupted run starts over.
  const written = [
    ...(given.length > 0 ? entries.map(upsertTakedown) : []),
    ...applied.map((host) => setCleared(host, true)),
  ];
  if (written.length > 0) await sql.write(written);
  return { entries, applied };
}
