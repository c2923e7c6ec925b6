// What an answer stands on: the revisions of what it was made from, and the circumstances and the time for which it was made.
// While all of them are those of now, making it again gives the same. Of what is asked for the first time nothing is noted; the
// second time says what the answer depends on; from the third on it may be kept, because its revisions were read before it
// was made.

import type { Clock } from '../../core/clock.ts';
import type { Revision, Subject } from '../../store/answers/revisions.ts';
import type { NotedLookups } from './noted-lookups.ts';
import type { Dependence } from './noted-reads.ts';

export type Basis = {
  readonly revisions: readonly Revision[];
  readonly circumstances: string;
  /** The time (ms) for which it was made: from, included, and until, not included. */
  readonly fromMs: number;
  readonly untilMs: number;
};

export type BasisParts = {
  readonly noted: Pick<NotedLookups, 'revisionsOf' | 'circumstances'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** What is known of a question whose answer is not kept. */
export type Asked = {
  /** What its last answer depended on; null: nobody has looked yet. */
  readonly subjects: readonly Subject[] | null;
  /** It depends on what nobody is told of: it is made each time. */
  readonly isUnfit: boolean;
};

export const FIRST_ASKED: Asked = { subjects: null, isUnfit: false };

/** `dependence` null: it depends on what nobody is told of. */
export function askedOf(dependence: Dependence | null): Asked {
  return { subjects: dependence?.subjects ?? null, isUnfit: dependence === null };
}

/** To be called before anything else is read: what changes from here on makes the answer one of the past. */
export async function basisBefore(
  { noted, clock }: BasisParts,
  { subjects }: Asked,
): Promise<Omit<Basis, 'untilMs'>> {
  const before = { fromMs: clock.now(), circumstances: noted.circumstances() };
  const revisions = subjects === null ? [] : await noted.revisionsOf(subjects);
  return { ...before, revisions };
}

/** Null: of something that the answer depends on nobody is told, or no revision was read before it was made. */
export function basisOf(
  before: Omit<Basis, 'untilMs'>,
  dependence: Dependence | null,
): Basis | null {
  if (dependence === null) return null;
  const { subjects, untilMs } = dependence;
  const revisions = before.revisions.filter(({ subject }) => subjects.includes(subject));
  return revisions.length < subjects.length ? null : { ...before, revisions, untilMs };
}

/** Whether its circumstances and its time are those of now; its revisions are compared with what is read of them. */
export function isOfNow({ noted, clock }: BasisParts, basis: Basis): boolean {
  const { fromMs, untilMs, circumstances } = basis;
  const nowMs = clock.now();
  return nowMs >= fromMs && nowMs < untilMs && circumstances === noted.circumstances();
}
