// Migrations bring the schema to the newest version. They are numbered files, never edited once released. Each runs once and in
// order, in one transaction with the row that says so. There is no way back.

import { readFileSync, readdirSync } from 'node:fs';

import { NOTHING_LEFT, renameShops } from './rename-shops.ts';
import type { Sql, Statement } from './sql.ts';
import { StoreUnavailable } from './sql.ts';

export type Migration = { readonly version: number; readonly statements: readonly string[] };

const FOLDER = new URL('./migrations/', import.meta.url);

/** The migrations that ship with the code, in order. Throws if the numbers have a gap. */
export function readMigrations(): readonly Migration[] {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .toSorted();
  return files.map((name, index) => {
    const version = Number(name.slice(0, 4));
    if (version !== index + 1) throw new Error(`migration ${name} is not number ${index + 1}`);
    return {
      version,
      // Read only if the migration is missing: at nearly every start none is, and reading them took 3 ms.
      get statements() {
        return statementsOf(readFileSync(new URL(name, FOLDER), 'utf8'));
      },
    };
  });
}

/** Statements end with a semicolon at the end of a line; comments stand on lines of their own. */
function statementsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * Runs the migrations that are missing. Two processes that start together are safe: one waits for the other's lock, then finds
 * the migration's row and rolls back. Rejects, and changes nothing, if the database was written by a newer version of this
 * program, or by another program.
 */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  if (await isOfAnotherProgram(sql)) {
    throw new StoreUnavailable('the database belongs to another program: use another data folder');
  }
  if (!(await hasVersions(sql))) {
    await sql.write([...aloneIn(sql.dialect), { text: adapted(VERSIONS_TABLE, sql.dialect) }]);
  }
  const rows = await sql.all('select version from schema_versions order by version');
  const applied = new Set(rows.map((row) => Number(row['version'])));
  const newest = migrations.at(-1)?.version ?? 0;
  const found = Math.max(0, ...applied);
  if (found > newest) {
    throw new StoreUnavailable(
      `the data has schema version ${found}, this program knows up to ${newest}: ` +
        'start the newer program, or restore a backup made by this one',
    );
  }
  for (const migration of migrations) {
    if (applied.has(migration.version)) continue;
    await run(sql, migration);
  }
}

/** Migrations with statements that are made from what is held; these follow the statements of their files. */
const MADE_FROM_DATA: ReadonlyMap<number, (sql: Sql) => Promise<readonly Statement[]>> = new Map([
  [16, renameShops],
]);
/** How often the data is read again because another process has written between reading and writing. */
const MOST_TRIES = 5;

async function run(sql: Sql, migration: Migration): Promise<void> {
  const first = [...aloneIn(sql.dialect), versionRowOf(migration)];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const made = (await MADE_FROM_DATA.get(migration.version)?.(sql)) ?? [];
    const statements = [...first, ...statementsFor(migration, sql.dialect), ...made];
    const result = await sql.write(statements);
    if (result.done || result.refusedBy !== NOTHING_LEFT) return;
  }
  throw new StoreUnavailable(
    `migration ${migration.version} could not finish, because another process of an older version keeps writing: ` +
      'stop it, then start again',
  );
}

/** The statement that a new database runs at its first moment. */
export function firstStatement(dialect: Sql['dialect']): string {
  return adapted(VERSIONS_TABLE, dialect);
}

/** The statements that make the newest schema in a database without data. */
export function allStatements(dialect: Sql['dialect']): readonly string[] {
  const migrated = readMigrations().flatMap((each) => statementsFor(each, dialect));
  return [firstStatement(dialect), ...migrated.map(({ text }) => text)];
}

/**
 * The schema version of the data, which may differ from this program's. 0 before its first migration, null if there is no data.
 */
export async function schemaVersionOf(sql: Pick<Sql, 'all' | 'dialect'>): Promise<number | null> {
  if (!(await hasVersions(sql))) return null;
  const [{ newest } = {}] = await sql.all('select max(version) as newest from schema_versions');
  return Number(newest ?? 0);
}

/**
 * Whether the first table of this program exists. On PostgreSQL it is looked for in the schema in which it would be made:
 * another installation may have its tables in a later one of the `search_path`. A question is used, because a user may be
 * allowed to use tables and not to make any.
 */
async function hasVersions(sql: Pick<Sql, 'all' | 'dialect'>): Promise<boolean> {
  const there =
    sql.dialect === 'sqlite'
      ? "select count(*) as found from sqlite_schema where name = 'schema_versions'"
      : `select count(*) as found from pg_class
         where relname = 'schema_versions' and relnamespace = to_regnamespace(quote_ident(current_schema()))`;
  const [{ found } = {}] = await sql.all(there);
  return found === 1;
}

/** Whether the file has tables, but not ours. On a server, other programs may have tables beside ours. */
async function isOfAnotherProgram(sql: Sql): Promise<boolean> {
  if (sql.dialect !== 'sqlite') return false;
  const rows = await sql.all("select name from sqlite_schema where type = 'table'");
  return rows.length > 0 && !rows.some(({ name }) => name === 'schema_versions');
}

const VERSIONS_TABLE = `create table if not exists schema_versions (
  version integer not null primary key
)`;

function versionRowOf({ version }: Migration): Statement {
  return {
    text: `insert into schema_versions (version) values ($1)
      on conflict (version) do nothing returning version`,
    params: [version],
    mustReturn: true,
  };
}

/** The statements of one database: what the other does not know stands in a comment that names the database. */
function statementsFor({ statements }: Migration, dialect: Sql['dialect']): readonly Statement[] {
  return statements
    .map((text) =>
      text.replaceAll(/\s*\/\* (sqlite|postgres): (.*?) \*\//g, (_, of: string, its: string) =>
        of === dialect ? ` ${its}` : '',
      ),
    )
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ text: adapted(text, dialect) }));
}

/** Any number, the same in every version of this program. */
const MIGRATION_LOCK = 7_306_933_847;

/**
 * On PostgreSQL one process at a time changes the schema, until its transaction ends. If two created one table at the same
 * moment, the second would fail, with `if not exists` too. SQLite always has one writer.
 */
function aloneIn(dialect: Sql['dialect']): readonly Statement[] {
  if (dialect === 'sqlite') return [];
  return [{ text: `select pg_advisory_xact_lock(${MIGRATION_LOCK}) as locked` }];
}

/** Adapts a statement, which is written for both databases, to one of them. Only this function does. */
function adapted(statement: string, dialect: Sql['dialect']): string {
  if (/^create table\b/i.test(statement)) {
    return dialect === 'sqlite' ? `${wholeNumbers(statement)} strict` : byteOrdered(statement);
  }
  if (/^alter table \w+ add column\b/i.test(statement)) {
    return dialect === 'sqlite' ? wholeNumbers(statement) : byteOrdered(statement);
  }
  return statement;
}

/** SQLite refuses a text in a number column only in a strict table, and such a table knows `integer` and not `bigint`. */
function wholeNumbers(statement: string): string {
  return statement.replaceAll(/\bbigint\b/g, 'integer').replaceAll(/\bdouble precision\b/g, 'real');
}

/**
 * Texts are compared by their bytes, as SQLite compares them, whatever the language of the database. A listing's address may be
 * too long for an entry of PostgreSQL's indexes. Its id, which is made from it, is unique in its place.
 */
function byteOrdered(table: string): string {
  return table
    .replaceAll(/\btext\b/g, 'text collate "C"')
    .replace(/\n\s*unique \(retailer, listing_key\),/, '');
}
