// A lookup that remembers what it composed, and composes anew when something of that has changed: one read of revisions instead
// of ten reads, the matching and the composing. For calls whose whole answer is not kept: other options, a browser's headers.

import { createBoundedMap } from '../../core/bounded-map.ts';
import type { Revision } from '../../store/answers/revisions.ts';
import {
  askedOf,
  basisBefore,
  basisOf,
  FIRST_ASKED,
  isOfNow,
  type Asked,
  type Basis,
  type BasisParts,
} from './basis.ts';
import type { Lookup } from '../lookup-product.ts';
import type { Noted } from './noted-lookups.ts';
import type { ParsedLookup } from '../steps/parse-lookup.ts';
import { needsFetch } from '../add-ons/product-add-ons.ts';

export type RememberingParts<Found> = {
  readonly basis: BasisParts;
  /** As `held`, with what the result depends on. */
  readonly makeNoted: (lookup: ParsedLookup) => Promise<Noted<Found> | null>;
  readonly maxBytes: number;
};

/** What is known of a lookup that was made before. */
type Memory<Found> = Asked & { readonly kept: Kept<Found> | null };

type Kept<Found> = Basis & { readonly found: Found; readonly bytes: number };

/** A lookup of which no result is kept: its key, its subjects and the objects. */
const ENTRY_BYTES = 1_000;
/** What objects take, against their JSON text in characters: what is parsed from it takes 1.8 (measured), a product has more. */
const BYTES_A_CHARACTER = 3;

/** The same lookup; what it finds may be the same object more than once, so nobody may change it. */
export function remembering<Found>(
  lookup: Lookup<Found>,
  parts: RememberingParts<Found>,
): Lookup<Found> {
  const { makeNoted, maxBytes } = parts;
  const memory = createBoundedMap<string, Memory<Found>>(
    maxBytes,
    ({ kept }) => kept?.bytes ?? ENTRY_BYTES,
  );

  async function madeAnew(
    key: string,
    asked: ParsedLookup,
    before: Omit<Basis, 'untilMs'>,
  ): Promise<Found | null> {
    const made = await makeNoted(asked);
    if (made === null) return null;
    const { found, dependence } = made;
    const basis = basisOf(before, dependence);
    const kept = basis === null ? null : { ...basis, found, bytes: bytesOf(found) };
    memory.set(key, { ...askedOf(dependence), kept });
    return found;
  }

  return {
    ...lookup,
    async fromStore(asked) {
      if (asked.isForced || needsFetch(asked.addOns)) return await lookup.fromStore(asked);
      const key = keyOf(asked);
      const known = memory.use(key);
      // Only what is asked again is worth it: noting what is read costs more than reading.
      if (known === undefined) memory.set(key, { ...FIRST_ASKED, kept: null });
      if (known === undefined || known.isUnfit) return await lookup.fromStore(asked);
      const { kept } = known;
      const before = await basisBefore(parts.basis, known);
      const isRight =
        kept !== null && isOfNow(parts.basis, kept) && hasAll(before.revisions, kept.revisions);
      return isRight ? kept.found : await madeAnew(key, asked, before);
    },
  };
}

function bytesOf(found: unknown): number {
  return ENTRY_BYTES + BYTES_A_CHARACTER * JSON.stringify(found).length;
}

function hasAll(revisions: readonly Revision[], wanted: readonly Revision[]): boolean {
  return wanted.every(({ subject, revision }) =>
    revisions.some((each) => each.subject === subject && each.revision === revision),
  );
}

/** Everything that decides what is found; not whose call it is, which only says whose turn background work takes. */
function keyOf(asked: ParsedLookup): string {
  return JSON.stringify({ ...asked, organizationId: null });
}
