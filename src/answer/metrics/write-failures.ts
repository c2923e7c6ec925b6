// Failed writes of the store, for the operator: counted by problem, with at most one log line a second for each.

import type { Clock } from '../../base/clock.ts';
import type { WriteProblem } from '../../data/sql.ts';
import type { WriteHealth } from '../../data/write-health.ts';
import type { Family } from './prometheus-text.ts';

type Fields = Readonly<Record<string, string | number>>;

type WriteFailureLog = {
  error(message: string, fields: Fields): void;
  info(message: string, fields: Fields): void;
};

/** Each problem has a sample from the start, so that the first failure shows as a difference. */
const PROBLEMS: readonly WriteProblem[] = [
  'full',
  'read_only',
  'locked',
  'damaged',
  'io_error',
  'away',
  'overloaded',
  'refused',
  'other',
];

/** Advice for the operator on call. Nothing has to be restarted: the next write that succeeds ends it. */
const ADVICE: Readonly<Record<WriteProblem, string>> = {
  full: 'Make space on the disk of the database. Calls are refused until then.',
  read_only:
    'Make the disk writable, or use the primary: a standby accepts no writes. Calls are refused until then.',
  locked:
    'Another program has locked the database: stop it, or wait. Calls are refused until then.',
  damaged: 'Stop the service, keep the file, run openshelf check, and restore a backup.',
  io_error: 'Check the disk: reading or writing fails. Calls are refused until it works.',
  away: 'Start the database, or restore its file. openshelf doctor shows what is missing.',
  overloaded:
    'The database is overloaded. openshelf_in_hand in /metrics shows what causes the load.',
  closed: 'The service is stopping. No action is needed.',
  refused: 'The database rejects the statement: report this line, it is a bug in openshelf.',
  other: 'openshelf doctor shows whether the database works; the error has the details.',
};

const LINE_EVERY_MS = 1_000;

/** Logs when writes start failing, and when they recover. `clock` must never be set back. */
export function logWriteFailures(
  health: WriteHealth,
  log: WriteFailureLog,
  clock: Pick<Clock, 'now'>,
): void {
  const said = new Map<WriteProblem, { atMs: number; unsaid: number }>();
  let failed = 0;
  health.watch({
    failed({ problem, message }) {
      failed += 1;
      const last = said.get(problem);
      if (last !== undefined && clock.now() - last.atMs < LINE_EVERY_MS) {
        last.unsaid += 1;
        return;
      }
      const writes = (last?.unsaid ?? 0) + 1;
      said.set(problem, { atMs: clock.now(), unsaid: 0 });
      log.error('the store could not write', {
        problem,
        writes,
        error: message,
        advice: ADVICE[problem],
      });
    },
    recovered() {
      log.info('the store can write again', { failed_writes: failed });
      failed = 0;
      said.clear();
    },
  });
}

/** `openshelf_store_write_failures_total`. */
export function writeFailureFamily(health: WriteHealth): Family {
  return {
    name: 'openshelf_store_write_failures_total',
    help: 'Failed writes to the store, by problem.',
    type: 'counter',
    samples: PROBLEMS.map((problem) => ({
      labels: { problem },
      value: health.failures().get(problem) ?? 0,
    })),
  };
}
