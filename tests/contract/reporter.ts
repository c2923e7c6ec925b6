// A reporter of node:test: one JSON line for each test that ended, for the report and for the run of faults.

export type Ended = {
  readonly file: string;
  readonly title: string;
  readonly ok: boolean;
  /** Known to fail: it runs and its outcome does not count. */
  readonly todo: boolean;
  readonly skipped: boolean;
  /** It failed because something asserted was not so, and not because something broke. */
  readonly asserted: boolean;
};

type TestEvent = {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly file?: string;
    /** The file that was run; `file` is where the test was made. */
    readonly entryFile?: string;
    readonly todo?: unknown;
    readonly skip?: unknown;
    readonly details?: { readonly error?: { readonly cause?: unknown } };
  };
};

// node:test takes a reporter as the default export of its module.
// oxlint-disable-next-line import/no-default-export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const cause = data.details?.error?.cause;
    const ended: Ended = {
      file: data.entryFile ?? data.file ?? '',
      title: data.name ?? '',
      ok: type === 'test:pass',
      todo: data.todo !== undefined && data.todo !== false,
      skipped: data.skip !== undefined && data.skip !== false,
      asserted:
        typeof cause === 'object' &&
        cause !== null &&
        (cause as { readonly code?: unknown }).code === 'ERR_ASSERTION',
    };
    yield `${JSON.stringify(ended)}\n`;
  }
}
