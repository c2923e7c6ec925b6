// Callers of one organization who look up pages that nobody has stored, each at a different address, one after another.
// Entry point of a child process.

export type HeavyCallersJob = {
  readonly url: string;
  readonly keys: readonly string[];
  /** Concurrent callers per key. */
  readonly callers: number;
  /** Prefix of product addresses; the rest is a number. */
  readonly prefix: string;
};

export type HeavyCallersResult = {
  readonly slowestMs: number;
  readonly byStatus: Readonly<Record<number, number>>;
};

const state = { isOver: false };

async function perform({
  url,
  keys,
  callers,
  prefix,
}: HeavyCallersJob): Promise<HeavyCallersResult> {
  const byStatus: Record<number, number> = {};
  let slowestMs = 0;
  let number = 0;
  const caller = async (key: string): Promise<void> => {
    while (!state.isOver) {
      number += 1;
      const fromMs = performance.now();
      const answer = await fetch(`${url}/v1/products/${encodeURIComponent(prefix + number)}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await answer.arrayBuffer();
      slowestMs = Math.max(slowestMs, performance.now() - fromMs);
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
      // A refusal costs the service nothing: repeating immediately would measure the client.
      if (answer.status >= 500) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all(keys.flatMap((key) => Array.from({ length: callers }, () => caller(key))));
  return { slowestMs, byStatus };
}

process.on('message', (message: HeavyCallersJob | 'stop') => {
  if (message === 'stop') state.isOver = true;
  else void perform(message).then((result) => process.send?.(result));
});
