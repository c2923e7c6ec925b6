// Watches how far a read replica is behind. Several times a second the primary is queried for the length of its log, and the
// replica for how much of that log it has replayed. No other machine's clock is read, and the replica of an idle primary does
// not become stale.

import type { Clock } from '../../base/clock.ts';
import { TIMELINE } from './hosts.ts';
import type { Row } from '../sql.ts';
import { within } from '../within.ts';

export type ReplicaWatch = {
  /**
   * The replica has everything acknowledged anywhere before this moment. In ms of the watch's clock; -Infinity if never
   * observed for the current server.
   */
  knownUntilMs(): number;
  /** Whether the primary did not respond when last queried, and has shown no sign of life since. */
  isPrimaryAway(): boolean;
  /** The server that answered last at the replica's address; null if none does. */
  server(): string | null;
  /** Records a sign of life of the primary: it is available. */
  heard(): void;
  /** Whether the replica's last response showed other data than the primary's: it is a copy of something else. */
  holdsOtherData(): boolean;
  /** Checks now. Resolves when both have been queried after this call. */
  check(): Promise<void>;
  close(): Promise<void>;
};

type WatchParts = {
  /** Queries the primary, and the replica: one statement each, on dedicated connections. */
  readonly askPrimary: (text: string) => Promise<readonly Row[]>;
  readonly askReplica: (text: string) => Promise<readonly Row[]>;
  /** Called when the primary has been silent for so long that its connections are taken for dead. */
  readonly onSilence: () => void;
  /** A clock whose `now` never goes back. */
  readonly clock: Clock;
};

/** Identifies a server's data: copies of a cluster have the same number. */
const DATA = `(select system_identifier::text from pg_control_system()) || ' ' ||
  (select oid::text from pg_database where datname = current_database())`;
/** Identifies a server: no two start in the same microsecond, and a restarted server has lost its connections. */
const SERVER = 'pg_postmaster_start_time()::text';

const ASK_PRIMARY = `select ${DATA} as data, ${SERVER} as server, ${TIMELINE} as timeline,
  pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') as written`;

/** A standby reports another timeline late, never early. */
const ASK_REPLICA = `select ${DATA} as data, ${SERVER} as server, pg_is_in_recovery() as follows,
  lpad(upper(to_hex(greatest((select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery())))), 8, '0') as timeline,
  pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as replayed`;

const CHECK_EVERY_MS = 100;
/** A server that has not responded within this time counts as down. */
const SILENCE_MS = 2_000;
/** A server that has not responded for this long counts as gone, even if its connections were never closed. */
const GONE_MS = 5_000;
/** Maximum checks a replica may lag behind while its position is still known. */
const MAX_SAMPLES = 100;

/** The length of the primary's log at a moment: it contains everything that was acknowledged before. */
type Sample = { readonly atMs: number; readonly written: number };

type Watch = WatchParts & {
  samples: Sample[];
  primary: { readonly data: string; readonly identity: string; readonly server: string } | null;
  server: string | null;
  knownUntilMs: number;
  isAway: boolean;
  /** Incremented with every sign of life of the primary: a later sign outweighs an unanswered query. */
  signsOfLife: number;
  isOther: boolean;
  /** Unanswered queries: when each was sent, and `signsOfLife` at that time. */
  readonly open: Map<Side, { readonly atMs: number; readonly signsOfLife: number }>;
};

type Side = 'primary' | 'replica';

/** Starts checking at once, until it is closed. */
export function createReplicaWatch(parts: WatchParts): ReplicaWatch {
  const watch: Watch = {
    ...parts,
    samples: [],
    primary: null,
    server: null,
    knownUntilMs: Number.NEGATIVE_INFINITY,
    isAway: false,
    signsOfLife: 0,
    isOther: false,
    open: new Map(),
  };
  const stopping = new AbortController();
  const check = oneAtATime(() => checkOnce(watch));
  const going = goOn(watch.clock, check, stopping.signal);
  return {
    knownUntilMs: () => watch.knownUntilMs,
    isPrimaryAway: () => watch.isAway,
    server: () => watch.server,
    heard: () => heard(watch),
    holdsOtherData: () => watch.isOther,
    check,
    close: async () => {
      stopping.abort();
      await going;
    },
  };
}

/** Runs one check at a time. A check requested during another one runs after it, once for all callers. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}

async function goOn(clock: Clock, check: () => Promise<void>, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await check();
    try {
      await clock.sleep(CHECK_EVERY_MS, stop);
    } catch {
      return;
    }
  }
}

function heard(watch: Watch): void {
  watch.signsOfLife += 1;
  watch.isAway = false;
}

async function checkOnce(watch: Watch): Promise<void> {
  const atMs = watch.clock.now();
  const { signsOfLife } = watch;
  const asked = watch.open.get('primary');
  // Checked again each time: after a pause of this process the answer may merely not have been read yet.
  if (asked !== undefined && asked.signsOfLife === signsOfLife && atMs - asked.atMs >= GONE_MS) {
    watch.onSilence();
  }
  const [primary, replica] = await Promise.all([
    answerOf(watch, 'primary', () => watch.askPrimary(ASK_PRIMARY)),
    answerOf(watch, 'replica', () => watch.askReplica(ASK_REPLICA)),
  ]);
  if (primary !== null) notePrimary(watch, primary, atMs);
  // A commit acknowledged meanwhile is stronger evidence than an unanswered query.
  else if (watch.signsOfLife === signsOfLife) watch.isAway = true;
  noteReplica(watch, replica, atMs);
}

/** Returns null if the server did not respond, or the previous query is still open. */
async function answerOf(
  { open, clock, signsOfLife }: Watch,
  side: Side,
  ask: () => Promise<readonly Row[]>,
): Promise<Row | null> {
  if (open.has(side)) return null;
  open.set(side, { atMs: clock.now(), signsOfLife });
  const answer = ask()
    .then(
      (rows) => rows[0] ?? null,
      () => null,
    )
    .finally(() => open.delete(side));
  return await within(SILENCE_MS, answer, null);
}

function notePrimary(watch: Watch, row: Row, atMs: number): void {
  heard(watch);
  const identity = `${row['data']} ${row['timeline']}`;
  const server = String(row['server']);
  // Positions of another timeline belong to another log.
  if (watch.primary?.identity !== identity || watch.primary.server !== server) watch.samples = [];
  watch.primary = { data: String(row['data']), identity, server };
  watch.samples.push({ atMs, written: Number(row['written']) });
  if (watch.samples.length > MAX_SAMPLES) watch.samples.shift();
}

function noteReplica(watch: Watch, row: Row | null, atMs: number): void {
  const server = row === null ? null : String(row['server']);
  if (server !== watch.server) watch.knownUntilMs = Number.NEGATIVE_INFINITY;
  watch.server = server;
  const { primary } = watch;
  if (row === null || primary === null) return;
  watch.isOther = row['data'] !== primary.data;
  // The replica was promoted and is the primary now, so that it has everything.
  if (server === primary.server) {
    if (watch.samples.at(-1)?.atMs === atMs) watch.knownUntilMs = atMs;
    return;
  }
  const isSameLog = `${row['data']} ${row['timeline']}` === primary.identity;
  if (row['follows'] !== 1 || !isSameLog) {
    watch.knownUntilMs = Number.NEGATIVE_INFINITY;
    return;
  }
  const replayed = Number(row['replayed'] ?? -1);
  const known = watch.samples.findLast(({ written }) => written <= replayed);
  if (known !== undefined) watch.knownUntilMs = known.atMs;
}
