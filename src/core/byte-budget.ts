// How many bytes of pages may be held at once, from the first byte that arrives until the page has been read. Pure state:
// who takes and who waits. Organizations share it, so that one with many large pages holds at most half.

import type { FetchContext } from './fetch-context.ts';

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
  readonly isBackground: boolean;
  readonly go: () => void;
  readonly fail: (reason: unknown) => void;
};

type Holder = { readonly name: string | null; readonly account: Account; held: number };

/** The share of one organization. */
const SHARE = 0.5;

export function createByteBudget(maxBytes: number): ByteBudget {
  const accounts = new Map<string | null, Account>();
  const waiters = new Set<Waiter>();
  let held = 0;
  /** One page may exceed the budget where all others wait for each other: it ends, and gives back what it holds. */
  let beyond: Holder | null = null;

  const change = (holder: Holder, bytes: number): void => {
    held += bytes;
    holder.held += bytes;
    holder.account.held += bytes;
    if (holder.account.held <= 0) accounts.delete(holder.name);
    else accounts.set(holder.name, holder.account);
  };
  const hasRoom = ({ account, name }: Holder, bytes: number): boolean =>
    held + bytes <= maxBytes && (name === null || account.held + bytes <= maxBytes * SHARE);

  function serve(): void {
    for (;;) {
      const inOrder = [...waiters].toSorted(goesFirst);
      const next = inOrder.find(({ holder, bytes }) => holder === beyond || hasRoom(holder, bytes));
      const one = next ?? (beyond === null ? inOrder[0] : undefined);
      if (one === undefined) return;
      if (next === undefined) beyond = one.holder;
      waiters.delete(one);
      change(one.holder, one.bytes);
      one.go();
    }
  }

  return {
    held: () => held,
    waiting: () => waiters.size,
    open({ signal, priority }) {
      const { current } = priority;
      const name = current.kind === 'caller' ? current.organization : null;
      const account = accounts.get(name) ?? { held: 0 };
      accounts.set(name, account);
      const holder: Holder = { name, account, held: 0 };
      const give = (bytes: number): void => {
        change(holder, -Math.min(bytes, holder.held));
        serve();
      };
      return {
        tryTake(bytes) {
          const canTake = waiters.size === 0 && hasRoom(holder, bytes);
          if (canTake) change(holder, bytes);
          return canTake;
        },
        async take(bytes) {
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          const isBackground = priority.current.kind === 'background';
          const mine: Waiter = { holder, bytes, isBackground, go: resolve, fail: reject };
          const leave = (): void => {
            if (waiters.delete(mine)) reject(signal.reason);
          };
          waiters.add(mine);
          signal.addEventListener('abort', leave, { once: true });
          if (signal.aborted) leave();
          else serve();
          try {
            await promise;
          } finally {
            signal.removeEventListener('abort', leave);
          }
        },
        add: (bytes) => change(holder, bytes),
        give,
        release: () => {
          for (const waiter of waiters) {
            if (waiter.holder !== holder) continue;
            waiters.delete(waiter);
            waiter.fail(new Error('the page is no longer wanted'));
          }
          if (beyond === holder) beyond = null;
          give(holder.held);
        },
      };
    },
  };
}

/** Pages of callers before background work, and of the organization first that holds least. */
function goesFirst(a: Waiter, b: Waiter): number {
  return (
    Number(a.isBackground) - Number(b.isBackground) || a.holder.account.held - b.holder.account.held
  );
}
