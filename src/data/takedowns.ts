// Hosts that the operator took down (D52). The list is in three places: this table, which every process reads; a file in
// the data folder; and a file next to each backup. Of two entries for one host the later one counts, so lists can be merged
// in any order.

import type { Row, Sql, Statement } from './sql.ts';

export type Takedown = {
  /** Lower-case ASCII, without a trailing dot. It also covers every subdomain. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly takenDownAtMs: number;
  /** When the host was allowed again; null if it is still taken down. */
  readonly undoneAtMs: number | null;
};

/** Returns every entry, including undone ones, by host. */
export async function findTakedowns(sql: Pick<Sql, 'all'>): Promise<readonly Takedown[]> {
  const rows = await sql.all('select * from takedowns order by host');
  return rows.map(toTakedown);
}

function toTakedown(row: Row): Takedown {
  const { undone_at_ms: undone } = row;
  return {
    host: String(row['host']),
    takenDownAtMs: Number(row['taken_down_at_ms']),
    undoneAtMs: undone === null || undone === undefined ? null : Number(undone),
  };
}

/** Returns the taken-down hosts without any stored data. */
export async function findCleared(sql: Pick<Sql, 'all'>): Promise<ReadonlySet<string>> {
  const rows = await sql.all(
    'select host from takedowns where undone_at_ms is null and is_cleared = 1',
  );
  return new Set(rows.map((row) => String(row['host'])));
}

/**
 * Records whether all stored data of a host has been deleted. If not, the next start of the service continues the deletion.
 */
export function setCleared(host: string, isCleared: boolean): Statement {
  return {
    text: 'update takedowns set is_cleared = $2 where host = $1',
    params: [host, Number(isCleared)],
  };
}

/** Writes an entry; an older one never replaces a newer one. */
export function upsertTakedown({ host, takenDownAtMs, undoneAtMs }: Takedown): Statement {
  return {
    text: `insert into takedowns (host, taken_down_at_ms, undone_at_ms) values ($1, $2, $3)
      on conflict (host) do update set
        taken_down_at_ms = excluded.taken_down_at_ms, undone_at_ms = excluded.undone_at_ms,
        is_cleared = 0
      where coalesce(excluded.undone_at_ms, excluded.taken_down_at_ms)
        > coalesce(takedowns.undone_at_ms, takedowns.taken_down_at_ms)`,
    params: [host, takenDownAtMs, undoneAtMs],
  };
}

/** Whether the takedown is still in effect. */
export function isTakedownInForce({ undoneAtMs }: Takedown): boolean {
  return undoneAtMs === null;
}

/** Whether a host is the one taken down, or a subdomain of it. */
export function isAtOrBelow(host: string, takenDown: string): boolean {
  return host === takenDown || host.endsWith(`.${takenDown}`);
}

/** Returns the host of an address in the form used by takedowns; null if the text is not an address. */
export function hostOfAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.hostname.replace(/\.$/, '');
}

/** Returns the later entry of each host, by host. */
export function joinedTakedowns(...lists: readonly (readonly Takedown[])[]): readonly Takedown[] {
  const byHost = new Map<string, Takedown>();
  for (const entry of lists.flat()) {
    const known = byHost.get(entry.host);
    if (known === undefined || changedAtMs(entry) > changedAtMs(known)) {
      byHost.set(entry.host, entry);
    }
  }
  return [...byHost.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
}

function changedAtMs({ takenDownAtMs, undoneAtMs }: Takedown): number {
  return undoneAtMs ?? takenDownAtMs;
}
