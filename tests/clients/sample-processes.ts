// Runs samples one after the other in one process of their language, each as a program of its own: a process for each took half a
// minute a language.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

type SampleProcess = AsyncDisposable & {
  /** Returns what the sample prints. Rejects with the error if it fails. */
  run(source: string, env: Readonly<Record<string, string>>): Promise<string>;
};

type Reply = { readonly printed: string; readonly failed: string | null };

/**
 * Starts a program that reads one line of JSON per sample, `{source, env}`, and answers each with a line, `{printed,
 * failed}`.
 */
function sampleProcess(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): SampleProcess {
  const child = spawn(program, [...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(source, values) {
      child.stdin.write(`${JSON.stringify({ source, env: values })}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${program} ended before the sample did`);
      const { printed, failed } = JSON.parse(value) as Reply;
      if (failed !== null) throw new Error(`${source}\n${failed}`);
      return printed;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

const IN_PYTHON = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    asked = json.loads(line)
    os.environ.update(asked["env"])
    printed, failed = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(asked["source"], "sample", "exec"), {"__name__": "__main__"})
    except BaseException:
        failed = traceback.format_exc()
    print(json.dumps({"printed": printed.getvalue(), "failed": failed}), flush=True)
`;

const IN_NODE = `
import { createInterface } from 'node:readline';
import { stripTypeScriptTypes } from 'node:module';
import { inspect } from 'node:util';
const write = process.stdout.write.bind(process.stdout);
for await (const line of createInterface({ input: process.stdin })) {
  const { source, env } = JSON.parse(line);
  Object.assign(process.env, env);
  let printed = '';
  let failed = null;
  process.stdout.write = (text) => (printed += text, true);
  try {
    await import('data:text/javascript,' + encodeURIComponent(stripTypeScriptTypes(source)));
  } catch (error) {
    failed = inspect(error);
  }
  process.stdout.write = write;
  write(JSON.stringify({ printed, failed }) + '\\n');
}
`;

export const pythonProcess = (env: NodeJS.ProcessEnv): SampleProcess =>
  sampleProcess('python3', ['-c', IN_PYTHON], env);

/** A sample's imports must be full addresses. */
export const nodeProcess = (env: NodeJS.ProcessEnv): SampleProcess =>
  sampleProcess(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', IN_NODE],
    env,
  );
