// The servers that an address names, and which of them takes writes now. With several, each new connection looks for the
// primary, so that the process finds a promoted standby by itself.

import { hostUrls } from './database-url.ts';
import {
  asError,
  connectPostgres,
  type PostgresConnection,
  type SessionSettings,
} from './connection.ts';
import { hasNoRoom } from './faults.ts';
import { StoreUnavailable } from '../sql.ts';

export type PostgresHosts = {
  /** A connection to the server that takes writes. Rejects as the last server did, when there is none. */
  connect(settings: Omit<SessionSettings, 'url'>): Promise<PostgresConnection>;
  /** Ends every connection: what runs on them fails as if they had been lost. */
  abandon(): void;
};

/** A host that does not answer must not keep a connection from the next one. */
const CONNECT_TIMEOUT_MS = 3_000;
/** For so long a failed search is not repeated: a standby that is being promoted is not flooded with connections. */
const LOOK_AGAIN_MS = 200;

/**
 * Which history of the cluster a server writes, as eight hexadecimal digits: a standby that is promoted begins the next
 * one, so a primary with an earlier one than was seen before is an old primary that runs on.
 */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8)';

type Search = {
  /** The server that took writes last: the likeliest to do so. */
  likely: number;
  newest: string;
  failed: { readonly error: unknown; readonly until: AbortSignal } | null;
};

/** `url`: one server or several, as `readDatabaseUrl` takes it. */
export function createPostgresHosts(url: string): PostgresHosts {
  const all = hostUrls(url);
  const search: Search = { likely: 0, newest: '', failed: null };
  const open = new Set<PostgresConnection>();
  return {
    connect: async (settings) => {
      const connection = await (all.length === 1
        ? connectPostgres({ ...settings, url: all[0] ?? url })
        : connectToOne(all, search, settings));
      for (const each of open) if (each.isLost()) open.delete(each);
      open.add(connection);
      return connection;
    },
    abandon: () => {
      for (const each of open) each.destroy();
      open.clear();
    },
  };
}

async function connectToOne(
  all: readonly string[],
  search: Search,
  settings: Omit<SessionSettings, 'url'>,
): Promise<PostgresConnection> {
  if (search.failed !== null && !search.failed.until.aborted) throw search.failed.error;
  let failure: unknown = new StoreUnavailable('the address names no server');
  const from = search.likely;
  for (const step of all.keys()) {
    const at = (from + step) % all.length;
    try {
      const connectTimeoutMs = CONNECT_TIMEOUT_MS;
      const connection = await connectPostgres({
        ...settings,
        url: all[at] ?? '',
        connectTimeoutMs,
      });
      await refuseOld(connection, search);
      search.likely = at;
      search.failed = null;
      return connection;
    } catch (error) {
      // Whoever learns that one is full can make room there, and need not be told that the next only follows it.
      if (!hasNoRoom(asError(failure))) failure = error;
    }
  }
  if (hasNoRoom(asError(failure))) throw failure;
  search.failed = { error: failure, until: AbortSignal.timeout(LOOK_AGAIN_MS) };
  throw failure;
}

/** Ends the connection to a primary that another one has taken the place of. */
async function refuseOld(connection: PostgresConnection, search: Search): Promise<void> {
  const [answer] = await connection.run([{ text: `select ${TIMELINE} as timeline` }]);
  // A server that does not tell cannot be compared.
  const timeline = answer === undefined || answer instanceof Error ? '' : answer[0]?.['timeline'];
  if (typeof timeline !== 'string' || timeline === '') return;
  if (timeline < search.newest) {
    connection.destroy();
    throw new StoreUnavailable('the server was the primary before another one was promoted');
  }
  search.newest = timeline;
}
