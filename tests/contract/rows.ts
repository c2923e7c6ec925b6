// The rows of the contract and the tests that prove them: rows.tsv, the ids at the end of titles, and elsewhere.tsv for
// tests outside this folder.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Ended } from './reporter.ts';

type Row = {
  readonly id: string;
  readonly source: string;
  readonly statement: string;
  /** Null: it must hold today. Otherwise why it is deferred. */
  readonly later: string | null;
};

/** A test outside this folder that proves rows, by file and whole title. */
export type Elsewhere = {
  readonly ids: readonly string[];
  readonly file: string;
  readonly title: string;
};

const HERE = import.meta.dirname;

/** Returns the lines of a table without its heading; throws if a line has another number of cells. */
function linesOf(name: string, heading: string): readonly (readonly string[])[] {
  const [first, ...lines] = readFileSync(join(HERE, name), 'utf8').trimEnd().split('\n');
  if (first !== heading) throw new Error(`${name} begins with ${first ?? 'nothing'}`);
  const cells = heading.split('\t').length;
  return lines.map((line, at) => {
    const found = line.split('\t').map((cell) => cell.trim());
    if (found.length !== cells || found.some((cell) => cell === '')) {
      throw new Error(`${name}:${at + 2} has not ${cells} filled cells`);
    }
    return found;
  });
}

/** Returns every row. Throws when an id occurs twice or a status is neither of the two. */
export function readRows(): readonly Row[] {
  const rows = linesOf('rows.tsv', 'id\tsource\tstatement\tstatus').map(
    ([id = '', source = '', statement = '', status = '']): Row => {
      const later = /^later: (.+)$/.exec(status)?.[1] ?? null;
      if (later === null && status !== 'served') throw new Error(`${id} has the status ${status}`);
      return { id, source, statement, later };
    },
  );
  const ids = rows.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (twice.length > 0) throw new Error(`rows.tsv has ${twice.join(', ')} twice`);
  return rows;
}

export function readElsewhere(): readonly Elsewhere[] {
  return linesOf('elsewhere.tsv', 'ids\tfile\ttitle').map(([ids = '', file = '', title = '']) => ({
    ids: ids.split(' '),
    file,
    title,
  }));
}

/** Returns the ids at the end of a title. */
function idsOf(title: string): readonly string[] {
  return /\[([A-Z]+-?\d+[a-z]?(?: [A-Z]+-?\d+[a-z]?)*)\]$/.exec(title)?.[1]?.split(' ') ?? [];
}

export type Proof = { readonly id: string; readonly test: Ended };

/** Returns each claim made by a finished test. `file` of a test is a path below `root`. */
export function proofsOf(
  ended: readonly Ended[],
  elsewhere: readonly Elsewhere[],
): readonly Proof[] {
  const byName = new Map(elsewhere.map((each) => [`${each.file}\n${each.title}`, each.ids]));
  return ended.flatMap((test) => {
    const ids = test.file.startsWith('tests/contract/')
      ? idsOf(test.title)
      : (byName.get(`${test.file}\n${test.title}`) ?? []);
    return ids.map((id) => ({ id, test }));
  });
}
