// What a proof of a promise is: a sentence, and a program that says whether it holds, with its figures.

export type Proof = {
  readonly name: string;
  readonly promise: number;
  readonly says: string;
  readonly run: (how: {
    readonly isLong: boolean;
    readonly say: (line: string) => void;
  }) => Promise<ProofResult>;
};

export type ProofResult = { readonly holds: boolean; readonly figures: readonly string[] };
