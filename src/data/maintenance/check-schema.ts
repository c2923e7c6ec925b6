// openshelf check on PostgreSQL: whether the keys and indexes from the migrations exist. A restore creates them last, so an
// interrupted one leaves all the data and nothing that keeps it consistent. SQLite has them in its file, which is complete
// or missing. And whether the views are those of the migrations, which on SQLite is checked whenever the file is opened.

import { messageOf } from '../../base/fault.ts';
import { allStatements } from '../migrate.ts';
import { StoreUnavailable, type Sql } from '../sql.ts';

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

const VIEWS_ON_SQLITE = `
  select views.name as view, group_concat(columns.name, ', ') as columns
    from sqlite_schema views, pragma_table_info(views.name) columns
    where views.type = 'view' group by views.name order by views.name`;

type View = { readonly name: string; readonly columns: string };
type Part = { readonly kind: string; readonly owner: string; readonly detail: string };

/** Returns a sentence for each missing part, and for each view that was replaced. */
export async function checkSchema(sql: Sql): Promise<readonly string[]> {
  if (sql.dialect !== 'postgres') return [];
  const found = new Set((await partsOf(sql.all(ON_POSTGRES))).map(nameOf));
  const { parts, views } = await expectedSchema();
  const missing = parts
    .filter((part) => !found.has(nameOf(part)))
    .map(
      (part) =>
        `${nameOf(part)} is missing, as after an interrupted restore: restore the backup again, into a new database`,
    );
  return [...missing, ...(await replacedViews(sql, views))];
}

/**
 * Returns a sentence for each view that is not the one of the migrations. Servers of different versions print a definition
 * differently, so plans are compared: a server replaces a view by its definition before it plans.
 */
async function replacedViews(sql: Sql, views: readonly View[]): Promise<readonly string[]> {
  const statements = allStatements('postgres');
  const problems: string[] = [];
  for (const { name, columns } of views) {
    const begin = `create view ${name} as`;
    const definition = statements.findLast((each) => each.startsWith(begin))?.slice(begin.length);
    const own = await planOf(sql, `select ${columns} from (${definition}) as ${name}`);
    const found = await planOf(sql, `select ${columns} from ${name}`);
    if (own === found) continue;
    problems.push(
      `the view ${name} is not the one that this program made, so what is read by it may be wrong: restore a backup into ` +
        'a new database',
    );
  }
  return problems;
}

/** Returns the plan of a query in one text; of one that the server refuses, its reason. Nothing is run. */
async function planOf(sql: Sql, query: string): Promise<string> {
  try {
    const rows = await sql.all(`explain (verbose, costs off) ${query}`);
    const lines = rows.map((row) => String(row['QUERY PLAN']));
    // A server that collects statistics adds a number for the text of the query.
    return lines.filter((line) => !line.startsWith('Query Identifier')).join('\n');
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return messageOf(error);
  }
}

type Schema = { readonly parts: readonly Part[]; readonly views: readonly View[] };

/** Reads the schema from a temporary empty database, so that it is not written down twice. */
async function expectedSchema(): Promise<Schema> {
  const { openSqliteFile } = await import('../sqlite/connection.ts');
  const made = openSqliteFile(':memory:', { readOnly: false, busyTimeoutMs: 0 });
  try {
    for (const statement of allStatements('sqlite')) made.run(statement);
    const views = made.all(VIEWS_ON_SQLITE).map(({ view, columns }) => ({
      name: String(view),
      columns: String(columns),
    }));
    return { parts: await partsOf(Promise.resolve(made.all(ON_SQLITE))), views };
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
