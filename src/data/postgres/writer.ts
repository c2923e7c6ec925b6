// Commits batches of transactions on one connection. As many as possible share one server transaction, and each succeeds or
// fails alone. This file has no knowledge of tables.

import type { PostgresConnection, StatementOutcome } from './connection.ts';
import { faultKindOf, storeErrorOf } from './faults.ts';
import type { Row, Statement, Transaction } from '../sql.ts';
import type { OnEarlyOutcomes, TransactionOutcome } from '../write-queue.ts';
import { StoreUnavailable } from '../sql.ts';

type PostgresWriter = {
  /**
   * Commits a batch: one outcome per transaction, in order. `onEarly` gets outcomes that are available before the others. Never
   * rejects.
   */
  commit(
    transactions: readonly Transaction[],
    onEarly: OnEarlyOutcomes,
  ): Promise<readonly TransactionOutcome[]>;
  readonly commits: () => number;
  close(): Promise<void>;
};

/** How often a transaction is tried if it keeps colliding with those of other processes. */
const MAX_CONTENDED = 5;
/** How often a batch is tried whose connection is lost before its commit. The second try has a new connection. */
const MAX_LOST = 2;

type Writer = {
  readonly open: () => Promise<PostgresConnection>;
  connection: PostgresConnection | null;
  commits: number;
  /** Whether nothing of the batch before was rolled back: the next batch is then sent at once. */
  isHopeful: boolean;
  /** Until this is aborted no transaction waits for long, because one has waited in vain for the whole lock timeout. */
  wary: AbortSignal;
};

/** `first` is already connected; `open` makes the next connection when it is lost. */
export function createPostgresWriter(
  first: PostgresConnection,
  open: () => Promise<PostgresConnection>,
): PostgresWriter {
  const writer: Writer = {
    open,
    connection: first,
    commits: 0,
    isHopeful: true,
    wary: AbortSignal.abort(),
  };
  return {
    commit: (transactions, onEarly) => commitAll(writer, transactions, onEarly),
    commits: () => writer.commits,
    close: async () => {
      await writer.connection?.close();
    },
  };
}

/** The result of one server transaction that tried some of our transactions, from the first one on. */
type Attempt =
  /** The first transactions, as many as there are outcomes, have ended. */
  | { readonly kind: 'ended'; readonly outcomes: readonly TransactionOutcome[] }
  /** Nothing was written, because another process interfered or the connection was lost. */
  | { readonly kind: 'contention' | 'connection'; readonly error: Error };

async function commitAll(
  writer: Writer,
  transactions: readonly Transaction[],
  onEarly: OnEarlyOutcomes,
): Promise<readonly TransactionOutcome[]> {
  const outcomes: TransactionOutcome[] = [];
  let begun = 0;
  while (outcomes.length < transactions.length) {
    const rest = transactions.slice(outcomes.length);
    const connection = await connected(writer);
    // Connecting has just failed: trying it again for each transaction would only make all of them wait.
    if (connection instanceof Error) return [...outcomes, ...rest.map(() => connection)];
    const attempted = await attempt(writer, connection, rest);
    begun += 1;
    if (attempted.kind === 'ended') {
      outcomes.push(...attempted.outcomes);
      onEarly(outcomes);
      begun = 0;
    } else if (begun >= (attempted.kind === 'connection' ? MAX_LOST : MAX_CONTENDED)) {
      outcomes.push(storeErrorOf(attempted.error, 'the store cannot write'));
      begun = 0;
    }
  }
  return outcomes;
}

/** Sends all at once if that is likely to succeed, else one by one. For a single transaction both are the same. */
async function attempt(
  writer: Writer,
  connection: PostgresConnection,
  transactions: readonly Transaction[],
): Promise<Attempt> {
  if (writer.isHopeful || transactions.length === 1) {
    const attempted = await allAtOnce(writer, connection, transactions);
    if (attempted !== null) return attempted;
  }
  const attempted = await oneByOne(writer, connection, transactions);
  writer.isHopeful =
    attempted.kind === 'ended' &&
    attempted.outcomes.length === transactions.length &&
    attempted.outcomes.every(isDone);
  return attempted;
}

