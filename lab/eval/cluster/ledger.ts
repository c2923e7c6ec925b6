// Compares the ledger with the answers: every answered call is in it exactly once with its tokens, and nothing else is in
// it except calls that were cut off and never repeated.

import type { Sql } from '../../../src/data/sql.ts';
import type { Answered } from './clients.ts';

export type LedgerResult = {
  /** Sum of tokens_consumed over all answers except replays of earlier ones. */
  readonly answered: number;
  /** Tokens of calls that were charged and cut off, and could not be repeated without an Idempotency-Key. */
  readonly cut: number;
  readonly ledger: number;
  /** By how much the balances decreased. */
  readonly dropped: number;
  /** Calls that are not in the ledger as they should be. */
  readonly wrong: readonly string[];
};

type Entry = { readonly atMs: number; readonly tokens: number };

/** `replays`: answers replayed for a key that had been answered before. */
export async function compareLedger(
  sql: Sql,
  calls: readonly Answered[],
  replays: ReadonlySet<Answered>,
): Promise<LedgerResult> {
  const rows = await sql.all('select key_id, at_ms, tokens from ledger order by at_ms');
  const ofKey = Map.groupBy(rows, (row) => String(row['key_id']));
  const entries = new Map(
    [...ofKey].map(([key, all]) => [
      key,
      all.map((row): Entry => ({ atMs: Number(row['at_ms']), tokens: Number(row['tokens']) })),
    ]),
  );
  const wrong: string[] = [];
  let [answered, cut, placed] = [0, 0, 0];
  for (const call of calls) {
    const within = (entries.get(call.keyId) ?? []).filter(
      ({ atMs }) => atMs >= call.beganMs && atMs <= call.endedMs,
    );
    placed += within.length;
    const charged = within.reduce((sum, { tokens }) => sum + tokens, 0);
    if (call.status === null) {
      cut += charged;
      if (within.length > 1) wrong.push(`${call.path}: cut, and charged ${within.length} times`);
      continue;
    }
    const isPaid = call.status < 300 && !replays.has(call);
    const tokens = isPaid ? Number(call.body['tokens_consumed'] ?? 0) : 0;
    answered += tokens;
    if (charged === tokens && within.length === (tokens === 0 ? 0 : 1)) continue;
    wrong.push(
      `${call.status} ${call.path}: answered ${tokens}, in the ledger ${within.length} rows with ${charged}`,
    );
  }
  if (placed !== rows.length) wrong.push(`${rows.length - placed} rows that belong to no call`);
  const [sums] = await sql.all(
    'select sum(used + reserved) as dropped, (select sum(tokens) from ledger) as ledger from balances',
  );
  return {
    answered,
    cut,
    ledger: Number(sums?.['ledger'] ?? 0),
    dropped: Number(sums?.['dropped'] ?? 0),
    wrong,
  };
}
