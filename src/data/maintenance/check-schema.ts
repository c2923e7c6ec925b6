// openshelf check on PostgreSQL: whether the keys and indexes from the migrations exist. A restore creates them last, so an
// interrupted one leaves all the data and nothing that keeps it consistent. SQLite has them in its file, which is complete
// or missing.

import { allStatements } from '../migrate.ts';
import type { Sql } from '../sql.ts';

/** The parts of a schema, by kind and table. */
const ON_SQLITE = `
  select 'index' as kind, tbl_name as owner, name as detail
    from sqlite_schema where type = 'index' and sql is not null
  union select 'primary key', tables.name, ''
    from sqlite_schema tables, pragma_table_info(tables.name) columns
    where tables.type = 'table' and columns.pk > 0
  union select 'foreign key', tables.name, keys."from"
    from sqlite_schema tables, pragma_foreign_key_list(tables.name) keys
    where tables.type = 'table'
  order by owner, kind, detail`;

const ON_POSTGRES = `
  select case when indisprimary then 'primary key' else 'index' end as kind, tables.relname as owner,
    case when indisprimary then '' else indexes.relname end as detail
    from pg_index join pg_class tables on tables.oid = indrelid
    join pg_class indexes on indexes.oid = indexrelid
    where tables.relnamespace = to_regnamespace(quote_ident(current_schema())) and indisvalid
  union all select 'foreign key', tables.relname, attname
    from pg_constraint join pg_class tables on tables.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where tables.relnamespace = to_regnamespace(quote_ident(current_schema())) and contype = 'f' and convalidated`;

type Part = { readonly kind: string; readonly owner: string; readonly detail: string };

/** Returns a sentence for each missing part. */
export async function checkSchema(sql: Sql): Promise<readonly string[]> {
  if (sql.dialect !== 'postgres') return [];
  const found = new Set((await partsOf(sql.all(ON_POSTGRES))).map(nameOf));
  return (await expectedParts())
    .filter((part) => !found.has(nameOf(part)))
    .map(
      (part) =>
        `${nameOf(part)} is missing, as after an interrupted restore: restore the backup again, into a new database`,
    );
}

/** Reads the parts from a temporary empty database, so that the schema is not written down twice. */
async function expectedParts(): Promise<readonly Part[]> {
  const { openSqliteFile } = await import('../sqlite/connection.ts');
  const made = openSqliteFile(':memory:', { readOnly: false, busyTimeoutMs: 0 });
  try {
    for (const statement of allStatements('sqlite')) made.run(statement);
    return await partsOf(Promise.resolve(made.all(ON_SQLITE)));
  } finally {
    made.close();
  }
}

async function partsOf(rows: ReturnType<Sql['all']>): Promise<readonly Part[]> {
  return (await rows).map(({ kind, owner, detail }) => ({
    kind: String(kind),
    owner: String(owner),
    detail: String(detail),
  }));
}

function nameOf({ kind, owner, detail }: Part): string {
  return detail === '' ? `the ${kind} of ${owner}` : `the ${kind} ${detail} of ${owner}`;
}
