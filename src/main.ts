// The program: passes argv to the commands, turns signals into one stop signal whose reason is the signal's name, and ends with
// the exit code. Only this file reads the file `.env`.

import { envFileRemark, readEnvFile } from './cli/env-file.ts';
import { programOfCheckout } from './cli/help.ts';
import { run } from './cli/run.ts';
import { standardError, standardOutput } from './cli/standard-output.ts';
import { explainError } from './cli/system-error.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The first signal lets answers finish; the second one ends the process at once.
    if (stop.signal.aborted) process.exit(1);
    stop.abort(signal);
  });
}

// A log that cannot be written must not end a service: its disk may be full, or its reader gone. Later lines are tried again.
process.stderr.on('error', () => undefined);

process.exitCode = await runHere().catch((error: unknown) => {
  process.stderr.write(`openshelf: ${explainError(error, [])}\n`);
  return 1;
});

async function runHere(): Promise<number> {
  const settings = readEnvFile(process.env, process.cwd());
  const program = programOfCheckout(process.argv[1] ?? '', process.cwd());
  return await run(process.argv.slice(2), {
    out: standardOutput((code) => process.exit(code)),
    err: standardError(process.stderr),
    isTerminal: process.stdout.isTTY,
    ...(process.stderr.isTTY
      ? { status: (line) => void process.stderr.write(`\r\u001b[K${line ?? ''}`) }
      : {}),
    env: settings.env,
    ...(program === undefined ? {} : { program }),
    envRemark: envFileRemark(settings),
    stop: stop.signal,
    end: (code) => process.exit(code),
  });
}