async function connected(writer: Writer): Promise<PostgresConnection | Error> {
  if (writer.connection !== null && !writer.connection.isLost()) return writer.connection;
  writer.connection?.destroy();
  try {
    writer.connection = await writer.open();
    return writer.connection;
  } catch (error) {
    writer.connection = null;
    return error instanceof Error ? error : new Error(String(error));
  }
}

const command = (text: string): Statement => ({ text });
/**
 * Otherwise the session is read-only. If this fails, the following statements are rejected, instead of being written one by
 * one.
 */
const BEGIN = command('begin read write');
const ROLLBACK = command('rollback');
const SAVEPOINT = command('savepoint one');
const RELEASE = command('release savepoint one');
const ROLLBACK_ONE = command('rollback to savepoint one');
/**
 * A transaction that is not the first of its batch waits only this long (ms) for another process. The batch holds the locks of
 * the earlier ones meanwhile, and two processes could deadlock. It then becomes the first of the next batch, which holds no
 * locks and may wait.
 */
const HURRY = command('set local lock_timeout = 20');
/**
 * A lock not released within the whole lock timeout, 5 s, belongs to a session that somebody left open. The next transaction
 * that needs it would wait as long again, with everything behind it: 30 calls waited for up to 44 s, including other
 * organizations' calls. While waits are in vain, and for this long (ms) after the last of them, even the first of a batch
 * waits only for 0.1 s.
 */
const WARY_MS = 10_000;
const WARY = command('set local lock_timeout = 100');

/**
 * Sends all transactions together, without savepoints, and commits if every one of them succeeds. Null if at least one of
 * several does not. Everything was then rolled back, and which ones succeed is found out one by one.
 */
async function allAtOnce(
  writer: Writer,
  connection: PostgresConnection,
  transactions: readonly Transaction[],
): Promise<Attempt | null> {
  const leading = transactions.length > 1 ? [BEGIN, HURRY] : beginning(writer);
  const answers = await connection.run([...leading, ...transactions.flat()]);
  const leadingError = errorIn(answers.slice(0, leading.length));
  if (leadingError !== null) return givenUp(connection, leadingError);
  if (transactions.length === 1) noteWait(writer, answers);
  let at = leading.length;
  const outcomes = transactions.map((transaction) => {
    const own = answers.slice(at, at + transaction.length);
    at += transaction.length;
    return outcomeOf(transaction, own, 0);
  });
  if (outcomes.every(isDone)) return await ended(writer, connection, { outcomes, before: [] });
  const lost = connection.isLost() ? errorIn(answers) : null;
  if (lost !== null) return givenUp(connection, lost);
  await rollBack(connection);
  const [only] = outcomes;
  if (only === undefined || transactions.length > 1) return null;
  if (!(only instanceof Error)) return { kind: 'ended', outcomes };
  const kind = faultKindOf(only);
  if (kind === 'contention') return { kind, error: only };
  return { kind: 'ended', outcomes: [storeErrorOf(only, 'the store cannot write')] };
}

/** Returns the beginning of a transaction whose first part may wait for another process. */
function beginning({ wary }: Writer): readonly Statement[] {
  return wary.aborted ? [BEGIN] : [BEGIN, WARY];
}

/**
 * Notes a wait of a first transaction. A statement after one that lacked its row waits too, because all of them were sent
 * together.
 */
function noteWait(writer: Writer, answers: readonly StatementOutcome[]): void {
  const isInVain = answers.some((each) => each instanceof Error && faultKindOf(each) === 'waited');
  if (isInVain) writer.wary = AbortSignal.timeout(WARY_MS);
}

