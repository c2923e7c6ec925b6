// Revisions show whether the data behind an answer is unchanged. Everything an answer can be based on has a number, which
// every change replaces in its own transaction. An answer is still valid if two readings of the numbers agree: one before
// the rows were read, and one in the transaction that charges for the answer.

import { randomBytes } from 'node:crypto';

import { onceEach } from '../../base/once.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { placeholdersOf, padded } from '../statement-values.ts';

/** A barcode as a GTIN-14, a listing id, a miss by `missesOf`, or `EVERYTHING`. No two kinds can be confused. */
export type Subject = string;

/** The subject of changes that may concern any answer. */
export const EVERYTHING: Subject = '*';

/** A subject with its number. `revision` is 0 if the subject was never changed. */
export type Revision = { readonly subject: Subject; readonly revision: number };

/** The subjects that a transaction changes. */
export type Touched = {
  readonly listingIds: readonly string[];
  /** Barcodes in addition to those that the listings print, and those under which answers name them. */
  readonly gtins: readonly string[];
  readonly isEverything: boolean;
};

/** Name of the statement that compares revisions; it fails if one of them has changed. */
export const REVISIONS = 'revisions';

/** A transaction with more listings or barcodes than this changes everything: it is an import or a takedown. */
const MOST_SUBJECTS = 64;

/** Random instead of counted: after a failover that lost writes, a counter would reach the same number again. */
function newRevision(): number {
  return randomBytes(6).readUIntBE(0, 6) + 1;
}

const REPLACE = 'on conflict (subject) do update set revision = excluded.revision';

/**
 * Revises the subjects of a transaction before its changes, while the barcodes under which a listing was stored are still
 * there. The listings come first, in their own statement. It locks them, so that no other process ties one of them to a
 * barcode that the second statement does not see.
 */
export function revise(
  { listingIds, gtins, isEverything }: Touched,
  dialect: Sql['dialect'],
): readonly Statement[] {
  const ids = [...new Set(listingIds)];
  const codes = [...new Set(gtins)];
  const isTooMuch = ids.length > MOST_SUBJECTS || codes.length > MOST_SUBJECTS;
  if (isEverything || isTooMuch) {
    // SQLite has one writer, so that nothing has to be locked.
    const locked = dialect === 'postgres' && ids.length > 0 ? [reviseMany(ids)] : [];
    return [...locked, reviseSubjects([EVERYTHING])];
  }
  if (ids.length === 0) return codes.length === 0 ? [] : [reviseSubjects(codes)];
  return [reviseSubjects(ids), reviseBarcodesOf(ids, codes)];
}

/** Revises subjects, sorted so that all processes lock them in the same order. */
export function reviseSubjects(subjects: readonly Subject[]): Statement {
  const all = padded(subjects);
  return {
    text: `insert into revisions (subject, revision)
      select subject, cast($1 as bigint) from (${listOf(all, 2)}) as named
      where subject <> '' order by subject ${REPLACE}`,
    params: [newRevision(), ...all],
  };
}

/** Revises a list of any length. */
function reviseMany(subjects: readonly Subject[]): Statement {
  return {
    text: `insert into revisions (subject, revision)
      select value as subject, cast($1 as bigint) from json_each(cast($2 as text))
      where value <> '' order by subject ${REPLACE}`,
    params: [newRevision(), JSON.stringify(subjects)],
  };
}

/** Revises `gtins` and the barcodes that these listings print or under which answers name them. */
function reviseBarcodesOf(ids: readonly string[], gtins: readonly string[]): Statement {
  const listings = padded(ids);
  const codes = padded(gtins.length === 0 ? [''] : gtins);
  const marks = placeholdersOf(listings, 2);
  return {
    text: `insert into revisions (subject, revision)
      select subject, cast($1 as bigint) from (
        select gtin14 as subject from listings where id in (${marks}) and gtin14 is not null
        union select gtin14 from cells where listing_id in (${marks})
        union ${listOf(codes, 2 + listings.length)}) as named
      where subject <> '' order by subject ${REPLACE}`,
    params: [newRevision(), ...listings, ...codes],
  };
}

