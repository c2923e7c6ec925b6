// The tokens that may be spent, in one conversation or in a month with one key. What a call can cost is set aside before it, so
// that parallel calls stay within the budget too.

export type Budget = {
  /** The most tokens; null without a limit. */
  readonly limit: number | null;
  /** Tokens spent, as known after the last call. */
  spent(): number;
  /** Tokens that are neither spent nor set aside; null without a limit. */
  left(): number | null;
  /**
   * Sets aside the most that a call can cost; null if that much is not left. The result is to be called once, with what the
   * call did cost.
   */
  take(most: number): Promise<((cost: number) => void) | null>;
};

/** The budget of one conversation, from which nobody else spends. */
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

/** Tokens that calls in progress have set aside, by key. */
export type Aside = Map<string, number>;

/** The budget of all calls with one key. What the key has spent is read again for every call. */
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
      // Set aside before the spending is read: a call that ends meanwhile is then counted twice rather than not at all.
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
