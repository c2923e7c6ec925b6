// Compares the promoted server's ledger with the answers: calls answered before the last moment that the standby knew of
// are in it, every call once, and nothing that was not answered is in it twice.

import type { Sql } from '../../../src/data/sql.ts';
import type { BilledCall } from './calls.ts';

export type FailoverLedger = {
  /** Calls answered before the primary was killed, and those of them that the promoted server does not have. */
  readonly before: number;
  readonly lost: number;
  /** Of these, those answered before the standby's last known position was written: none may be. */
  readonly lostWithin: readonly string[];
  /** Calls answered since then that the ledger does not have; rows without an answered key; calls with different tokens. */
  readonly wrong: readonly string[];
  /** Charged and never answered, because the run was over. */
  readonly unanswered: number;
  readonly rows: number;
  readonly tokens: { readonly answered: number; readonly ledger: number };
};

type LedgerTimes = {
  /** The promoted server cannot have written anything that was answered before. */
  readonly promotingMs: number;
  /** Everything acknowledged before this is in the part of the log that the standby had. */
  readonly knownUntilMs: number;
};

export async function compareFailover(
  sql: Sql,
  calls: readonly BilledCall[],
  { promotingMs, knownUntilMs }: LedgerTimes,
): Promise<FailoverLedger> {
  const charges = await sql.all("select request_id, tokens from ledger where kind = 'charge'");
  const kept = await sql.all('select * from idempotency_keys where body is not null');
  const tokensOf = new Map(
    charges.map((row) => [String(row['request_id']), Number(row['tokens'])]),
  );
  const requests = new Map(
    kept.map((row) => [`${row['organization_id']} ${row['idempotency_key']}`, row]),
  );
  const wrong: string[] = [];
  const lostWithin: string[] = [];
  const placed = new Set<string>();
  let [before, lost, unanswered, answered] = [0, 0, 0, 0];
  for (const call of calls) {
    const name = `${call.organizationId} ${call.once}`;
    const requestId = String(requests.get(name)?.['request_id'] ?? '');
    const charged = tokensOf.get(requestId);
    if (charged !== undefined) placed.add(requestId);
    if (call.answeredMs === null) {
      unanswered += charged === undefined ? 0 : 1;
      answered += charged ?? 0;
      continue;
    }
    const isBefore = call.answeredMs < promotingMs;
    before += isBefore ? 1 : 0;
    if (charged === call.tokens) answered += call.tokens;
    else if (charged === undefined && isBefore) {
      lost += 1;
      if (call.answeredMs < knownUntilMs) lostWithin.push(name);
    } else wrong.push(`${name}: answered ${call.tokens}, in the ledger ${charged ?? 'nothing'}`);
  }
  // Every call has a key, so a charge without a stored answer was made twice or for nothing.
  for (const requestId of tokensOf.keys()) {
    if (!placed.has(requestId)) wrong.push(`${requestId}: charged, but belongs to no call`);
  }
  const ledger = [...tokensOf.values()].reduce((sum, each) => sum + each, 0);
  const tokens = { answered, ledger };
  return { before, lost, lostWithin, wrong, unanswered, rows: charges.length, tokens };
}
