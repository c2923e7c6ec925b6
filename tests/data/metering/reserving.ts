// Starts processes that hold reservations (reserving-child.ts), to be killed or stopped.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./reserving-child.ts', import.meta.url));

type Reserving = AsyncDisposable & {
  /** `reserve 10`, `renew` or `settle 3`; resolves with `done` or the code of the fault. */
  readonly ask: (line: string) => Promise<string>;
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  readonly kill: () => Promise<void>;
};

export function startReserving(place: string, key: string, requestId: string): Reserving {
  const args = [CHILD, place, key, requestId];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const answer = await lines.next();
      return answer.done === true ? 'ended' : answer.value;
    },
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGCONT');
      child.stdin.end();
      await ended;
    },
  };
}
