// How a shop allows its pages to be used, in addition to which of them may be fetched (D83). An absent signal was not
// stated, which neither allows nor forbids anything.

export type Signals = {
  /** Whether its pages may be found by search, and compared with those of other shops. */
  readonly search?: boolean;
  /** Whether text of its pages may be given to language models. */
  readonly aiInput?: boolean;
  /** Whether models may be trained with its pages. */
  readonly aiTrain?: boolean;
  /** The address of its licence (RSL), which is never fetched. */
  readonly license?: string;
};

const KINDS = ['search', 'aiInput', 'aiTrain'] as const;

/** Combines several statements about one page: where they differ, the stricter counts. Undefined if nothing is stated. */
export function strictest(all: readonly (Signals | null | undefined)[]): Signals | undefined {
  const stated = all.filter((each) => each !== null && each !== undefined);
  const [first, second] = stated;
  if (first === undefined || second === undefined) return first;
  const license = stated.find((each) => each.license !== undefined)?.license;
  const signals = KINDS.flatMap((kind) => {
    const values = stated.map((each) => each[kind]).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[kind, !values.includes(false)] as const];
  });
  return { ...Object.fromEntries(signals), ...(license === undefined ? {} : { license }) };
}
