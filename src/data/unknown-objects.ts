// Finds objects in a database that are not part of the program's schema: a trigger, a rule or a view in the place of a
// table changes what the program writes and reads. Such a database is refused when it is opened.

import type { Sql } from './sql.ts';
import { StoreUnavailable } from './sql.ts';

type Readable = Pick<Sql, 'all' | 'dialect'>;

const CREATED = /^create (?:unique )?(table|index|view) (?:if not exists )?(\w+)/i;

/** Returns the names of the objects that statements create, in lower case, each with its statement as SQLite stores it. */
function createdBy(statements: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    statements.flatMap((text) => {
      const [, , name] = CREATED.exec(text) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), storedText(text)] as const];
    }),
  );
}

const storedText = (text: string): string => text.replace(/^create view/i, 'CREATE VIEW');

const ON_SQLITE = `select type as kind, name, tbl_name as owner, sql as text from sqlite_schema
  where name not like 'sqlite!_%' escape '!'`;

/** On a server, other programs may have tables in the same schema, which do not concern openshelf. */
const ON_POSTGRES = `with ours as (
    select pg_class.oid, coalesce(parents.relname, pg_class.relname) as owner
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    left join pg_class parents on parents.oid = inhparent
    where pg_class.relnamespace = to_regnamespace(quote_ident(current_schema())))
  select 'trigger' as kind, tgname as name, owner
    from pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
  union all select 'rule', rulename, owner
    from pg_rewrite join ours on ours.oid = ev_class where rulename <> '_RETURN'
  union all select 'policy', polname, owner from pg_policy join ours on ours.oid = polrelid
  union all select case relkind when 'f' then 'foreign table' else 'view' end, relname, relname
    from pg_class join ours on ours.oid = pg_class.oid where relkind in ('v', 'm', 'f')`;

type FoundObject = {
  readonly kind: string;
  readonly name: string;
  readonly owner: string;
  readonly text: string;
};

/**
 * Rejects with StoreUnavailable for a database with objects that these statements do not create. `statements` are those of all
 * migrations.
 */
export async function refuseUnknownObjects(
  sql: Readable,
  statements: readonly string[],
): Promise<void> {
  const known = createdBy(statements);
  const isSqlite = sql.dialect === 'sqlite';
  const isOwn = ({ kind, name, text }: FoundObject): boolean => {
    const own = known.get(name.toLowerCase());
    if (own === undefined || kind === 'trigger') return false;
    const isView = own.startsWith('CREATE VIEW');
    return isSqlite ? (kind === 'view') === isView && (!isView || text === own) : isView;
  };
  const unknown = (await sql.all(isSqlite ? ON_SQLITE : ON_POSTGRES))
    .map(({ kind, name, owner, text }) => ({
      kind: String(kind),
      name: String(name),
      owner: String(owner),
      text: String(text),
    }))
    .filter((each) => !isOwn(each) && (isSqlite || known.has(each.owner)));
  const [first] = unknown;
  if (first === undefined) return;
  const { kind, name, owner } = first;
  const of = name === owner ? '' : ` of ${owner}`;
  const more = unknown.length === 1 ? '' : `, and ${unknown.length - 1} more`;
  throw new StoreUnavailable(
    `the database has ${kind === 'index' ? 'an' : 'a'} ${kind} that this program did not make (${name}${of}${more}): it could change what is ` +
      'charged and stored. Remove it, or restore a backup that openshelf made',
  );
}
