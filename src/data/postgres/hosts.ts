// The servers that an address names, and which of them currently accepts writes. If there are several, each new connection
// looks for the primary, so that the process finds a promoted standby by itself.

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
  /** Connects to the server that takes writes. If there is none, rejects with the error of the last server. */
  connect(settings: Omit<SessionSettings, 'url'>): Promise<PostgresConnection>;
  /** Ends every connection. Running statements fail as if the connection had been lost. */
  abandon(): void;
};

/** An unresponsive host must not delay the next one any longer. */
const CONNECT_TIMEOUT_MS = 3_000;
/** A failed search is not repeated for this long, so that a standby being promoted is not flooded with connections. */
const CHECK_AGAIN_MS = 200;

/**
 * The timeline that a server writes, as eight hexadecimal digits. A promoted standby begins the next one. A primary with an
 * earlier timeline than seen before is therefore an old primary that is still running.
 */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8)';

type Search = {
  /** The server that last accepted writes, which most likely still does. */
  likely: number;
  newest: string;
  failed: { readonly error: unknown; readonly until: AbortSignal } | null;
};

/** `url` names one server or several, as `readDatabaseUrl` accepts it. */
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
  let failure: unknown = new StoreUnavailable('the address contains no server');
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
      // An error stating that a server is full is kept: the caller can make room there. It matters less that the next
      // server is only a standby.
      if (!hasNoRoom(asError(failure))) failure = error;
    }
  }
  if (hasNoRoom(asError(failure))) throw failure;
  search.failed = { error: failure, until: AbortSignal.timeout(CHECK_AGAIN_MS) };
  throw failure;
}

/** Ends the connection to a primary that has been replaced by another. */
async function refuseOld(connection: PostgresConnection, search: Search): Promise<void> {
  const [answer] = await connection.run([{ text: `select ${TIMELINE} as timeline` }]);
  // A server that does not state its timeline cannot be compared.
  const timeline = answer === undefined || answer instanceof Error ? '' : answer[0]?.['timeline'];
  if (typeof timeline !== 'string' || timeline === '') return;
  if (timeline < search.newest) {
    connection.destroy();
    throw new StoreUnavailable('the server was the primary before another one was promoted');
  }
  search.newest = timeline;
}