/** Runs transactions, each in its savepoint, until another process blocks one of them; then commits. */
async function oneByOne(
  writer: Writer,
  connection: PostgresConnection,
  transactions: readonly Transaction[],
): Promise<Attempt> {
  const outcomes: TransactionOutcome[] = [];
  let before = beginning(writer);
  for (const [index, transaction] of transactions.entries()) {
    const leading = [...before, SAVEPOINT];
    const answers = await connection.run([...leading, ...transaction]);
    const leadingError = errorIn(answers.slice(0, leading.length));
    if (leadingError !== null) return givenUp(connection, leadingError);
    const outcome = outcomeOf(transaction, answers, leading.length);
    const kind = outcome instanceof Error ? faultKindOf(outcome) : null;
    if (index === 0) noteWait(writer, answers);
    if (outcome instanceof Error && kind === 'connection') return givenUp(connection, outcome);
    const isHeldUp = kind === 'contention' || kind === 'waited';
    if (isHeldUp && index > 0)
      return await ended(writer, connection, { outcomes, before: [ROLLBACK_ONE] });
    if (outcome instanceof Error && kind === 'contention') {
      await rollBack(connection);
      return { kind, error: outcome };
    }
    outcomes.push(
      outcome instanceof Error ? storeErrorOf(outcome, 'the store cannot write') : outcome,
    );
    before = [...(isDone(outcome) ? [] : [ROLLBACK_ONE]), RELEASE, ...(index === 0 ? [HURRY] : [])];
  }
  return await ended(writer, connection, { outcomes, before });
}

const isDone = (outcome: TransactionOutcome): boolean =>
  !(outcome instanceof Error) && outcome.done;

const errorIn = (answers: readonly StatementOutcome[]): Error | null =>
  answers.find((answer) => answer instanceof Error) ?? null;

/**
 * The writer's own statements (begin, savepoint, release) must succeed. They may fail because somebody cancels statements or a
 * timeout expired. "rollback to savepoint" would then undo the transaction before it, which was reported as done. So the
 * connection is closed, which discards uncommitted changes.
 */
function givenUp(connection: PostgresConnection, error: Error): Attempt {
  connection.destroy();
  return { kind: 'connection', error };
}

/** Rolls back. If that fails, the transaction would still be open for the next batch, so the connection ends. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  if (errorIn(await connection.run([ROLLBACK])) !== null) connection.destroy();
}

/**
 * Returns the outcome of a transaction. Statements after one that returned no row were sent with it and are rolled back with
 * it, so their results, including errors, are ignored.
 */
function outcomeOf(
  transaction: Transaction,
  answers: readonly StatementOutcome[],
  leading: number,
): TransactionOutcome {
  const rows: (readonly Row[])[] = [];
  for (const [at, answer] of answers.entries()) {
    if (answer instanceof Error) return answer;
    if (at < leading) continue;
    const index = at - leading;
    if (transaction[index]?.mustReturn === true && answer.length === 0) {
      return { done: false, failedAt: index };
    }
    rows.push(answer);
  }
  return { done: true, rows };
}

async function ended(
  writer: Writer,
  connection: PostgresConnection,
  run: { readonly outcomes: readonly TransactionOutcome[]; readonly before: readonly Statement[] },
): Promise<Attempt> {
  const { outcomes, before } = run;
  if (!outcomes.some(isDone)) {
    await rollBack(connection);
    return { kind: 'ended', outcomes };
  }
  if (connection.isLost()) {
    // The commit was not sent, so nothing was written.
    const error = new StoreUnavailable('the connection was lost before the commit', {
      problem: 'away',
    });
    return givenUp(connection, error);
  }
  // Both are sent together: if one of the statements fails, the server answers the commit with a rollback.
  const [, failure] = await Promise.all([connection.run(before), connection.commit()]);
  if (failure === null) {
    writer.commits += 1;
    return { kind: 'ended', outcomes };
  }
  const isUnknown = !(failure instanceof StoreUnavailable) && faultKindOf(failure) === 'connection';
  connection.destroy();
  const lost = isUnknown
    ? new StoreUnavailable(
        `the connection was lost in a commit, so it is not known whether it was written: ${failure.message}`,
        { cause: failure },
      )
    : storeErrorOf(failure, 'the store cannot commit');
  return { kind: 'ended', outcomes: outcomes.map((each) => (isDone(each) ? lost : each)) };
}
