// The interface of a program that proves one promise of docs/promises.md.

export type Proof = {
  readonly name: string;
  readonly promise: number;
  /** The promise, in one sentence. */
  readonly says: string;
  readonly run: (how: {
    readonly isLong: boolean;
    /** A folder of additional cases of the same form as tests/vectors, if the caller has one. */
    readonly vectors: string | null;
    readonly say: (line: string) => void;
  }) => Promise<ProofResult>;
};

export type ProofResult = { readonly holds: boolean; readonly figures: readonly string[] };
