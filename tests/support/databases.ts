// PostgreSQL databases for tests. Each test has its own, which is removed with it. They are made on the server that tests/run.ts
// started; a test file that runs alone starts a server at its first query.

import { Client } from 'pg';

import { openStore } from '../../src/data/store.ts';
import { installBinaries } from './postgres-binaries.ts';
import { startPostgres } from './postgres-server.ts';

/** The variable with the server of the run, for the processes of its test files. */
export const SERVER_VARIABLE = 'OPENSHELF_TEST_POSTGRES';
/** `postgres`: test services without a database of their own store there. */
export const DATABASE_VARIABLE = 'OPENSHELF_TEST_DATABASE';

const TEMPLATE = 'openshelf_template';

export type TestDatabase = AsyncDisposable & { readonly url: string };

let server: Promise<string> | null = null;

function serverUrl(): Promise<string> {
  const given = process.env[SERVER_VARIABLE];
  server ??=
    given === undefined ? startTestServer().then(({ url }) => url) : Promise.resolve(given);
  return server;
}

/** Starts a server whose new databases can have the schema from the start. */
export async function startTestServer() {
  installBinaries();
  const started = await startPostgres();
  await command(started.url, `create database ${TEMPLATE}`);
  const template = { kind: 'postgres', url: urlOf(started.url, TEMPLATE) } as const;
  await (await openStore(template))[Symbol.asyncDispose]();
  return started;
}

/** Runs one statement as a superuser. */
export async function command(url: string, text: string): Promise<void> {
  await withClient(url, (client) => client.query(text));
}

/** Gives `work` its own connection, independent of the store. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

let strategy: Promise<string> | null = null;

/** Returns the strategy that, where supported, is five times as fast for small databases without a sync. */
function copying(at: string): Promise<string> {
  strategy ??= withClient(at, async (client) => {
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    );
    return Number(rows[0]?.version) >= 150_000 ? 'strategy file_copy' : '';
  });
  return strategy;
}

let made = 0;

/** Creates a database: with the schema of the store, or empty. */
export async function newDatabase(kind: 'migrated' | 'empty'): Promise<TestDatabase> {
  const at = await serverUrl();
  const name = `test_${process.pid}_${(made += 1)}`;
  const template = kind === 'migrated' ? TEMPLATE : 'template0';
  await command(at, `create database ${name} template ${template} ${await copying(at)}`);
  return {
    url: urlOf(at, name),
    [Symbol.asyncDispose]: () => command(at, `drop database if exists ${name} with (force)`),
  };
}

/** Returns whether test services use PostgreSQL in this run. */
export function isOnPostgres(): boolean {
  const name = process.env[DATABASE_VARIABLE] ?? 'sqlite';
  if (name !== 'sqlite' && name !== 'postgres') {
    throw new Error(`${DATABASE_VARIABLE} is sqlite or postgres, not ${name}`);
  }
  return name === 'postgres';
}
