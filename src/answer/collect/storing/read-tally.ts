// Counts how the answers to one question were read. Counts are collected while it is asked, then added to the day's counts
// in the transaction that stores the answer.

import { dayOf, type Clock } from '../../../base/clock.ts';
import { isKnownSlug } from '../../../base/retailer.ts';
import type { FieldState, CountedAnswer } from '../../../base/listing/fill-rate.ts';
import type { PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { fieldStates, OWN_LAYOUT } from '../../../read/retailers/expected-fields.ts';
import {
  addReadingCounts,
  addUnknownWords,
  type UnknownNote,
} from '../../../data/answers/reading-counts.ts';
import type { Statement } from '../../../data/sql.ts';
import type { Store } from '../../../data/store.ts';
import type { ReadAnswer } from '../asking/ask-retailer.ts';

/** Counts the answers since the last `take`. */
export type ReadTally = {
  /** Returns statements that add them to the day's counts; none if nothing was read. */
  readonly take: () => readonly Statement[];
  /** From now on, counts the answers as belonging to another product than the requested one (D90). */
  readonly markMoved: () => void;
};

/** Wraps the parts with a reader that records every verdict, and returns the tally of these. */
export function tallied<P extends { readonly readAnswer: ReadAnswer; readonly clock: Clock }>(
  parts: P,
): P & { readonly tally: ReadTally } {
  const { note, ...tally } = createTally(parts.clock);
  const readAnswer: ReadAnswer = async (page, name, slug, context) => {
    const verdict = await parts.readAnswer(page, name, slug, context);
    if (verdict !== null) note(slug, name, verdict);
    return verdict;
  };
  return { ...parts, readAnswer, tally };
}

/** Writes the counts of a question without an answer to store. */
export async function writeTally(store: Store, tally: ReadTally): Promise<void> {
  const statements = tally.take();
  if (statements.length > 0) await store.sql.write(statements);
}

type Note = (retailer: string, pageKind: string, verdict: PageVerdict<RetailerAnswer>) => void;

function createTally(clock: Clock): ReadTally & { readonly note: Note } {
  let notes: CountedAnswer[] = [];
  let unknown: UnknownNote[] = [];
  return {
    note: (retailer, pageKind, verdict) => {
      const fields = fieldsOf(retailer, pageKind, verdict);
      notes.push({ retailer, pageKind, outcome: verdict.kind, fields });
      const words = verdict.kind === 'read' ? (verdict.notes.unknownWords ?? []) : [];
      if (words.length > 0) unknown.push({ retailer, pageKind, words });
    },
    markMoved: () => {
      notes = notes.map((each) =>
        each.outcome === 'read' ? { ...each, outcome: 'moved', fields: [] } : each,
      );
    },
    take: () => {
      const day = dayOf(clock.now());
      const statements = [...addReadingCounts(notes, day), ...addUnknownWords(unknown, day)];
      [notes, unknown] = [[], []];
      return statements;
    },
  };
}

/** Returns the fields that such an answer normally states. For a product page, also whether it had the known layout. */
function fieldsOf(
  retailer: string,
  pageKind: string,
  verdict: PageVerdict<RetailerAnswer>,
): readonly FieldState[] {
  if (verdict.kind !== 'read') return [];
  const states = fieldStates(verdict.value, retailer, pageKind);
  // Each known retailer has a product page reader. Only its name is needed, so the reader is not loaded here.
  if (pageKind !== 'product' || !isKnownSlug(retailer)) return states;
  const isMissing = verdict.notes.missing.includes(OWN_LAYOUT);
  return [...states, { field: OWN_LAYOUT, isMissing }];
}
