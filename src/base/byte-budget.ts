// Limits how many bytes of pages may be held in memory at once, from the first byte that arrives until the page has been
// read. Pure state: which pages hold bytes and which wait. Organizations share the budget, so that one with many large
// pages leaves room for the others.

import { askerOf, isBackground, type FetchContext } from './fetch-context.ts';

/** The bytes of one page. */
export type HeldBytes = {
  /** Takes bytes if there is room and no other page is waiting. */
  tryTake(bytes: number): boolean;
  /** Waits until there is room. Rejects with the signal's reason when the context ends first. */
  take(bytes: number): Promise<void>;
  /** Adds bytes that are already held, without waiting. */
  add(bytes: number): void;
  /** Returns some of the bytes to the budget. */
  give(bytes: number): void;
  /** Returns all bytes to the budget. Further calls have no effect. */
  release(): void;
};

export type ByteBudget = {
  open(context: FetchContext): HeldBytes;
  /** Bytes currently held. They exceed the budget by at most one page. */
  held(): number;
  /** Number of pages waiting for room. */
  waiting(): number;
};

/** Bytes that one asker holds across all its pages. An asker is an organization, or background work. */
type Account = { readonly asker: string | null; held: number; pages: number };

type Waiter = {
  readonly holder: Holder;
  readonly bytes: number;
  /** Whether no caller waits for it. */
  readonly isBehind: boolean;
  readonly go: () => void;
  readonly fail: (reason: unknown) => void;
};

type Holder = { readonly account: Account; held: number; isOver: boolean };

/** The asker of callers without an organization, as on the command line, where no one else shares the budget. */
const NOBODY = '';

export function createByteBudget(maxBytes: number): ByteBudget {
  return new Budget(maxBytes);
}

class Budget implements ByteBudget {
  readonly #maxBytes: number;
  readonly #accounts = new Map<string | null, Account>();
  readonly #holding = new Set<Holder>();
  readonly #waiters = new Set<Waiter>();
  #held = 0;
  /** The one page that may exceed the budget, so that it can finish and release its bytes. */
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
    const holder: Holder = { account: this.#accountOf(context), held: 0, isOver: false };
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

  /**
   * The account is kept while any page of its asker is open. With a new account per page, every page would count as a first
   * page.
   */
  #accountOf(context: FetchContext): Account {
    const [first] = context.turns();
    const asker = first === undefined ? NOBODY : askerOf(first);
    const account = this.#accounts.get(asker) ?? { asker, held: 0, pages: 0 };
    account.pages += 1;
    this.#accounts.set(asker, account);
    return account;
  }

  #close(account: Account): void {
    account.pages -= 1;
    if (account.pages === 0) this.#accounts.delete(account.asker);
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
   * Returns whether a page may take this many bytes. An organization may hold at most as many bytes as remain free: one alone
   * may use half of the budget, two a third each, and so on. This always leaves room for another organization's first page.
   * Background work counts as one organization.
   */
  #hasRoom(holder: Holder, bytes: number): boolean {
    const freeAfter = this.#maxBytes - this.#held - bytes;
    return freeAfter >= 0 && (isFirstPage(holder) || holder.account.held + bytes <= freeAfter);
  }

  #change(holder: Holder, bytes: number): void {
    this.#held += bytes;
    holder.held += bytes;
    holder.account.held += bytes;
    if (holder.held > 0) this.#holding.add(holder);
    else this.#holding.delete(holder);
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
    if (!holder.isOver) this.#close(holder.account);
    holder.isOver = true;
    this.#give(holder, holder.held);
  }

  #serve(): void {
    for (;;) {
      const inOrder = [...this.#waiters].toSorted(goesFirst);
      const next = inOrder.find(
        ({ holder, bytes }) => holder === this.#beyond || this.#hasRoom(holder, bytes),
      );
      const one = next ?? (this.#beyond === null ? this.#nextBeyond(inOrder) : undefined);
      if (one === undefined) return;
      if (next === undefined) this.#beyond = one.holder;
      this.#waiters.delete(one);
      this.#change(one.holder, one.bytes);
      one.go();
    }
  }

  /**
   * Selects the page that may exceed the budget: an asker's first page, or any other page only if all pages that hold bytes are
   * waiting.
   */
  #nextBeyond(inOrder: readonly Waiter[]): Waiter | undefined {
    const first = inOrder.find(({ holder }) => isFirstPage(holder));
    if (first !== undefined) return first;
    const waiting = new Set(inOrder.map(({ holder }) => holder));
    return this.#holding.isSubsetOf(waiting) ? inOrder[0] : undefined;
  }
}

/** Returns whether this is the only page of its asker that holds bytes. */
function isFirstPage({ account, held }: Holder): boolean {
  return account.asker === NOBODY || account.held === held;
}

/** Orders callers' pages before background work, then by how little their organization holds. */
function goesFirst(a: Waiter, b: Waiter): number {
  return Number(a.isBehind) - Number(b.isBehind) || a.holder.account.held - b.holder.account.held;
}
