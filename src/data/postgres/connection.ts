// One connection to PostgreSQL as the store uses it. Related statements are sent together, so that a transaction costs one
// round trip however many statements it has. Values are returned as text, number or null.

import type { Writable } from 'node:stream';

import { Client } from 'pg';

import { asClientSays } from './database-url.ts';
import { faultKindOf, isUnprepared, UnsentStatement } from './faults.ts';
import type { Row, SqlValue, Statement } from '../sql.ts';
import { checkedCount, checkedValue, countParameters } from '../statement-values.ts';
import { StoreUnavailable } from '../sql.ts';

/** The rows of `returning` or `select`, or why there are none. */
export type StatementOutcome = readonly Row[] | Error;

export type PostgresConnection = {
  /**
   * Sends all statements at once. Returns one outcome each, in order; after an error inside a transaction all are errors.
   */
  run(statements: readonly Statement[]): Promise<readonly StatementOutcome[]>;
  /** Commits. Null means that the transaction is durable. */
  commit(): Promise<Error | null>;
  /** Identifies the server process of this connection. No two open connections have the same one. */
  readonly backend: string;
  /** Whether the connection was lost and cannot be used again. */
  isLost(): boolean;
  /** Ends the connection at once. Uncommitted work is rolled back. */
  destroy(): void;
  close(): Promise<void>;
};

export type SessionSettings = {
  readonly url: string;
  /** Whether a standby is acceptable; not for reads that must see the latest writes. */
  readonly mayFollow?: boolean;
  /** Connect timeout; 10 s if absent. */
  readonly connectTimeoutMs?: number;
  /** Statement timeout; 0 means no limit. */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
};

const CONNECT_TIMEOUT_MS = 10_000;
/** A process that hangs must not keep its locks any longer. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** A response this much later than the statement's own timeout is not expected any more. */
const SILENCE_MS = 10_000;
/** Maximum statements that a connection keeps prepared. The code has fewer texts, except those with value lists. */
const MAX_CACHED = 256;

/** Connects. Rejects with StoreUnavailable. */
export async function connectPostgres(settings: SessionSettings): Promise<PostgresConnection> {
  const client = clientFor(settings);
  let isLost = false;
  // Without a listener, the end of an idle connection would end the process.
  client.on('error', () => {
    isLost = true;
  });
  client.on('end', () => {
    isLost = true;
  });
  const destroy = () => {
    isLost = true;
    void client.end().catch(() => undefined);
    innerOf(client).stream.destroy();
  };
  let backend: string;
  try {
    await client.connect();
    backend = await prepareSession(client, settings);
  } catch (error) {
    destroy();
    throw error;
  }
  const named = new Map<string, Named>();
  const noted = (error: Error): Error => {
    if (faultKindOf(error) === 'connection') isLost = true;
    return error;
  };
  return {
    run: async (statements) => {
      const { stream } = innerOf(client);
      // Without this, each statement is a system call and wakes the server.
      stream.cork();
      const sent = statements.map((each) => runOne(client, named, each));
      stream.uncork();
      const outcomes = await Promise.all(sent);
      const errors = outcomes.filter((each) => each instanceof Error);
      // A statement after the first error was not prepared, and the server then does not know it.
      errors.filter((each, at) => at === 0 || !isUnprepared(each)).forEach(noted);
      return outcomes;
    },
    commit: async () => {
      try {
        const { command } = await client.query('commit');
        return command === 'COMMIT'
          ? null
          : new StoreUnavailable('the transaction was rolled back');
      } catch (error) {
        return noted(asError(error));
      }
    },
    backend,
    isLost: () => isLost,
    destroy,
    close: async () => {
      if (isLost) destroy();
      else await client.end();
    },
  };
}

function clientFor({ url, statementTimeoutMs, connectTimeoutMs }: SessionSettings): Client {
  const client = new Client({
    connectionString: asClientSays(url),
    fallback_application_name: 'openshelf',
    connectionTimeoutMillis: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...(statementTimeoutMs === 0 ? {} : { query_timeout: statementTimeoutMs + SILENCE_MS }),
    pipeline: true,
    types: { getTypeParser: (oid: number) => (text: string | null) => valueOf(oid, text) },
  });
  const inner = innerOf(client);
  inner.ssl = withChecks(inner.ssl);
  return client;
}

export type Encrypting = { readonly host: string; readonly isEncrypted: boolean };

/**
 * Returns the server of a single-server address, and whether the connection would be encrypted. Sends nothing. Throws if a
 * file named in the address is missing.
 */
