// One fault: a small change to one file of the source, by which the service would break a statement.

export type Fault = {
  /** What is wrong with it, in a few words; unique. */
  readonly name: string;
  /** Below src. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files, as named from tests/contract, of which one fails at least. */
  readonly tests: readonly string[];
};
