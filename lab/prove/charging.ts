// A process that makes metered calls (tests/data/metering/charging-child.ts), and its reports on each: begun, given back,
// answered. A line truncated by the kill is ignored.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(
  new URL('../../tests/data/metering/charging-child.ts', import.meta.url),
);

type Charged = { readonly tokens: number; readonly observedAtMs: number | null };

export type Charging = {
  readonly child: ChildProcess;
  readonly begun: Set<string>;
  readonly givenBack: Set<string>;
  readonly answered: Map<string, Charged>;
  /** Resolves when the process has exited and all its output is read. */
  readonly ended: Promise<unknown>;
};

/** Starts one; `onAnswer` receives the number of answered calls, 0 when the store is about to be opened. */
export function startCharging(
  place: string,
  prefix: string,
  onAnswer: (answered: number, child: ChildProcess) => void,
): Charging {
  const child = spawn(process.execPath, [CHILD, place, prefix, 'forever'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const charging = {
    child,
    begun: new Set<string>(),
    givenBack: new Set<string>(),
    answered: new Map<string, Charged>(),
  };
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    const [word, id = '', tokens, at] = line.split(' ');
    if (word === 'begun') charging.begun.add(id);
    if (word === 'released') charging.givenBack.add(id);
    if (word === 'charged' && (tokens === '1' || /^\d{16}$/.test(at ?? ''))) {
      charging.answered.set(id, {
        tokens: Number(tokens),
        observedAtMs: at === undefined ? null : Number(at),
      });
    }
    if (word === 'charged' || word === 'opening') onAnswer(charging.answered.size, child);
  });
  return { ...charging, ended: Promise.all([once(child, 'close'), once(reader, 'close')]) };
}

/** Returns the errors of a ledger in which these runs were cut off: by id, exactly once, nothing else. */
export function ledgerProblems(
  ledger: ReadonlyMap<string, number>,
  instants: ReadonlySet<number>,
  runs: readonly Pick<Charging, 'begun' | 'givenBack' | 'answered'>[],
): readonly string[] {
  const problems: string[] = [];
  const left = new Map(ledger);
  let cut = 0;
  for (const { begun, givenBack, answered } of runs) {
    for (const [id, { tokens, observedAtMs }] of answered) {
      if (left.get(id) !== tokens)
        problems.push(`${id} was answered for ${tokens}, ledger ${left.get(id)}`);
      if (observedAtMs !== null && !instants.has(observedAtMs))
        problems.push(`${id}: no observation`);
      left.delete(id);
    }
    for (const id of givenBack) if (left.has(id)) problems.push(`${id} was refunded and charged`);
    for (const id of begun) if (left.delete(id)) cut += 1;
  }
  for (const id of left.keys()) problems.push(`${id} was charged and never begun`);
  // Eight calls run at a time.
  if (cut > runs.length * 8) problems.push(`${cut} calls were cut off in ${runs.length} runs`);
  return problems;
}
