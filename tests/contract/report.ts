// What a run of the suite proved: for each row its tests, for each documented field whether it was ever seen with a value.
// Read by tests/run.ts after a run of every file that the rows name.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { endedIn, type Ended } from './reporter.ts';
import { proofsOf, readElsewhere, readRows, type Elsewhere, type Proof } from './rows.ts';
import type { Fields } from './support/document.ts';

type Report = {
  /** Each row with its tests. */
  readonly rows: readonly string[];
  /** Counts. */
  readonly summary: readonly string[];
  /** Why the suite fails; empty when it passes. */
  readonly problems: readonly string[];
};

const ROOT = join(import.meta.dirname, '..', '..');

/** Returns the files that must have run for a report: the whole suite. */
export function filesOfContract(): readonly string[] {
  return globSync('tests/contract/**/*.test.ts', { cwd: ROOT }).sort();
}

/** Returns whether a test outside the suite whose file did not run now has its title in its file. */
function isWritten({ file, title }: Elsewhere): boolean {
  const path = join(ROOT, file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(title);
}

/** `results`: the reporter's lines. `scratch`: the folder that the suite's processes wrote to. */
export function contractReport(results: string, scratch: string): Report {
  const ended = endedIn(readFileSync(results, 'utf8')).map((test) => ({
    ...test,
    file: relative(ROOT, test.file),
  }));
  const rows = reportOfRows(ended);
  const fields = reportOfFields(fieldsIn(scratch));
  return {
    rows: rows.rows,
    summary: [...rows.summary, ...fields.summary],
    problems: [...rows.problems, ...fields.problems],
  };
}

function reportOfRows(ended: readonly Ended[]): Report {
  const rows = readRows();
  const elsewhere = readElsewhere();
  const proofs = Map.groupBy(proofsOf(ended, elsewhere), ({ id }) => id);
  const known = new Set(rows.map(({ id }) => id));
  const ran = new Set(ended.map(({ file, title }) => `${file}\n${title}`));
  const served = rows.filter(({ later }) => later === null);
  const isProved = ({ test }: Proof) => test.ok && !test.todo && !test.skipped;
  const isBroken = ({ test }: Proof) => test.todo && !test.ok;
  const broken = served.filter(({ id }) => proofs.get(id)?.some(isBroken) === true);
  const proved = served.filter(({ id }) => proofs.get(id)?.some(isProved) === true);
  const ranFiles = new Set(ended.map(({ file }) => file));
  const absent = elsewhere.filter(({ file }) => !ranFiles.has(file));
  const left = new Set(absent.flatMap(({ ids }) => ids));
  const bare = served.filter(
    (row) => !proved.includes(row) && !broken.includes(row) && !left.has(row.id),
  );
  const onlyElsewhere = served.filter(
    (row) => !proved.includes(row) && !broken.includes(row) && left.has(row.id),
  );
  const claimedLater = rows.filter(({ id, later }) => later !== null && proofs.has(id));
  const answered = ({ test }: Proof) =>
    `    ${test.todo ? (test.ok ? 'passes again' : 'broken') : test.ok ? 'ok' : 'FAILED'}  ${test.file}: ${test.title}`;
  return {
    rows: rows.flatMap(({ id, statement, later }) => [
      `${id}  ${later === null ? statement : `${statement} (later: ${later})`}`,
      ...(proofs.get(id) ?? []).map(answered),
      ...absent
        .filter(({ ids }) => ids.includes(id))
        .map(({ file, title }) => `    npm test  ${file}: ${title}`),
    ]),
    summary: [
      `contract rows ${rows.length}: served ${served.length}, of these proved ${proved.length}, ` +
        `by tests that did not run now ${onlyElsewhere.length}, broken today ${broken.length}; ` +
        `later ${rows.length - served.length}`,
      ...broken.map(({ id, statement }) => `  broken today: ${id} ${statement}`),
    ],
    problems: [
      ...bare.map(({ id, statement }) => `${id} has no test that passes: ${statement}`),
      ...[...proofs.keys()].filter((id) => !known.has(id)).map((id) => `${id} is not a row`),
      ...claimedLater.map(({ id }) => `${id} is for later and yet a test claims it`),
      ...elsewhere
        .filter((each) =>
          ranFiles.has(each.file) ? !ran.has(`${each.file}\n${each.title}`) : !isWritten(each),
        )
        .map(({ file, title }) => `no such test: ${file}: ${title}`),
      ...elsewhere
        .flatMap(({ ids }) => ids)
        .filter((id) => !known.has(id))
        .map((id) => `${id} of elsewhere.tsv is not a row`),
      ...ended
        .filter(({ ok, todo }) => ok && todo)
        .map(({ file, title }) => `holds again, no longer broken: ${file}: ${title}`),
    ],
  };
}

function fieldsIn(scratch: string): readonly Fields[] {
  return globSync('fields-*.json', { cwd: scratch }).flatMap(
    (name) => JSON.parse(readFileSync(join(scratch, name), 'utf8')) as readonly Fields[],
  );
}

/** Reports documented fields of a 200 that no answer of the run filled. */
function reportOfFields(all: readonly Fields[]): Report {
  const documented = [...new Set(all.flatMap((each) => each.documented))].sort();
  const seen = [...new Set(all.flatMap((each) => each.seen))];
  const isSeen = (field: string): boolean => {
    const source = field
      .split('.')
      .map((part) => (part === '*' ? String.raw`[^.]+` : part.replaceAll(/[[\]]/g, '\\$&')))
      .join(String.raw`\.`);
    // A record is the same whether it was looked up, refreshed or handed in: a field seen in one counts for all.
    const root = source.replace(
      /^(?:Product|Refresh|Page)Record/,
      '(?:Product|Refresh|Page)Record',
    );
    const pattern = new RegExp(`^${root}$`);
    return seen.some((each) => pattern.test(each));
  };
  // A test notice is a notice: a field seen in one counts for all.
  const twinOf = (field: string) => field.replace(/^testWatch\.notice\./, 'getWatch.notices[].');
  const unseen = documented.filter((field) => !isSeen(field) && !isSeen(twinOf(field)));
  const excused = unexposedFields();
  // A name also excuses everything below it.
  const isExcused = (field: string): boolean =>
    excused.some((each) => `.${field}.`.includes(`.${each}.`));
  const missing = unseen.filter((field) => !isExcused(field));
  return {
    rows: [],
    summary: [
      `documented fields ${documented.length}: seen filled ${documented.length - unseen.length}, ` +
        `exposed by no source ${unseen.length - missing.length}`,
      ...unseen.map((field) => `  never seen filled: ${field}`),
    ],
    problems: missing.map((field) => `${field} was never seen filled, and no document says why`),
  };
}

const PAGE = join(ROOT, 'docs', 'compatibility.md');

/** Returns the names in backticks below the heading about fields that no known source exposes. */
function unexposedFields(): readonly string[] {
  if (!existsSync(PAGE)) return [];
  const [, section = ''] =
    /^#+ [^\n]*no known source[^\n]*\n([\s\S]*?)(?=^#+ |(?![\s\S]))/im.exec(
      readFileSync(PAGE, 'utf8'),
    ) ?? [];
  return [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