export function encryptionOf(url: string): Encrypting {
  const client = clientFor({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  return { host: client.host, isEncrypted: innerOf(client).ssl !== false };
}

type Inner = {
  /** The socket. It stays open if connecting was abandoned half-way. */
  readonly stream: Writable;
  /** The encryption settings from the address, with the files they name already read. */
  ssl: Encryption;
};

/** The options that the client passes to `node:tls`; `true` means its defaults. */
type Encryption = boolean | { rejectUnauthorized?: boolean };

/**
 * Returns the same, but with the certificate checked unless the address states otherwise. If it states nothing,
 * NODE_TLS_REJECT_UNAUTHORIZED decides.
 */
function withChecks(asked: Encryption): Encryption {
  if (asked === false) return false;
  return { rejectUnauthorized: true, ...(asked === true ? {} : asked) };
}

function innerOf(client: Client): Inner {
  // SAFETY: the client's own field, which its types leave out.
  return (client as unknown as { readonly connection: Inner }).connection;
}

/**
 * Prepares the session with statements, not in the connection's first message, which poolers read only in part. Commits wait
 * for the disk regardless of the server's default; if they also wait for standbys, they still do. Only `begin read write` can
 * write. A move of a store is one long transaction, and idle connections wait for calls: the server's time limits for both are
 * lifted, because they would end them half-way. Returns the backend.
 */
async function prepareSession(client: Client, settings: SessionSettings): Promise<string> {
  const { statementTimeoutMs, lockTimeoutMs } = settings;
  await client.query(
    `set statement_timeout = ${statementTimeoutMs};
     set lock_timeout = ${lockTimeoutMs};
     set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
     set default_transaction_isolation = 'read committed';
     set default_transaction_read_only = on`,
  );
  const { rows } = await client.query<{ encoding: string; follows: number; backend: string }>(
    `select current_setting('server_encoding') as encoding, pg_is_in_recovery() as follows,
       pg_backend_pid() || ' ' || extract(epoch from pg_postmaster_start_time()) as backend,
       case when current_setting('synchronous_commit') = 'off'
         then set_config('synchronous_commit', 'on', false) end as durable,
       ${unlimited('transaction_timeout')} as lasting, ${unlimited('idle_session_timeout')} as waiting`,
  );
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new StoreUnavailable(`the database has the encoding ${encoding}; it must be UTF8`);
  }
  if (settings.mayFollow !== true && rows[0]?.follows === 1) {
    throw new StoreUnavailable('the server is a standby, which accepts no writes');
  }
  return rows[0]?.backend ?? '';
}

/** PostgreSQL has these two settings from 17 and 14 on. A setting unknown to the server is skipped. */
function unlimited(name: 'transaction_timeout' | 'idle_session_timeout'): string {
  return `case when current_setting('${name}', true) is not null then set_config('${name}', '0', false) end`;
}

type Named = { readonly name: string; readonly parameters: number };

async function runOne(
  client: Client,
  named: Map<string, Named>,
  { text, params = [] }: Statement,
): Promise<StatementOutcome> {
  const known = named.get(text);
  try {
    checkedCount(params, known?.parameters ?? countParameters(text), text);
    params.forEach(checkedValue);
  } catch (error) {
    return new UnsentStatement(asError(error).message);
  }
  try {
    const name = known?.name ?? (params.length > 0 ? nameFor(named, text, params.length) : null);
    const query = {
      text,
      values: [...params],
      // One statement a text, as in SQLite; never several.
      queryMode: 'extended',
      ...(name === null ? {} : { name }),
    };
    const { rows } = await client.query<Record<string, SqlValue>>(query);
    return rows;
  } catch (error) {
    return asError(error);
  }
}

/** Null if the limit of prepared statements is reached: the text is then parsed each time. */
function nameFor(named: Map<string, Named>, text: string, parameters: number): string | null {
  if (named.size >= MAX_CACHED) return null;
  const name = `s${named.size + 1}`;
  named.set(text, { name, parameters });
  return name;
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const BOOL = 16;
/** int8, int2, int4, float4, float8, numeric: the types of sums and counts. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]);

/**
 * Converts a value to the form that SQLite returns: booleans are 0 and 1, numbers exact or rejected, everything else is
 * text.
 */
function valueOf(oid: number, text: string | null): SqlValue {
  if (text === null) return null;
  if (oid === BOOL) return text === 't' ? 1 : 0;
  if (!NUMBERS.has(oid)) return text;
  const value = Number(text);
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new RangeError(
    `the database returned ${text}, which a JavaScript number cannot represent exactly`,
  );
}
