// Pages of lists that go from the newest to the oldest: `next` of one is `cursor` of the one behind it.

import { FaultError, INVALID_CURSOR } from '../core/fault.ts';

/** Where a page ends: its last entry. */
export type Place = { readonly createdAtMs: number; readonly id: string };

export const DEFAULT_PAGE = 100;

/** The first `limit` of what was found, and the cursor of what comes behind; null: nothing was found behind it. */
export function pageOf<Entry>(
  found: readonly Entry[],
  limit: number,
  placeOf: (entry: Entry) => Place,
): { readonly entries: readonly Entry[]; readonly next: string | null } {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  if (found.length <= limit || last === undefined) return { entries, next: null };
  const { createdAtMs, id } = placeOf(last);
  return { entries, next: `${createdAtMs}.${id}` };
}

/** Null without a cursor. `prefix`: of the ids of the list. Throws FaultError invalid_parameter on any other text. */
export function placeIn(cursor: string | undefined, prefix: string): Place | null {
  if (cursor === undefined) return null;
  const [, at = '', id = '', kind = ''] = /^(\d{1,15})\.(([a-z]{3})_[\w-]{22})$/.exec(cursor) ?? [];
  if (kind === prefix) return { createdAtMs: Number(at), id };
  throw new FaultError(INVALID_CURSOR);
}
