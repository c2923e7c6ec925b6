// Hosts that the operator took down (D52). The list has three places: this table, which every process reads; a file in
// the data folder; and a file next to each backup. Of two entries for one host the later one counts, so lists can be
// joined in any order.

import type { Row, Sql, Statement } from './sql.ts';

export type Takedown = {
  /** Lower-case ASCII, without a trailing dot. It stands for every host below it too. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly takenDownAtMs: number;
  /** When the host was allowed again; null if it is still taken down. */
  readonly undoneAtMs: number | null;
};

/** Every entry, including undone ones, by host. */
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

/** Taken-down hosts of which nothing is kept any more. */
export async function findCleared(sql: Pick<Sql, 'all'>): Promise<ReadonlySet<string>> {
  const rows = await sql.all(
    'select host from takedowns where undone_at_ms is null and is_cleared = 1',
  );
  return new Set(rows.map((row) => String(row['host'])));
}

/** Notes whether everything kept of a host has been deleted. If it has not, a start of the service goes on with that. */
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

/** Whether the takedown was not undone. */
export function isTakedownInForce({ undoneAtMs }: Takedown): boolean {
  return undoneAtMs === null;
}

/** Whether a host is the one that was taken down, or below it. */
export function isAtOrBelow(host: string, takenDown: string): boolean {
  return host === takenDown || host.endsWith(`.${takenDown}`);
}

/** The host of an address as takedowns name hosts; null for a text that is no address. */
export function hostOfAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return url.hostname.replace(/\.$/, '');
}

/** The later entry of each host, by host. */
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
