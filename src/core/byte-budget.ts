// How many bytes of pages may be held at once, from the first byte that arrives until the page has been read. Pure state:
// who takes and who waits. Organizations share it, so that one with many large pages leaves room for the others.

import { isBackground, type FetchContext } from './fetch-context.ts';

/** The bytes of one page. */
export type HeldBytes = {
  /** Takes them if there is room and nobody waits for it. */
  tryTake(bytes: number): boolean;
  /** Waits until there is room. Rejects with the signal's reason when the context ends first. */
  take(bytes: number): Promise<void>;
  /** Adds bytes that are held already, without waiting. */
  add(bytes: number): void;
  /** Gives back some of them. */
  give(bytes: number): void;
  /** Gives back all. Further calls change nothing. */
  release(): void;
};

export type ByteBudget = {
  open(context: FetchContext): HeldBytes;
  /** Bytes held now, at most a page more than the budget. */
  held(): number;
  /** How many pages wait for room. */
  waiting(): number;
};

type Account = { held: number };

type Waiter = {
  readonly holder: Holder;
  readonly bytes: number;
  /** No caller waits for it. */
  readonly isBehind: boolean;
  readonly go: () => void;
  readonly fail: (reason: unknown) => void;
};

type Holder = { readonly name: string | null; readonly account: Account; held: number };

export function createByteBudget(maxBytes: number): ByteBudget {
  return new Budget(maxBytes);
}

class Budget implements ByteBudget {
  readonly #maxBytes: number;
  readonly #accounts = new Map<string | null, Account>();
  readonly #waiters = new Set<Waiter>();
  #held = 0;
  /** One page may exceed the budget where all others wait for each other: it ends, and gives back what it holds. */
  #beyond: Holder | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  held(): number {
    return this.#held;
  }

  waiting(): number {
    return this.#waiters.size;
  }

  open(context: FetchContext): HeldBytes {
    const [first] = context.turns();
    const name = first?.kind === 'caller' ? first.organization : null;
    const account = this.#accounts.get(name) ?? { held: 0 };
    this.#accounts.set(name, account);
    const holder: Holder = { name, account, held: 0 };
    return {
      tryTake: (bytes) => {
        const canTake = this.#waiters.size === 0 && this.#hasRoom(holder, bytes);
        if (canTake) this.#change(holder, bytes);
        return canTake;
      },
      take: (bytes) => {
        const isBehind = isBackground(context);
        return this.#wait({ holder, bytes, isBehind }, context.signal);
      },
      add: (bytes) => this.#change(holder, bytes),
      give: (bytes) => this.#give(holder, bytes),
      release: () => this.#release(holder),
    };
  }

  async #wait(wanted: Omit<Waiter, 'go' | 'fail'>, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const mine: Waiter = { ...wanted, go: resolve, fail: reject };
    const leave = (): void => {
      if (this.#waiters.delete(mine)) reject(signal.reason);
    };
    this.#waiters.add(mine);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    else this.#serve();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /**
   * An organization may hold as much as stays free: one alone half of the budget, two a third each, and so on. So there is
   * room for the first page of another whenever it comes.
   */
  #hasRoom(holder: Holder, bytes: number): boolean {
    const { account, name } = holder;
    const freeAfter = this.#maxBytes - this.#held - bytes;
    const isFirstPage = account.held === holder.held;
    return freeAfter >= 0 && (name === null || isFirstPage || account.held + bytes <= freeAfter);
  }

  #change(holder: Holder, bytes: number): void {
    this.#held += bytes;
    holder.held += bytes;
    holder.account.held += bytes;
    if (holder.account.held <= 0) this.#accounts.delete(holder.name);
    else this.#accounts.set(holder.name, holder.account);
  }

  #give(holder: Holder, bytes: number): void {
    this.#change(holder, -Math.min(bytes, holder.held));
    this.#serve();
  }

  #release(holder: Holder): void {
    for (const waiter of this.#waiters) {
      if (waiter.holder !== holder) continue;
      this.#waiters.delete(waiter);
      waiter.fail(new Error('the page is no longer wanted'));
    }
    if (this.#beyond === holder) this.#beyond = null;
    this.#give(holder, holder.held);
  }

  #serve(): void {
    for (;;) {
      const inOrder = [...this.#waiters].toSorted(goesFirst);
      const next = inOrder.find(
        ({ holder, bytes }) => holder === this.#beyond || this.#hasRoom(holder, bytes),
      );
      const one = next ?? (this.#beyond === null ? inOrder[0] : undefined);
      if (one === undefined) return;
      if (next === undefined) this.#beyond = one.holder;
      this.#waiters.delete(one);
      this.#change(one.holder, one.bytes);
      one.go();
    }
  }
}

/** Pages of callers before background work, and of the organization first that holds least. */
function goesFirst(a: Waiter, b: Waiter): number {
  return Number(a.isBehind) - Number(b.isBehind) || a.holder.account.held - b.holder.account.held;
}
