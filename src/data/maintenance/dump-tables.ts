// Which tables and columns a dump includes, and why it omits the others. A table added by a migration is either in
// tables.ts, and then included, or has its reason here: a test compares both with the schema.

import type { Row, SqlValue } from '../sql.ts';
import { TABLES, type TableDefinition } from './tables.ts';

/** Tables omitted from a dump: they are not needed, or fill again by themselves. */
const NOT_DUMPED: Readonly<Record<string, string>> = {
  heartbeat: 'the write probe of a running service',
  write_probe: 'the write probe of a running service',
  openshelf_migrations: 'each database has its own; the first line of the dump has the number',
  revisions: 'compared with what a running process has in memory',
  leases: 'of running processes, for seconds',
  host_slots: 'of running processes: when a host may be asked next, within seconds',
  host_pauses: 'minutes for which a failing host is not asked',
  sessions: 'sign-ins of browsers, which sign in again',
  sign_in_codes: 'valid for minutes',
  throttles: 'how full the call limit of an organization is; full again within a minute',
  forced_refreshes: 'the last forced refreshes, which a limit counts for a short time',
  misses: 'stored failures, for at most a day; the page is then asked again',
  reading_counts: 'statistics of how pages were read, counted again by every page',
  barcode_facts: 'of public databases, which are asked again, or whose dump is imported again',
  unknown_words: 'statistics of words that no reader knew, noted again by every page',
};

type LeftOut = {
  /** The value that a load writes instead. */
  readonly value: SqlValue;
  readonly reason: string;
};

const LEASE = 'which process works on it; no process of the old installation will finish it';

/** Columns that a dump omits from a table it includes. */
const NOT_DUMPED_COLUMNS: Readonly<Record<string, Readonly<Record<string, LeftOut>>>> = {
  jobs: {
    lease_until_ms: { value: null, reason: LEASE },
    claim_token: { value: null, reason: LEASE },
  },
  channels: {
    lease_until_ms: { value: 0, reason: LEASE },
    claim_token: { value: null, reason: LEASE },
  },
  takedowns: {
    is_cleared: {
      value: 0,
      reason: 'whether this database was cleared of the host; a load clears its own',
    },
  },
};

/** The included tables with their included columns. A table comes after those that its rows reference. */
export const DUMPED_TABLES: readonly TableDefinition[] = TABLES.filter(
  ({ name }) => NOT_DUMPED[name] === undefined,
).map((table) => ({
  ...table,
  columns: table.columns.filter((column) => NOT_DUMPED_COLUMNS[table.name]?.[column] === undefined),
}));

/** Returns the table with the columns that a load fills: the columns of the file, and those that every dump omits. */
export function wholeTableOf({ name, columns }: TableDefinition): TableDefinition {
  const table = TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`${name} is not a table`);
  const left = NOT_DUMPED_COLUMNS[name] ?? {};
  return {
    ...table,
    columns: table.columns.filter((column) => columns.includes(column) || column in left),
  };
}

/** Returns a row of a dump, plus the values that a load writes into the omitted columns. */
export function wholeRowOf({ name, columns }: TableDefinition, values: readonly SqlValue[]): Row {
  const left = Object.entries(NOT_DUMPED_COLUMNS[name] ?? {}).map(
    ([column, { value }]) => [column, value] as const,
  );
  const given = columns.map((column, at) => [column, values[at] ?? null] as const);
  return Object.fromEntries([...given, ...left]);
}
