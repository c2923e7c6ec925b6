// A test that states which rows of rows.tsv it proves: their ids end its title, where the report finds them.

import { test, type TestContext } from 'node:test';

/** Registers one test; `rows` are ids of rows.tsv separated by spaces. */
export function proves(
  rows: string,
  title: string,
  work: (t: TestContext) => void | Promise<void>,
): void {
  test(titled(rows, title), work);
}

/** The same for a promise that the service breaks today: it runs, and the report lists its rows as broken. */
export function breaks(
  rows: string,
  title: string,
  work: (t: TestContext) => void | Promise<void>,
): void {
  test(titled(rows, title), { todo: true }, work);
}

function titled(rows: string, title: string): string {
  return `${title} [${rows}]`;
}
