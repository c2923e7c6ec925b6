// Migrations bring the schema to the newest version. They are numbered files, with the same numbers for both databases, and are
// never edited once released. Each runs once and in order, in one transaction with the row that records it. There are no down
// migrations. A database of an older program is refused and left unchanged.

import { readdirSync, readFileSync } from 'node:fs';

import { StoreUnavailable, type Sql, type Statement } from './sql.ts';
import { refuseUnknownObjects } from './unknown-objects.ts';

type Migration = { readonly version: number; readonly statements: readonly string[] };

type Dialect = Sql['dialect'];
type Readable = Pick<Sql, 'all' | 'dialect'>;

const FOLDERS: Readonly<Record<Dialect, URL>> = {
  sqlite: new URL('./schema/sqlite/', import.meta.url),
  postgres: new URL('./schema/postgres/', import.meta.url),
};

/** Returns the migrations of a database that ship with the code, in order. Throws if the numbers have a gap. */
export function readMigrations(dialect: Dialect): readonly Migration[] {
  const folder = FOLDERS[dialect];
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .toSorted();
  return files.map((name, index) => {
    const version = Number(name.slice(0, 4));
    if (version !== index + 1) throw new Error(`migration ${name} is not number ${index + 1}`);
    return {
      version,
      // Read only if they are needed: some callers want the number of migrations.
      get statements() {
        return statementsOf(readFileSync(new URL(name, folder), 'utf8'));
      },
    };
  });
}

/** Returns the schema version of this program. */
export function newestVersion(): number {
  return readMigrations('sqlite').length;
}

/** Statements end with a semicolon at the end of a line; comments are lines of their own. */
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
 * the migration's row and rolls back. Rejects with StoreUnavailable, and changes nothing, if the database was written by a newer
 * version of this program, by an older one whose schema is not taken over, or by another program, or has objects of another.
 */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[] = readMigrations(sql.dialect),
): Promise<void> {
  if ((await whoseTables(sql)) === 'nobody') {
    await sql.write([...aloneIn(sql.dialect), { text: firstStatement(sql.dialect) }]);
  }
  const rows = await sql.all(`select version from ${VERSIONS} order by version`);
  const applied = new Set(rows.map((row) => Number(row['version'])));
  const newest = migrations.at(-1)?.version ?? 0;
  const found = Math.max(0, ...applied);
  if (found > newest) {
    throw new StoreUnavailable(
      `the data has schema version ${found}, this program knows up to ${newest}: ` +
        'start the newer program, or restore a backup made by this one',
    );
  }
  const known = [firstStatement(sql.dialect), ...migrations.flatMap((each) => each.statements)];
  await refuseUnknownObjects(sql, known);
  for (const { version, statements } of migrations.filter((each) => !applied.has(each.version))) {
    await sql.write([
      ...aloneIn(sql.dialect),
      versionRow(version),
      ...statements.map((text) => ({ text })),
    ]);
  }
}

/**
 * Returns what the migrations after a schema version change in rows: rows of that version in this program's schema need it. What
 * they add to the schema is there already.
 */
export function rowChangesSince(dialect: Dialect, version: number): readonly string[] {
  return readMigrations(dialect)
    .filter((each) => each.version > version)
    .flatMap(({ statements }) => statements)
    .filter((text) => /^update\b/i.test(text));
}

/** Returns the statements that create the newest schema in an empty database. */
export function allStatements(dialect: Dialect): readonly string[] {
  const migrations = readMigrations(dialect);
  return [firstStatement(dialect), ...migrations.flatMap(({ statements }) => statements)];
}

/**
 * Returns the schema version of the data, which may differ from this program's. 0 before its first migration, null if there is
 * no data of this program. Rejects with StoreUnavailable if an older program wrote it; `name` identifies the database in the
 * message.
 */
export async function schemaVersionOf(sql: Readable, name: string): Promise<number | null> {
  const tables = await tablesOf(sql);
  if (isOlder(sql.dialect, tables)) throw new StoreUnavailable(`${name}: ${OLDER_DATABASE}`);
  if (!tables.has(VERSIONS)) return null;
  const [{ newest } = {}] = await sql.all(`select max(version) as newest from ${VERSIONS}`);
  return Number(newest ?? 0);
}

/** The first table of every database: one row for each migration that ran. */
const VERSIONS = 'openshelf_migrations';

/** Returns the first statement that a new database runs. */
export function firstStatement(dialect: Dialect): string {
  const strict = dialect === 'sqlite' ? ' strict' : '';
  return `create table if not exists ${VERSIONS} (version integer not null primary key)${strict}`;
}

async function whoseTables(sql: Readable): Promise<'ours' | 'nobody'> {
  const tables = await tablesOf(sql);
  if (tables.has(VERSIONS)) return 'ours';
  if (isOlder(sql.dialect, tables)) throw new StoreUnavailable(OLDER_DATABASE);
  // On a server, other programs may have tables in the same database.
  if (sql.dialect === 'sqlite' && tables.size > 0) {
    throw new StoreUnavailable('the database belongs to another program: use another data folder');
  }
  return 'nobody';
}

/**
 * Returns the table names. On PostgreSQL only those in the schema where ours would be created: another installation may have
 * its tables in a later one of the `search_path`.
 */
async function tablesOf({ dialect, all }: Readable): Promise<ReadonlySet<string>> {
  const text =
    dialect === 'sqlite'
      ? "select name from sqlite_schema where type = 'table'"
      : `select relname as name from pg_class where relkind in ('r', 'p')
         and relnamespace = to_regnamespace(quote_ident(current_schema()))`;
  return new Set((await all(text)).map(({ name }) => String(name)));
}

/** On a server, another program may have a table of that name: it is ours only together with `organizations`. */
function isOlder(dialect: Dialect, tables: ReadonlySet<string>): boolean {
  if (tables.has(VERSIONS) || !tables.has(OLDER_VERSIONS)) return false;
  return dialect === 'sqlite' || tables.has('organizations');
}

/** Comes first, so that a migration that has run is rolled back before it does anything. */
function versionRow(version: number): Statement {
  return {
    text: `insert into openshelf_migrations (version) values ($1)
      on conflict (version) do nothing returning version`,
    params: [version],
    mustReturn: true,
  };
}

/** An arbitrary number, the same in every version of this program. */
const MIGRATION_LOCK = 7_306_933_847;

/**
 * On PostgreSQL one process at a time changes the schema, until its transaction ends. If two created the same table at
 * once, the second would fail, even with `if not exists`. SQLite always has one writer.
 */
function aloneIn(dialect: Dialect): readonly Statement[] {
  if (dialect === 'sqlite') return [];
  return [{ text: `select pg_advisory_xact_lock(${MIGRATION_LOCK}) as locked` }];
}

/** The last commit whose program opens such a database. It has `openshelf dump`, whose file this program loads. */
const DUMP_COMMIT = 'b2feee5f49a2';

/** The table of schema versions in such a database; this program's own has another name. */
const OLDER_VERSIONS = 'schema_versions';

const OLDER_DATABASE =
  'this is the database of an older openshelf, which this program does not open; nothing was changed. ' +
  `Check out commit ${DUMP_COMMIT} and write the data to a file with that program: \`openshelf dump FILE\`. Then load the ` +
  'file with this one, into a new folder or an empty database: `openshelf load FILE`';
