// What an answer was made from: the revisions of what was read, and the circumstances and the time for which it was made. While
// none of them has changed, making it again gives the same answer.
// The first time that something is asked, nothing is noted. The second time shows what the answer depends on. From the third
// time on the answer may be kept, because its revisions were read before it was made.

import type { Clock } from '../../../base/clock.ts';
import type { Revision, Subject } from '../../../data/answers/revisions.ts';
import type { NotedLookups } from './noted-lookups.ts';
import type { Dependence } from './noted-reads.ts';

export type Basis = {
  readonly revisions: readonly Revision[];
  readonly circumstances: string;
  /** The time (ms) for which the answer was made: from, included, and until, not included. */
  readonly fromMs: number;
  readonly untilMs: number;
};

export type BasisParts = {
  readonly noted: Pick<NotedLookups, 'revisionsOf' | 'circumstances'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** What is known of a question whose answer is not kept. */
export type Asked = {
  /** What the last answer depended on; null if nobody has looked yet. */
  readonly subjects: readonly Subject[] | null;
  /** Whether it depends on something whose changes are not announced: then it is made each time. */
  readonly isUnfit: boolean;
};

export const FIRST_ASKED: Asked = { subjects: null, isUnfit: false };

/** `dependence` is null if the answer depends on something whose changes are not announced. */
export function askedOf(dependence: Dependence | null): Asked {
  return { subjects: dependence?.subjects ?? null, isUnfit: dependence === null };
}

/** To be called before anything else is read: any change from here on makes the answer out of date. */
export async function basisBefore(
  { noted, clock }: BasisParts,
  { subjects }: Asked,
): Promise<Omit<Basis, 'untilMs'>> {
  const before = { fromMs: clock.now(), circumstances: noted.circumstances() };
  const revisions = subjects === null ? [] : await noted.revisionsOf(subjects);
  return { ...before, revisions };
}

/**
 * Null if the answer depends on something whose changes are not announced, or if a revision was not read before it was made.
 */
export function basisOf(
  before: Omit<Basis, 'untilMs'>,
  dependence: Dependence | null,
): Basis | null {
  if (dependence === null) return null;
  const { subjects, untilMs } = dependence;
  const revisions = before.revisions.filter(({ subject }) => subjects.includes(subject));
  return revisions.length < subjects.length ? null : { ...before, revisions, untilMs };
}

/** Whether circumstances and time still are those of the answer. Its revisions are not compared here. */
export function isOfNow({ noted, clock }: BasisParts, basis: Basis): boolean {
  const { fromMs, untilMs, circumstances } = basis;
  const nowMs = clock.now();
  return nowMs >= fromMs && nowMs < untilMs && circumstances === noted.circumstances();
}
