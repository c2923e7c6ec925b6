// A corpus manifest: one JSON object per line, each with a recorded answer and its true values. Checks the shape of every
// row before anything is measured; knows no reader.

import { messageOf } from '../../../src/base/fault.ts';

export type Feed = {
  readonly into: 'json' | 'next_data' | 'preloaded_state' | 'apollo_events';
  readonly take?: string;
  readonly at?: string;
};

type Expectations = Readonly<Record<string, unknown>>;

export type ManifestRow = {
  /** Line of the manifest, counted from 1. */
  readonly line: number;
  /** Path relative to the manifest's folder. */
  readonly file: string;
  readonly slug: string;
  readonly reader: string;
  readonly scored: boolean;
  readonly url: string | null;
  readonly feed: Feed | null;
  /** Field to its right values: one for `expect`, several for `expect_any`; null is "no answer". */
  readonly expected: ReadonlyMap<string, readonly unknown[]>;
  readonly entries: readonly ManifestEntry[];
};

export type ManifestEntry = {
  readonly expected: ReadonlyMap<string, readonly unknown[]>;
};

type Manifest = {
  readonly rows: readonly ManifestRow[];
  /** The problems of the manifest, each with its line. A manifest with problems is not measured. */
  readonly problems: readonly string[];
};

const FEEDS: readonly string[] = ['json', 'next_data', 'preloaded_state', 'apollo_events'];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

class RowProblem extends Error {}

function text(row: Record<string, unknown>, key: string): string {
  const value = row[key];
  if (typeof value !== 'string' || value === '') throw new RowProblem(`"${key}" is not a text`);
  return value;
}

function objectAt(row: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = row[key] ?? {};
  if (!isObject(value)) throw new RowProblem(`"${key}" is not an object`);
  return value;
}

function feedOf(row: Record<string, unknown>): Feed | null {
  if (row['feed'] === undefined || row['feed'] === null) return null;
  const feed = objectAt(row, 'feed');
  const into = text(feed, 'into');
  if (!FEEDS.includes(into)) throw new RowProblem(`"feed.into" is not one of ${FEEDS.join(', ')}`);
  return {
    into: into as Feed['into'],
    ...(feed['take'] === undefined ? {} : { take: text(feed, 'take') }),
    ...(feed['at'] === undefined ? {} : { at: text(feed, 'at') }),
  };
}

/** Combines `expect` and `expect_any` of a row or an entry in one map; the latter's values are lists. */
function expectations(one: Expectations, any: Expectations): Map<string, readonly unknown[]> {
  const expected = new Map<string, readonly unknown[]>();
  for (const [field, value] of Object.entries(one)) {
    if (field !== 'entries' && field !== 'expect_any') expected.set(field, [value]);
  }
  for (const [field, values] of Object.entries(any)) {
    if (!Array.isArray(values) || values.length === 0) {
      throw new RowProblem(`"expect_any.${field}" is not a list of values`);
    }
    expected.set(field, values);
  }
  return expected;
}

function entriesOf(expect: Expectations): readonly ManifestEntry[] {
  const entries: unknown = expect['entries'] ?? [];
  if (!Array.isArray(entries)) throw new RowProblem('"expect.entries" is not a list');
  return entries.map((entry: unknown, index) => {
    if (!isObject(entry)) throw new RowProblem(`"expect.entries.${index}" is not an object`);
    return { expected: expectations(entry, objectAt(entry, 'expect_any')) };
  });
}

function rowOf(row: Record<string, unknown>, line: number): ManifestRow {
  const expect = objectAt(row, 'expect');
  const url = row['url'] ?? null;
  if (url !== null && (typeof url !== 'string' || URL.parse(url) === null)) {
    throw new RowProblem('"url" is neither an address nor null');
  }
  if (row['scored'] !== undefined && typeof row['scored'] !== 'boolean') {
    throw new RowProblem('"scored" is neither true nor false');
  }
  return {
    line,
    file: text(row, 'file'),
    slug: text(row, 'slug'),
    reader: text(row, 'reader'),
    scored: row['scored'] !== false,
    url,
    feed: feedOf(row),
    expected: expectations(expect, objectAt(row, 'expect_any')),
    entries: entriesOf(expect),
  };
}

/** Returns the rows of a manifest, with all its problems. */
export function parseManifest(manifest: string): Manifest {
  const rows: ManifestRow[] = [];
  const problems: string[] = [];
  const lines = manifest.replace(/^\ufeff/, '').split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      const row: unknown = JSON.parse(line);
      if (!isObject(row)) throw new RowProblem('not a JSON object');
      rows.push(rowOf(row, index + 1));
    } catch (error) {
      problems.push(`row ${index + 1}: ${messageOf(error)}`);
    }
  }
  if (rows.length === 0 && problems.length === 0) problems.push('the manifest has no rows');
  return { rows, problems };
}
