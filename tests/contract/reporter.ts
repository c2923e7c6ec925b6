// A reporter of node:test: one JSON line per finished test, for the report and for the run of faults, and one per count of the
// whole run. It is the only reporter besides the one for the screen: a third one adds more listeners to the stream of results
// than Node allows without a warning.

import { join } from 'node:path';

export type Ended = {
  readonly file: string;
  readonly title: string;
  readonly ok: boolean;
  /** Known to fail: it runs and its outcome does not count. */
  readonly todo: boolean;
  readonly skipped: boolean;
  /** It failed because of an assertion, not because something broke. */
  readonly asserted: boolean;
  /** The first line of the error. */
  readonly why: string | null;
};

/** `tests`, `pass`, `fail` ... of the whole run. */
type Count = { readonly count: string; readonly of: number };

type TestEvent = {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    /** Of a diagnostic; one without a file is about the whole run. */
    readonly message?: string;
    readonly file?: string;
    /** The file that was run; `file` is where the test was defined. */
    readonly entryFile?: string;
    readonly nesting?: number;
    readonly todo?: unknown;
    readonly skip?: unknown;
    readonly details?: { readonly error?: { readonly cause?: unknown } };
  };
};

const ROOT = join(import.meta.dirname, '..', '..');
/** The suite that represents a file among others in one process. */
const TEST_FILE = /^tests\/.*\.test\.ts$/;

// node:test takes a reporter as the default export of its module.
// oxlint-disable-next-line import/no-default-export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const running = new Map<string, string>();
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.file === undefined) yield countIn(data.message ?? '');
    const { entryFile = data.file ?? '', name = '' } = data;
    if (type === 'test:start' && data.nesting === 0) {
      running.set(entryFile, TEST_FILE.test(name) ? join(ROOT, name) : entryFile);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const cause = data.details?.error?.cause;
    const ended: Ended = {
      file: running.get(entryFile) ?? entryFile,
      title: name,
      ok: type === 'test:pass',
      todo: data.todo !== undefined && data.todo !== false,
      skipped: data.skip !== undefined && data.skip !== false,
      asserted:
        typeof cause === 'object' &&
        cause !== null &&
        (cause as { readonly code?: unknown }).code === 'ERR_ASSERTION',
      why: type === 'test:fail' ? firstLineOf(cause) : null,
    };
    yield `${JSON.stringify(ended)}\n`;
  }
}

const MAX_WHY = 500;

function firstLineOf(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  return (said.split('\n')[0] ?? '').slice(0, MAX_WHY);
}

function countIn(message: string): string {
  const [, count, of] = /^([a-z_]+) ([\d.]+)$/.exec(message) ?? [];
  if (count === undefined) return '';
  return `${JSON.stringify({ count, of: Number(of) } satisfies Count)}\n`;
}

function linesOf(text: string): readonly (Ended | Count)[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Ended | Count);
}

/** Returns the finished tests from this reporter's output. */
export function endedIn(text: string): readonly Ended[] {
  return linesOf(text).filter((line): line is Ended => 'title' in line);
}

/** Returns the counts of the run from this reporter's output. */
export function countsIn(text: string): readonly Count[] {
  return linesOf(text).filter((line): line is Count => 'count' in line);
}
