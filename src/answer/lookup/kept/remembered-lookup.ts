// A lookup that remembers what it composed, and composes it again only when something of that has changed. It then makes one
// read of revisions instead of ten reads, the matching and the composing. It serves calls whose whole answer is not kept: other
// options, a browser's headers.

import { createBoundedMap } from '../../../base/bounded-map.ts';
import type { Revision } from '../../../data/answers/revisions.ts';
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
  /** Does the same as `held`, and says what the result depends on. */
  readonly makeNoted: (lookup: ParsedLookup) => Promise<Noted<Found> | null>;
  readonly maxBytes: number;
};

/** What is known of a lookup that was made before. */
type Memory<Found> = Asked & { readonly kept: Kept<Found> | null };

type Kept<Found> = Basis & { readonly found: Found; readonly bytes: number };

/** Bytes of a lookup without a kept result: its key, its subjects and the objects. */
const ENTRY_BYTES = 1_000;
/** Bytes that objects take for each character of their JSON text. Parsed JSON takes 1.8 (measured); a product has more. */
const BYTES_A_CHARACTER = 3;

/** The lookup, with memory. It may return the same object more than once, so that nobody may change the object. */
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
      // A first question is only noted: noting what is read costs more than reading, and pays only if the same is asked again.
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

/** The key has everything that decides what is found. The organization only decides whose turn background work takes. */
function keyOf(asked: ParsedLookup): string {
  return JSON.stringify({ ...asked, organizationId: null });
}
