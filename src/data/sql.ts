// The port to the database: it hides every difference between SQLite and PostgreSQL. Text uses $1, $2 ... in both. Values are
// text, number or null (booleans are 0/1, instants bigint milliseconds, money bigint minor units, days text).

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

export type Statement = {
  readonly text: string;
  readonly params?: readonly SqlValue[];
  /** The name of its rows, and of its refusal, in the result. Statements with the same name share a list of rows. */
  readonly name?: string;
  /** Rolls the whole transaction back unless this statement returns a row: "update ... where enough returning". */
  readonly mustReturn?: boolean;
};

/** Statements that happen together or not at all. No code runs between them: a condition is written in SQL. */
export type Transaction = readonly Statement[];

/** The rows returned by the named statements of a transaction, in order per name. */
export type NamedRows = Readonly<Record<string, readonly Row[]>>;

export type TransactionResult =
  | { readonly done: true; readonly rows: NamedRows }
  /** Rolled back: the named statement had to return a row and did not. Null if that statement has no name. */
  | { readonly done: false; readonly refusedBy: string | null };

export type WriteOptions = {
  /**
   * Whether the caller has already collected everything to be written together: an idle writer then begins at once, without
   * waiting for the end of the event loop's turn.
   */
  readonly isWholeBatch?: boolean;
};

export type Sql = AsyncDisposable & {
  readonly dialect: 'sqlite' | 'postgres';
  readonly skipLocked: '' | ' for update skip locked';
  /** Reads. Sees everything that was written before the call. */
  all(text: string, params?: readonly SqlValue[]): Promise<readonly Row[]>;
  /**
   * Writes one transaction; durable when the promise resolves. Transactions that wait at the same time share one commit (group
   * commit), and each succeeds or fails alone. Rejects if the database itself fails.
   */
  write(transaction: Transaction, options?: WriteOptions): Promise<TransactionResult>;
};

/** An open database, with the functions that readiness and tests need in addition to statements. */
export type Database = Sql & {
  /** True if a write was committed in time (readyz: one second). Never rejects. */
  probe(deadlineMs?: number): Promise<boolean>;
  /** Commits of this process since it opened the database. Tests verify group commit by counting them. */
  readonly commits: () => number;
  /** The commits of all processes; null if some of them may go unnoticed, so that only a query shows what was written. */
  readonly changes: () => Changes | null;
};

export type Changes = {
  /** The number of commits noticed so far. */
  readonly count: () => number;
  /** Calls the function at the next commit, once. The returned function takes that back. */
  readonly onNext: (call: () => void) => () => void;
};

/** Why the database did not do something. `refused`: the statement itself is wrong or breaks a rule of the schema. */
export type WriteProblem =
  | 'full'
  | 'read_only'
  | 'locked'
  | 'damaged'
  | 'io_error'
  | 'away'
  | 'overloaded'
  | 'closed'
  | 'refused'
  | 'other';

/**
 * The database is unavailable, locked, full or closed. Either nothing of the rejected transaction was written, or that is
 * unknown.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly problem: WriteProblem;

  constructor(message: string, options: ErrorOptions & { readonly problem?: WriteProblem } = {}) {
    const { problem, ...rest } = options;
    super(message, rest);
    this.problem = problem ?? 'other';
  }
}
