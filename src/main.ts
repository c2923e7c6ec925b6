// The program: hands argv to the commands, ties signals to one stop, and ends with their exit code.

import { run } from './cli/run.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The second signal means now (security 6).
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  });
}

// A reader that went away (`openshelf ... | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await run(process.argv.slice(2), {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY,
  ...(process.stderr.isTTY
    ? { status: (line) => void process.stderr.write(`\r\u001b[K${line ?? ''}`) }
    : {}),
  env: process.env,
  stop: stop.signal,
});
