// The tokens that may be spent, in one conversation or in a month with one key. A call's maximum cost is reserved beforehand,
// so that parallel calls stay within the budget too.

export type Budget = {
  /** The token limit; null without one. */
  readonly limit: number | null;
  /** Tokens spent, as of the last call. */
  spent(): number;
  /** Tokens neither spent nor reserved; null without a limit. */
  left(): number | null;
  /** Reserves a call's maximum cost; null if that much is not left. Call the result once, with the actual cost. */
  take(most: number): Promise<((cost: number) => void) | null>;
};

/** Creates the budget of one conversation, which nothing else spends from. */
export function createBudget(limit: number | null): Budget {
  let spent = 0;
  let aside = 0;
  const left = () => (limit === null ? null : limit - spent - aside);
  return {
    limit,
    spent: () => spent,
    left,
    take(most) {
      if ((left() ?? most) < most) return Promise.resolve(null);
      aside += most;
      return Promise.resolve((cost) => {
        aside -= most;
        spent += cost;
      });
    },
  };
}

/** Tokens reserved by calls in progress, by key. */
export type Aside = Map<string, number>;

/** Creates the budget of all calls with one key. The key's spending is read again for every call. */
export function createKeyBudget(
  limit: number,
  key: string,
  aside: Aside,
  readSpent: () => Promise<number>,
): Budget {
  let spent = 0;
  const change = (by: number): number => {
    const sum = (aside.get(key) ?? 0) + by;
    if (sum === 0) aside.delete(key);
    else aside.set(key, sum);
    return sum;
  };
  return {
    limit,
    spent: () => spent,
    left: () => Math.max(0, limit - spent),
    async take(most) {
      // Reserved before the spending is read: a call that finishes meanwhile is then counted twice rather than not at all.
      const others = change(most) - most;
      try {
        spent = await readSpent();
      } catch (error) {
        change(-most);
        throw error;
      }
      // A call that costs nothing is always allowed.
      if (most > 0 && limit - spent - others < most) {
        change(-most);
        return null;
      }
      return (cost) => {
        change(-most);
        spent += cost;
      };
    },
  };
}