/** Lists parameters as a table, without duplicates. */
function listOf(members: readonly unknown[], first: number): string {
  return members.map((_, at) => `select cast($${first + at} as text) as subject`).join(' union ');
}

/** Revises the barcodes requested by these jobs, together with a change to the jobs. `which` is a condition on `jobs`. */
export function reviseBarcodesOfJobs(which: string, params: Statement['params'] = []): Statement {
  return {
    text: `insert into revisions (subject, revision)
      select distinct gtin14, cast($${params.length + 1} as bigint) from jobs
      where gtin14 is not null and (${which}) order by gtin14 ${REPLACE}`,
    params: [...params, newRevision()],
  };
}

/**
 * Letters of a miss's id that form its subject. So 4,096 subjects cover all misses: their rows are never removed, and
 * callers can cause any number of misses.
 */
const MISS_LETTERS = 2;

/** Returns the subject shared by all misses whose id, a digest, starts with the same letters. */
export function missesOf(id: string): Subject {
  return `miss ${id.slice(0, MISS_LETTERS)}`;
}

/** Revises the subjects of misses before these are removed. `which` is a condition on `misses`. */
export function reviseMisses(which: string, params: Statement['params'] = []): Statement {
  return {
    text: `insert into revisions (subject, revision)
      select distinct 'miss ' || substr(id, 1, ${MISS_LETTERS}) as subject, cast($${params.length + 1} as bigint)
      from misses where ${which} order by subject ${REPLACE}`,
    params: [...params, newRevision()],
  };
}

/** Returns the revisions of subjects, in the order of the subjects. Read them before the rows they cover. */
export async function findRevisions(
  sql: Pick<Sql, 'all'>,
  subjects: readonly Subject[],
): Promise<readonly Revision[]> {
  const names = padded(subjects);
  const rows = await sql.all(foundText(names.length), names);
  const found = new Map(rows.map((row: Row) => [String(row['subject']), Number(row['revision'])]));
  return subjects.map((subject) => ({ subject, revision: found.get(subject) ?? 0 }));
}

/** One SQL text per number of subjects: building the text takes longer than finding its prepared statement. */
const foundText = onceEach(
  (count: number) =>
    `select subject, revision from revisions where subject in (${placeholdersOf(Array.from({ length: count }), 1)})`,
);

/** Rolls back unless all of these revisions are unchanged; requires at least one. */
export function requireRevisions(revisions: readonly Revision[]): Statement {
  const all = padded(revisions);
  return {
    text: requiredText(all.length),
    params: all.flatMap(({ subject, revision }) => [subject, revision]),
    name: REVISIONS,
    mustReturn: true,
  };
}

/** One SQL text per number of revisions: building the text takes longer than the comparison. */
const requiredText = onceEach((count: number) => {
  const rows = Array.from(
    { length: count },
    (_, at) => `(cast($${2 * at + 1} as text), cast($${2 * at + 2} as bigint))`,
  );
  return `with made (subject, revision) as (values ${rows.join(', ')})
    select 1 as same where not exists (
      select 1 from made left join revisions stored on stored.subject = made.subject
      where coalesce(stored.revision, 0) <> made.revision)`;
});

/** Whether all of the `wanted` are among the revisions. */
export function hasAll(revisions: readonly Revision[], wanted: readonly Revision[]): boolean {
  return wanted.every((each) => revisions.some((other) => isSame(each, other)));
}

function isSame(a: Revision, b: Revision): boolean {
  return a.subject === b.subject && a.revision === b.revision;
}

/**
 * Makes lists of exact size (a list that grew has 100 bytes of spare room), and reuses objects that are also in the previous
 * list.
 */
export function createPacking(): (revisions: readonly Revision[]) => readonly Revision[] {
  let last: readonly Revision[] = [];
  return (revisions) => {
    const before = last;
    last = revisions.map((each) => before.find((other) => isSame(each, other)) ?? each);
    return last;
  };
}
