// How official sources answer, and how often they were asked, shared by all processes (D79). An instant is one of the
// database's clock.

import {
  countedAfter,
  spanOf,
  type CallSpan,
  type SourceState,
  SOURCE_FAILURES,
  type SourceFailureKind,
} from '../../base/source-state.ts';
import { DAY_MS, SET_BACK_MS } from '../../base/clock.ts';
import type { Row, Sql } from '../sql.ts';

/** An outcome of a question; `kind` is null if it was answered. */
export type SourceOutcome = Pick<SourceState, 'source' | 'question' | 'kind' | 'reason' | 'restMs'>;

export type SourceStates = {
  readonly find: (source: string) => Promise<readonly SourceState[]>;
  readonly findAll: () => Promise<readonly SourceState[]>;
  /** The spans of the last 24 hours, of one source or by source. */
  readonly findCalls: (source: string, nowMs: number) => Promise<readonly CallSpan[]>;
  readonly findAllCalls: (nowMs: number) => Promise<ReadonlyMap<string, readonly CallSpan[]>>;
  /** Counts a call, unless that would be more than `limit` in 24 hours. Returns false if nothing was counted. */
  readonly take: (source: string, limit: number | null, nowMs: number) => Promise<boolean>;
  readonly addCalls: (source: string, span: CallSpan) => Promise<void>;
  /**
   * Stores an outcome. Returns true if it differs from the one before. An answer ends the failure of the whole source too.
   */
  readonly note: (outcome: SourceOutcome, nowMs: number) => Promise<boolean>;
  /** Removes counts that are no longer needed. */
  readonly sweep: (nowMs: number) => Promise<void>;
};

const STORED_MS = 2 * DAY_MS;
const CHANGED = 'changed';

const ADD = `insert into source_calls (source, from_ms, calls) values ($1, $2, $3)
  on conflict (source, from_ms) do update set calls = source_calls.calls + excluded.calls`;

/**
 * Only a later statement of the transaction sees what other processes have counted, so the row of the source is locked
 * first. A row that is inserted for that is of a source that was never heard.
 */
const LOCK = `insert into source_states (source, question, since_ms, heard_at_ms, rest_ms)
  values ($1, '', 0, 0, 0) on conflict (source, question) do update set source = excluded.source`;

const TAKE = `insert into source_calls (source, from_ms, calls)
  select cast($1 as text), cast($2 as bigint), 1 where (select coalesce(sum(calls), 0) from source_calls
    where source = $1 and from_ms > $3 and from_ms <= $4) < $5
  on conflict (source, from_ms) do update set calls = source_calls.calls + 1 returning calls`;

export function createSourceStates(sql: Sql): SourceStates {
  const add = (source: string, { fromMs, calls }: CallSpan) => ({
    text: ADD,
    params: [source, fromMs, calls],
  });
  return {
    find: async (source) =>
      (await sql.all(`select ${COLUMNS} from source_states where source = $1`, [source])).map(
        stateOf,
      ),
    findAll: async () => (await sql.all(`select ${COLUMNS} from source_states`)).map(stateOf),
    findCalls: async (source, nowMs) => {
      const text = 'select from_ms, calls from source_calls where source = $1 and from_ms > $2';
      return (await sql.all(text, [source, countedAfter(nowMs)])).map(spanIn);
    },
    findAllCalls: async (nowMs) => {
      const text = 'select source, from_ms, calls from source_calls where from_ms > $1';
      const rows = await sql.all(text, [countedAfter(nowMs)]);
      const bySource = Map.groupBy(rows, (row) => String(row['source']));
      return new Map([...bySource].map(([source, own]) => [source, own.map(spanIn)]));
    },
    take: async (source, limit, nowMs) => {
      const fromMs = spanOf(nowMs);
      if (limit === null) {
        await sql.write([add(source, { fromMs, calls: 1 })]);
        return true;
      }
      const span = [fromMs, countedAfter(nowMs), nowMs + SET_BACK_MS, limit];
      const { done } = await sql.write([
        { text: LOCK, params: [source] },
        { text: TAKE, params: [source, ...span], mustReturn: true },
      ]);
      return done;
    },
    addCalls: async (source, span) => void (await sql.write([add(source, span)])),
    note: async ({ source, question, kind, reason, restMs }, nowMs) => {
      const whole = kind === null ? '' : question;
      const ended = `update source_states set kind = null, reason = null, since_ms = $2, heard_at_ms = $2,
        rest_ms = 0 where source = $1 and question = $3 and kind is not null returning source`;
      const written = await sql.write([
        {
          text: `insert into source_states (source, question, kind, reason, since_ms, heard_at_ms, rest_ms)
            values ($1, $2, $3, $4, $5, $5, $6) on conflict (source, question) do update set
              kind = excluded.kind, reason = excluded.reason, since_ms = excluded.since_ms,
              heard_at_ms = excluded.heard_at_ms, rest_ms = excluded.rest_ms
            where source_states.kind is distinct from excluded.kind returning source`,
          params: [source, whole, kind, reason, nowMs, restMs],
          name: CHANGED,
        },
        {
          text: `update source_states set reason = $3, heard_at_ms = $4, rest_ms = $5,
            since_ms = case when since_ms = 0 then $4 else since_ms end
            where source = $1 and question = $2`,
          params: [source, whole, reason, nowMs, restMs],
        },
        ...(kind === null && question !== ''
          ? [{ text: ended, params: [source, nowMs, question], name: CHANGED }]
          : []),
      ]);
      return written.done && (written.rows[CHANGED] ?? []).length > 0;
    },
    sweep: async (nowMs) => {
      const text = 'delete from source_calls where from_ms <= $1';
      await sql.write([{ text, params: [nowMs - STORED_MS] }]);
    },
  };
}

const COLUMNS = 'source, question, kind, reason, since_ms, heard_at_ms, rest_ms';

function stateOf(row: Row): SourceState {
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  return {
    source: String(row['source']),
    question: String(row['question']),
    kind: kindOf(text('kind')),
    reason: text('reason'),
    sinceMs: Number(row['since_ms']),
    heardAtMs: Number(row['heard_at_ms']),
    restMs: Number(row['rest_ms']),
  };
}

function kindOf(text: string | null): SourceFailureKind | null {
  return SOURCE_FAILURES.find((kind) => kind === text) ?? null;
}

function spanIn(row: Row): CallSpan {
  return { fromMs: Number(row['from_ms']), calls: Number(row['calls']) };
}
