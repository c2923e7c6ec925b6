// Decides which server a product read is sent to: the replica while it is known to have everything required, otherwise the
// primary. A read fails only if neither can answer it.

import type { Clock } from '../../base/clock.ts';
import type { ReplicaWatch } from './replica-watch.ts';
import type { Row, Statement } from '../sql.ts';
import { StoreUnavailable } from '../sql.ts';
import { within } from '../within.ts';

export type ReplicaRead = (statement: Statement) => Promise<readonly Row[]>;

type ReplicaReads = {
  readonly read: ReplicaRead;
  /** Whether a read that begins now sees everything that was committed before a moment of the clock. */
  hasSince(atMs: number): boolean;
  /** How many reads each of the two servers has answered. */
  answered(): { readonly primary: number; readonly replica: number };
};

type ReplicaReadsParts = {
  readonly primary: ReplicaRead;
  readonly replica: ReplicaRead;
  readonly watch: ReplicaWatch;
  /** The clock used by the watch. */
  readonly clock: Clock;
};

/** Every read sees what was committed at least this long ago, in any process. */
const MAX_BEHIND_MS = 500;
/** A slower server is not waited for if the other one can be queried. */
const PATIENCE_MS = 2_000;

type ReplicaReadsState = ReplicaReadsParts & { primaryReads: number; replicaReads: number };

export function createReplicaReads(parts: ReplicaReadsParts): ReplicaReads {
  const reads: ReplicaReadsState = { ...parts, primaryReads: 0, replicaReads: 0 };
  return {
    read: (statement) => read(reads, statement),
    hasSince: (atMs) => !isKnowing(reads) || parts.watch.knownUntilMs() > atMs,
    answered: () => ({ primary: reads.primaryReads, replica: reads.replicaReads }),
  };
}

async function read(reads: ReplicaReadsState, statement: Statement): Promise<readonly Row[]> {
  if (isKnowing(reads)) {
    const rows = await fromReplica(reads, statement);
    if (rows !== null) return rows;
  }
  const asked = fromPrimary(reads, statement);
  try {
    const rows = await within(PATIENCE_MS, asked, null);
    if (rows !== null) return rows;
    // If the primary does not respond at all, this does not wait until its connection times out.
    const instead = asLastResort(reads, statement).then((old) => old ?? asked);
    return await Promise.race([asked, instead]);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    await reads.watch.check();
    const rows = await asLastResort(reads, statement);
    if (rows === null) throw error;
    return rows;
  }
}

/**
 * Queries the replica, but only if the primary answered neither this read nor anything else. While the primary answers other
 * reads, an old replica may have been outdated for a long time.
 */
async function asLastResort(
  reads: ReplicaReadsState,
  statement: Statement,
): Promise<readonly Row[] | null> {
  if (!isKnowing(reads) && !reads.watch.isPrimaryAway()) return null;
  return await fromReplica(reads, statement);
}

/** Whether the replica is known to have everything that was written up to a moment ago. */
function isKnowing({ watch, clock }: Pick<ReplicaReadsState, 'watch' | 'clock'>): boolean {
  return clock.now() - watch.knownUntilMs() <= MAX_BEHIND_MS;
}

async function fromPrimary(
  reads: ReplicaReadsState,
  statement: Statement,
): Promise<readonly Row[]> {
  const rows = await reads.primary(statement);
  reads.primaryReads += 1;
  return rows;
}

/** Null if it failed for any reason or took too long: the primary is then queried. */
async function fromReplica(
  reads: ReplicaReadsState,
  statement: Statement,
): Promise<readonly Row[] | null> {
  const answer = reads.replica(statement).catch(() => null);
  const rows = await within(PATIENCE_MS, answer, null);
  if (rows !== null) reads.replicaReads += 1;
  return rows;
}
