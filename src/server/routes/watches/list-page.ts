// Pages of lists ordered from newest to oldest: `next` of one page is `cursor` of the following one.

import { FaultError, INVALID_CURSOR } from '../../../base/fault.ts';

/** The end of a page: its last entry. */
type Place = { readonly createdAtMs: number; readonly id: string };

export const DEFAULT_PAGE = 100;

/**
 * A page ends before its limit once its JSON has this many characters. A watch of long addresses has 100,000, and 500 of
 * them took seconds of the serving thread.
 */
const MOST_CHARACTERS = 1_048_576;
const READ_AT_ONCE = 20;

type WantedPage<Entry, Shown> = {
  /** Maximum entries of a page. */
  readonly limit: number;
  readonly after: Place | null;
  /** Reads the first `count` entries after a place. */
  readonly read: (count: number, after: Place | null) => Promise<readonly Entry[]>;
  readonly placeOf: (entry: Entry) => Place;
  readonly show: (entry: Entry) => Shown;
};

/** Returns the entries of a page, and the cursor of the next page; null if there is none. */
export async function readPage<Entry, Shown>({
  limit,
  after,
  read,
  placeOf,
  show,
}: WantedPage<Entry, Shown>): Promise<{
  readonly entries: Shown[];
  readonly next: string | null;
}> {
  const entries: Shown[] = [];
  let characters = 0;
  for (let place = after; ;) {
    const count = Math.min(READ_AT_ONCE, limit - entries.length);
    const found = await read(count + 1, place);
    for (const [at, entry] of found.slice(0, count).entries()) {
      const shown = show(entry);
      entries.push(shown);
      characters += JSON.stringify(shown).length;
      place = placeOf(entry);
      const isLast = at + 1 === found.length;
      if (isLast) return { entries, next: null };
      if (entries.length === limit || characters >= MOST_CHARACTERS) {
        return { entries, next: `${place.createdAtMs}.${place.id}` };
      }
    }
    if (found.length === 0) return { entries, next: null };
  }
}

/**
 * Returns the place for a cursor; null without a cursor. `prefix` is the prefix of the list's ids. Throws FaultError
 * invalid_parameter on any other text.
 */
export function placeOfCursor(cursor: string | undefined, prefix: string): Place | null {
  if (cursor === undefined) return null;
  const [, at = '', id = '', kind = ''] = /^(\d{1,15})\.(([a-z]{3})_[\w-]{22})$/.exec(cursor) ?? [];
  if (kind === prefix) return { createdAtMs: Number(at), id };
  throw new FaultError(INVALID_CURSOR);
}
