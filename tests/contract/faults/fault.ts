// One fault: a small change to one file of the source, by which the service would break a statement.

export type Fault = {
  /** What is wrong with it, in a few words; unique. */
  readonly name: string;
  /** Below src. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files, relative to tests/contract, at least one of which fails. */
  readonly tests: readonly string[];
};
