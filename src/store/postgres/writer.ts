// Commits batches of units on one connection: as many as possible in one transaction, each of which stands or
// falls alone. Knows nothing of tables.

import type { Answer, PostgresConnection } from './connection.ts';
import { faultKindOf, storeErrorOf } from './faults.ts';
import type { Row, Statement, Transaction } from '../sql.ts';
import { StoreUnavailable } from '../store-error.ts';
import type { Early, TransactionOutcome } from '../write-queue.ts';

export type PostgresWriter = {
  /** An outcome for each unit, in order; `early` is told of those that came before all. Never rejects. */
  commit(units: readonly Transaction[], early: Early): Promise<readonly TransactionOutcome[]>;
  readonly commits: () => number;
  close(): Promise<void>;
};

/** How often a unit is begun that another process gets in the way of. */
const MAX_CONTENDED = 5;
/** How often a batch is begun whose connection is lost before its commit: the second one is a new connection. */
const MAX_LOST = 2;

type Writer = {
  readonly open: () => Promise<PostgresConnection>;
  connection: PostgresConnection | null;
  commits: number;
  /** Whether the batch before had nothing in it that must be undone: then all of the next is sent at once. */
  isHopeful: boolean;
};

/** `first`: connected already; `open` makes the next one when it is lost. */
export function createPostgresWriter(
  first: PostgresConnection,
  open: () => Promise<PostgresConnection>,
): PostgresWriter {
  const writer: Writer = { open, connection: first, commits: 0, isHopeful: true };
  return {
    commit: (units, early) => commitAll(writer, units, early),
    commits: () => writer.commits,
    close: async () => {
      await writer.connection?.close();
    },
  };
}

/** How a transaction over the first of some units ended. */
type Part =
  /** So many of the first units have their outcome. */
  | { readonly kind: 'ended'; readonly outcomes: readonly TransactionOutcome[] }
  /** Nothing was written: because of another process, or because the connection was lost. */
  | { readonly kind: 'contention' | 'connection'; readonly error: Error };

async function commitAll(
  writer: Writer,
  units: readonly Transaction[],
  early: Early,
): Promise<readonly TransactionOutcome[]> {
  const outcomes: TransactionOutcome[] = [];
  let begun = 0;
  while (outcomes.length < units.length) {
    const rest = units.slice(outcomes.length);
    const connection = await connected(writer);
    // Connecting was tried now: trying it again for each unit would only make all of them wait.
    if (connection instanceof Error) return [...outcomes, ...rest.map(() => connection)];
    const part = await attempt(writer, connection, rest);
    begun += 1;
    if (part.kind === 'ended') {
      outcomes.push(...part.outcomes);
      early(outcomes);
      begun = 0;
    } else if (begun >= (part.kind === 'connection' ? MAX_LOST : MAX_CONTENDED)) {
      outcomes.push(storeErrorOf(part.error, 'the store cannot write'));
      begun = 0;
    }
  }
  return outcomes;
}

/** All at once when that is likely to do, else one by one; a single unit is the same either way. */
async function attempt(
  writer: Writer,
  connection: PostgresConnection,
  units: readonly Transaction[],
): Promise<Part> {
  if (writer.isHopeful || units.length === 1) {
    const part = await allAtOnce(writer, connection, units);
    if (part !== null) return part;
  }
  const part = await oneByOne(writer, connection, units);
  writer.isHopeful =
    part.kind === 'ended' && part.outcomes.length === units.length && part.outcomes.every(isDone);
  return part;
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
const BEGIN = command('begin');
const ROLLBACK = command('rollback');
const SAVEPOINT = command('savepoint unit');
const RELEASE = command('release savepoint unit');
const UNDO = command('rollback to savepoint unit');
/**
 * A unit that is not the first of its transaction waits only this long (ms) for another process, because the locks of
 * the units before it are held meanwhile: two processes that wait for each other would wait for ever. It is then
 * the first of the next transaction, which holds nothing and may wait.
 */
const HURRY = command('set local lock_timeout = 20');

/**
 * Sends all units together, without savepoints, and commits when every one of them stands. Null: at least one of
 * several does not, so everything was undone, and which ones stand is to be found out one by one.
 */
async function allAtOnce(
  writer: Writer,
  connection: PostgresConnection,
  units: readonly Transaction[],
): Promise<Part | null> {
  const leading = units.length > 1 ? [BEGIN, HURRY] : [BEGIN];
  const answers = await connection.run([...leading, ...units.flat()]);
  let at = leading.length;
  const outcomes = units.map((unit) => {
    const own = answers.slice(at, at + unit.length);
    at += unit.length;
    return outcomeOf(unit, own, 0);
  });
  if (outcomes.every(isDone)) return await ended(writer, connection, { outcomes, before: [] });
  const lost = connection.isLost() ? answers.find((answer) => answer instanceof Error) : undefined;
  if (lost !== undefined) {
    connection.destroy();
    return { kind: 'connection', error: lost };
  }
  await connection.run([ROLLBACK]);
  const [only] = outcomes;
  if (only === undefined || units.length > 1) return null;
  if (!(only instanceof Error)) return { kind: 'ended', outcomes };
  if (faultKindOf(only) === 'contention') return { kind: 'contention', error: only };
  return { kind: 'ended', outcomes: [storeErrorOf(only, 'the store cannot write')] };
}

/** Runs units, each in its savepoint, until one of them is in the way of another process, and commits. */
async function oneByOne(
  writer: Writer,
  connection: PostgresConnection,
  units: readonly Transaction[],
): Promise<Part> {
  const outcomes: TransactionOutcome[] = [];
  let before: readonly Statement[] = [BEGIN];
  for (const [index, unit] of units.entries()) {
    const leading = [...before, SAVEPOINT];
    const answers = await connection.run([...leading, ...unit]);
    const outcome = outcomeOf(unit, answers, leading.length);
    const kind = outcome instanceof Error ? faultKindOf(outcome) : null;
    if (outcome instanceof Error && kind === 'connection') {
      connection.destroy();
      return { kind, error: outcome };
    }
    const isHeldUp = kind === 'contention' || kind === 'waited';
    if (isHeldUp && index > 0) return await ended(writer, connection, { outcomes, before: [UNDO] });
    if (outcome instanceof Error && kind === 'contention') {
      await connection.run([ROLLBACK]);
      return { kind, error: outcome };
    }
    outcomes.push(
      outcome instanceof Error ? storeErrorOf(outcome, 'the store cannot write') : outcome,
    );
    before = [...(isDone(outcome) ? [] : [UNDO]), RELEASE, ...(index === 0 ? [HURRY] : [])];
  }
  return await ended(writer, connection, { outcomes, before });
}

const isDone = (outcome: TransactionOutcome): boolean =>
  !(outcome instanceof Error) && outcome.done;

/**
 * What stands behind a statement without its row was asked too. It is undone with it, and whatever it says, an
 * error as well, is nobody's concern.
 */
function outcomeOf(
  unit: Transaction,
  answers: readonly Answer[],
  leading: number,
): TransactionOutcome {
  const rows: (readonly Row[])[] = [];
  for (const [at, answer] of answers.entries()) {
    if (answer instanceof Error) return answer;
    if (at < leading) continue;
    const index = at - leading;
    if (unit[index]?.mustReturn === true && answer.length === 0) {
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
): Promise<Part> {
  const { outcomes, before } = run;
  if (!outcomes.some(isDone)) {
    await connection.run([ROLLBACK]);
    return { kind: 'ended', outcomes };
  }
  // Sent together: where one of them fails, the server answers the commit with a rollback.
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
