// A lookup that remembers what it composed, and composes anew when something of that has changed: one read of revisions instead
// of ten reads, the matching and the composing. For calls whose whole answer is not kept: other options, a browser's headers.

import { createBoundedMap } from '../core/bounded-map.ts';
import type { Clock } from '../core/clock.ts';
import type { Revision, Subject } from '../store/revisions.ts';
import type { Lookup } from './lookup-product.ts';
import type { Noted, NotedLookups } from './noted-lookups.ts';
import type { ParsedLookup } from './parse-lookup.ts';
import { needsFetch } from './product-add-ons.ts';

export type RememberingParts<Found> = {
  readonly clock: Pick<Clock, 'now'>;
  readonly revisions: Pick<NotedLookups, 'revisionsOf' | 'circumstances'>;
  /** As `held`, with what the result depends on. */
  readonly noted: (lookup: ParsedLookup) => Promise<Noted<Found> | null>;
  readonly maxBytes: number;
};

/** What is known of a lookup that was made before. */
type Memory<Found> = {
  /** What it depended on; null: nobody has looked yet. */
  readonly subjects: readonly Subject[] | null;
  /** It depends on what nobody is told of: it is made each time. */
  readonly isUnfit: boolean;
  readonly kept: Kept<Found> | null;
};

type Kept<Found> = {
  readonly found: Found;
  readonly revisions: readonly Revision[];
  readonly circumstances: string;
  /** The time (ms) for which it was made: from, included, and until, not included. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly bytes: number;
};

/** A lookup of which no result is kept: its key, its subjects and the objects. */
const ENTRY_BYTES = 1_000;
/** What objects take, against their JSON text in characters: what is parsed from it takes 1.8 (measured), a product has more. */
const BYTES_A_CHARACTER = 3;

/** The same lookup; what it finds may be the same object more than once, so nobody may change it. */
export function remembering<Found>(
  lookup: Lookup<Found>,
  parts: RememberingParts<Found>,
): Lookup<Found> {
  const { clock, noted, revisions: of, maxBytes } = parts;
  const memory = createBoundedMap<string, Memory<Found>>(
    maxBytes,
    ({ kept }) => kept?.bytes ?? ENTRY_BYTES,
  );

  function isOfNow(kept: Kept<Found>, revisions: readonly Revision[]): boolean {
    const nowMs = clock.now();
    return (
      nowMs >= kept.fromMs &&
      nowMs < kept.untilMs &&
      kept.circumstances === of.circumstances() &&
      kept.revisions.every(({ subject, revision }) =>
        revisions.some((each) => each.subject === subject && each.revision === revision),
      )
    );
  }

  /** Revisions are read before everything else: what changes from there on makes the result one of the past. */
  async function madeAnew(
    key: string,
    asked: ParsedLookup,
    before: Pick<Kept<Found>, 'revisions' | 'circumstances' | 'fromMs'>,
  ): Promise<Found | null> {
    const made = await noted(asked);
    if (made === null) return null;
    const { found, dependence } = made;
    const subjects = dependence?.subjects ?? null;
    const revisions = before.revisions.filter(({ subject }) => subjects?.includes(subject));
    const isWhole = dependence !== null && revisions.length === dependence.subjects.length;
    const bytes = isWhole ? ENTRY_BYTES + BYTES_A_CHARACTER * JSON.stringify(found).length : 0;
    const kept = isWhole
      ? { ...before, found, revisions, untilMs: dependence.untilMs, bytes }
      : null;
    memory.set(key, { subjects, isUnfit: dependence === null, kept });
    return found;
  }

  return {
    ...lookup,
    async held(asked) {
      if (asked.isForced || needsFetch(asked.addOns)) return await lookup.held(asked);
      const key = keyOf(asked);
      const known = memory.use(key);
      // Only what is asked again is worth it: noting what is read costs more than reading.
      if (known === undefined) memory.set(key, { subjects: null, isUnfit: false, kept: null });
      if (known === undefined || known.isUnfit) return await lookup.held(asked);
      const { subjects, kept } = known;
      const before = { fromMs: clock.now(), circumstances: of.circumstances() };
      const revisions = subjects === null ? [] : await of.revisionsOf(subjects);
      if (kept !== null && isOfNow(kept, revisions)) return kept.found;
      return await madeAnew(key, asked, { ...before, revisions });
    },
  };
}

/** Everything that decides what is found; not whose call it is, which only says whose turn background work takes. */
function keyOf(asked: ParsedLookup): string {
  return JSON.stringify({ ...asked, organizationId: null });
}
