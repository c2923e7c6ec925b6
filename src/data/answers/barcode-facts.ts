// The facts of barcode databases about a barcode, and when each database was asked (D86). They are separate from listings:
// nothing else reads them.

import { DAY_MS, SET_BACK_MS } from '../../base/clock.ts';
import {
  BARCODE_DATABASES,
  type BarcodeDatabase,
  type IdentityFacts,
} from '../../base/identity-facts.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { isAtOrBelow } from '../takedowns.ts';

export type StoredFacts = {
  readonly source: BarcodeDatabase;
  /** When the database was last asked, or its dump imported (ms since 1970). */
  readonly askedAtMs: number;
  /** `asked`: it has not answered yet. */
  readonly outcome: 'asked' | 'unknown' | 'known';
  /** The facts that it stated, even if it was asked again since; null if it never had the barcode. */
  readonly facts: IdentityFacts | null;
};

export type BarcodeFacts = {
  readonly find: (gtin: Gtin14) => Promise<StoredFacts | null>;
  /** Records that the database is about to be asked. Returns false if a process has asked within 30 days. */
  readonly claim: (gtin: Gtin14, source: BarcodeDatabase, nowMs: number) => Promise<boolean>;
  /** Withdraws the claim: this database was not asked about the code, and still may be. */
  readonly release: (
    gtin: Gtin14,
    before: Pick<StoredFacts, 'source' | 'askedAtMs'>,
  ) => Promise<void>;
  /** Stores the answer to a claim; null if the database does not have the barcode. */
  readonly answered: (gtin: Gtin14, facts: IdentityFacts | null) => Promise<void>;
  /** Stores rows of a dump in one transaction. */
  readonly importAll: (rows: readonly ImportedFacts[], nowMs: number) => Promise<void>;
};

export type ImportedFacts = { readonly gtin: Gtin14; readonly facts: IdentityFacts };

/** A database is asked about a code at most once in this time. */
export const ASK_AGAIN_MS = 30 * DAY_MS;

const CLAIMED = 'claimed';

export function createBarcodeFacts(sql: Sql): BarcodeFacts {
  const write = async (text: string, params: Statement['params']) => {
    await sql.write([{ text, params: params ?? [] }]);
  };
  return {
    async find(gtin) {
      const rows = await sql.all('select * from barcode_facts where gtin14 = $1', [gtin]);
      return rows.map(toStored)[0] ?? null;
    },
    async claim(gtin, source, nowMs) {
      const written = await sql.write([
        {
          text: `insert into barcode_facts (gtin14, source, asked_at_ms, outcome)
            values ($1, $2, $3, 'asked') on conflict (gtin14) do update
            set source = excluded.source, asked_at_ms = excluded.asked_at_ms, outcome = 'asked'
            where barcode_facts.asked_at_ms <= $4 or barcode_facts.asked_at_ms > $5
            returning gtin14`,
          params: [gtin, source, nowMs, nowMs - ASK_AGAIN_MS, nowMs + SET_BACK_MS],
          name: CLAIMED,
          mustReturn: true,
        },
      ]);
      return written.done;
    },
    release: (gtin, { source, askedAtMs }) =>
      write('update barcode_facts set source = $2, asked_at_ms = $3 where gtin14 = $1', [
        gtin,
        source,
        askedAtMs,
      ]),
    answered: (gtin, facts) =>
      write(
        `update barcode_facts set source = coalesce($2, source), outcome = $3, facts = $4
          where gtin14 = $1`,
        [gtin, facts?.source ?? null, facts === null ? 'unknown' : 'known', textOf(facts)],
      ),
    async importAll(rows, nowMs) {
      const statements = rows.map(({ gtin, facts }) => ({
        text: `insert into barcode_facts (gtin14, source, asked_at_ms, outcome, facts)
          values ($1, $2, $3, 'known', $4) on conflict (gtin14) do update
          set source = excluded.source, asked_at_ms = excluded.asked_at_ms, outcome = 'known',
            facts = excluded.facts`,
        params: [gtin, facts.source, nowMs, textOf(facts)],
      }));
      if (statements.length > 0) await sql.write(statements, { isWholeBatch: true });
    },
  };
}

/** Removes questions without an answer that may be asked again. */
export function sweptQuestions(nowMs: number): readonly Statement[] {
  const text = 'delete from barcode_facts where facts is null and asked_at_ms <= $1';
  return [{ text, params: [nowMs - ASK_AGAIN_MS] }];
}

/** Deletes the facts of the databases at a host or below it (D52). */
export function deleteFactsAt(host: string): readonly Statement[] {
  return Object.entries(BARCODE_DATABASES)
    .filter(([, database]) => isAtOrBelow(database.host, host))
    .map(([source]) => ({ text: 'delete from barcode_facts where source = $1', params: [source] }));
}

function textOf(facts: IdentityFacts | null): string | null {
  return facts === null ? null : JSON.stringify(facts);
}

function toStored(row: Row): StoredFacts {
  const { facts } = row;
  return {
    source: String(row['source']) as BarcodeDatabase,
    askedAtMs: Number(row['asked_at_ms']),
    outcome: String(row['outcome']) as StoredFacts['outcome'],
    facts: typeof facts === 'string' ? (JSON.parse(facts) as IdentityFacts) : null,
  };
}
