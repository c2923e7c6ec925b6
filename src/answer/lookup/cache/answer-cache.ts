// The one in-memory answer cache: the data that each answer was made from, the product (or comparison, or history), and the
// bytes that are sent. A cached answer is served only while its revisions, circumstances and time are unchanged. The first
// request for something records nothing, because most is requested once; the second shows what the answer depends on; from the
// third on it is stored, because its revisions were read before it was made. The least recently used answer is evicted first.

import { createBoundedMap, type BoundedMap } from '../../../base/bounded-map.ts';
import type { Clock } from '../../../base/clock.ts';
import {
  createPacking,
  hasAll,
  type Revision,
  type Subject,
} from '../../../data/answers/revisions.ts';
import { digestOf } from '../../../data/made-id.ts';
import {
  bytesOfBodies,
  createCachedBodies,
  type Basis,
  type CachedBodies,
  type CachedBody,
  type CacheEntry,
  type Presented,
} from './cached-bodies.ts';
import type { MadeFrom } from './read-session.ts';

/** Everything that determines an answer, but not how it is presented. */
export type Question = {
  readonly kind: 'product' | 'comparison' | 'history';
  /** The parsed request, without the caller's identity. */
  readonly asked: object;
  /**
   * The organization, if it has data of its own on top of the common answer; null if the answer is the same for everyone.
   */
  readonly own: string | null;
  /** The currency of the answer; null for the currency of its anchor. */
  readonly currency: string | null;
  /** The terms under which prices are shown; null for the default terms. */
  readonly terms: string | null;
};

/**
 * A result and its basis, which is null if the result must not be reused. `found` is null if it has to be fetched: that is
 * never stored.
 */
type Made<Found> = { readonly found: Found; readonly madeFrom: () => MadeFrom | null };

/** Creates an answer. `isNoted`: the caller will need its basis. */
type Make<Found> = (isNoted: boolean) => Promise<Made<Found>>;

/** The answer to a question. `entry` is its cache entry; null if it is not stored. */
export type FoundAnswer<Found> = { readonly found: Found; readonly entry: CacheEntry | null };

export type AnswerCache = {
  /**
   * Returns the stored answer, if nothing in it has changed; else the result of `make`. The same object may be returned more
   * than once, so it must not be modified.
   */
  find<Found>(question: Question, make: Make<Found>): Promise<FoundAnswer<Found>>;
  /** Stores an answer's bytes, to be found by their target from then on. */
  keep(entry: CacheEntry, presented: Presented): void;
  /**
   * Returns the bytes for this target, if they fit the present circumstances and time. The charge checks whether their
   * revisions are unchanged.
   */
  bodyFor(target: string): CachedBody | null;
  /** Returns a body's text without the last brace, in UTF-8. */
  textOf(body: CachedBody): Buffer;
  /** Whether the body still fits the present circumstances and time. */
  isOfNow(body: CachedBody): boolean;
  /** Removes an answer that was found to be out of date. */
  drop(body: CachedBody): void;
  /** Returns the approximate total size in bytes. */
  bytes(): number;
};

type AnswerCacheParts = {
  readonly clock: Pick<Clock, 'now'>;
  /** Reads revisions of the primary. */
  readonly revisionsOf: (subjects: readonly Subject[]) => Promise<readonly Revision[]>;
  /** What answers depend on besides the store and the time. If the text changes, any answer may change. */
  readonly circumstances: () => string;
  readonly maxBytes: number;
};

/** The facts about a question without a stored answer. */
type Asked = {
  /** The subjects that the last answer depended on; null if not recorded yet. */
  readonly subjects: readonly Subject[] | null;
  /** Whether it depends on something without a revision: then it is made each time. */
  readonly isUncacheable: boolean;
};

/** The result, and its approximate size in bytes. */
type Product = { readonly found: unknown; readonly bytes: number };

const ASKED_ONCE: Asked = { subjects: null, isUncacheable: false };
const UNCACHEABLE: Asked = { subjects: null, isUncacheable: true };

/** Bytes of an entry without its bodies, and of a product without its fields. */
const ENTRY_BYTES = 700;
/** Bytes of an object for each character of its JSON text. Parsed JSON takes 1.8 (measured); a product has more. */
const BYTES_A_CHARACTER = 3;
/** Bytes of a recently asked question without a stored answer, and of each of its known subjects. */
const ASKED_BYTES = 150;
const SUBJECT_BYTES = 60;
const MAX_ASKED_BYTES = 6 * 1_048_576;
/**
 * Share of the memory, and maximum bytes, for what can be made again: products from rows, and texts from compressed bytes
 * (a third of a call's cost).
 */
const PRODUCTS = { share: 1 / 3, most: 32 * 1_048_576 } as const;
const TEXTS = { share: 1 / 6, most: 16 * 1_048_576 } as const;
/** A product or a response with longer JSON text is not stored. */
const MAX_CHARACTERS = 1_048_576;
type Cache = {
  readonly parts: AnswerCacheParts;
  /** Recently asked questions, and presentations of cached answers. */
  readonly asked: BoundedMap<string, Asked>;
  readonly entries: BoundedMap<string, CacheEntry>;
  readonly products: BoundedMap<CacheEntry, Product>;
  readonly bodies: CachedBodies;
  readonly exact: (revisions: readonly Revision[]) => readonly Revision[];
};

export function createAnswerCache(parts: AnswerCacheParts): AnswerCache {
  const cache = emptyCache(parts);
  const { entries, products, bodies } = cache;
  return {
    find: (question, make) => find(cache, question, make),
    keep: (entry, presented) => keep(cache, entry, presented),
    bodyFor(target) {
      const body = bodies.find(target);
      if (body === null) return null;
      const { entry } = body;
      entries.use(entry.key);
      if (isOfNow(parts, entry)) return body;
      forget(cache, entry);
      return null;
    },
    textOf: (body) => bodies.textOf(body),
    isOfNow: ({ entry }) => isOfNow(parts, entry),
    drop: ({ entry }) => {
      if (entries.use(entry.key) === entry) forget(cache, entry);
    },
    bytes: () => entries.size() + products.size() + bodies.textBytes(),
  };
}

function emptyCache(parts: AnswerCacheParts): Cache {
  const { maxBytes } = parts;
  const [productBytes, textBytes] = [PRODUCTS, TEXTS].map(({ share, most }) =>
    Math.min(most, Math.floor(maxBytes * share)),
  ) as [number, number];
  const asked = createBoundedMap<string, Asked>(
    MAX_ASKED_BYTES,
    ({ subjects }, { length }) => ASKED_BYTES + length + SUBJECT_BYTES * (subjects?.length ?? 0),
  );
  const products = createBoundedMap<CacheEntry, Product>(productBytes, ({ bytes }) => bytes);
  const bodies = createCachedBodies(textBytes);
  const entries = createBoundedMap<string, CacheEntry>(
    maxBytes - productBytes - textBytes,
    (entry) => ENTRY_BYTES + bytesOfBodies(entry),
    (entry) => {
      products.delete(entry);
      bodies.forget(entry);
    },
  );
  return { parts, asked, entries, products, bodies, exact: createPacking() };
}

async function find<Found>(
  cache: Cache,
  question: Question,
  make: Make<Found>,
): Promise<FoundAnswer<Found>> {
  const { parts, asked, entries, products } = cache;
  const key = keyOf(question);
  const old = entries.use(key);
  const known = old === undefined ? asked.use(key) : askedOf(subjectsOf(old.revisions));
  if (known === undefined) asked.set(key, ASKED_ONCE);
  if (known === undefined || known.isUncacheable) {
    return { found: (await make(false)).found, entry: null };
  }
  const before = await basisBefore(parts, known);
  const isRight =
    old !== undefined && isOfNow(parts, old) && hasAll(before.revisions, old.revisions);
  const product = isRight ? products.use(old) : undefined;
  // SAFETY: the key has the kind of the question, which decides what is found.
  if (isRight && product !== undefined) return { found: product.found as Found, entry: old };
  const { found, madeFrom } = await make(true);
  if (found === null) return { found, entry: null };
  const isThere = isRight && entries.use(key) === old;
  const entry = isThere ? old : newEntry(cache, { key, question, before }, madeFrom());
  if (entry !== null) storeProduct(cache, entry, found);
  return { found, entry };
}

/** Call before anything else is read: any change from here on makes the answer out of date. */
async function basisBefore(
  { clock, circumstances, revisionsOf }: AnswerCacheParts,
  { subjects }: Asked,
): Promise<Omit<Basis, 'untilMs'>> {
  const before = { fromMs: clock.now(), circumstances: circumstances() };
  return { ...before, revisions: subjects === null ? [] : await revisionsOf(subjects) };
}

/** Checks whether the circumstances and the time still fit the answer. This does not compare its revisions. */
function isOfNow({ clock, circumstances }: AnswerCacheParts, basis: Basis): boolean {
  const nowMs = clock.now();
  const { fromMs, untilMs } = basis;
  return nowMs >= fromMs && nowMs < untilMs && basis.circumstances === circumstances();
}

type Place = {
  readonly key: string;
  readonly question: Question;
  readonly before: Omit<Basis, 'untilMs'>;
};

/**
 * Returns null unless each revision that the answer depends on was read before it was made; the next answer is then stored.
 */
function newEntry(
  { asked, entries, exact }: Cache,
  { key, question, before }: Place,
  madeFrom: MadeFrom | null,
): CacheEntry | null {
  asked.set(key, madeFrom === null ? UNCACHEABLE : askedOf(madeFrom.subjects));
  entries.delete(key);
  if (madeFrom === null) return null;
  const { subjects, untilMs } = madeFrom;
  const revisions = before.revisions.filter(({ subject }) => subjects.includes(subject));
  if (revisions.length < subjects.length) return null;
  const { fromMs, circumstances } = before;
  const basis = { revisions: exact(revisions), circumstances, fromMs, untilMs };
  const entry = { ...basis, key, isCommon: question.own === null, bodies: [] };
  entries.set(key, entry);
  asked.delete(key);
  return entry;
}

function storeProduct({ products }: Cache, entry: CacheEntry, found: unknown): void {
  const { length } = JSON.stringify(found);
  if (length > MAX_CHARACTERS) return;
  products.set(entry, { found, bytes: ENTRY_BYTES + BYTES_A_CHARACTER * length });
}

function keep(cache: Cache, entry: CacheEntry, presented: Presented): void {
  const { asked, entries, bodies } = cache;
  if (entries.use(entry.key) !== entry) return;
  const { target, presentation, route, body } = presented;
  const there = bodies.presented(entry, presented);
  if (there === null) {
    // The question was asked before; this presentation of it may be a one-off.
    const name = `${entry.key} ${route} ${presentation}`;
    if (entry.bodies.length > 0 && asked.use(name) === undefined) {
      asked.set(name, ASKED_ONCE);
      return;
    }
    const text = JSON.stringify(body);
    if (text.length > MAX_CHARACTERS) return;
    bodies.add(entry, presented, text);
  } else if (there.targets.includes(target)) {
    return;
  } else {
    bodies.addTarget(there, target);
  }
  // It has grown.
  entries.set(entry.key, entry);
}

/** Removes the entry. Its basis stays known, so that the next answer is stored again. */
function forget({ asked, entries }: Cache, { key, revisions }: CacheEntry): void {
  entries.delete(key);
  asked.set(key, askedOf(subjectsOf(revisions)));
}

function keyOf({ kind, asked, own, currency, terms }: Question): string {
  return digestOf(JSON.stringify([kind, own, currency, terms, asked]));
}

function askedOf(subjects: readonly Subject[]): Asked {
  return { subjects, isUncacheable: false };
}

function subjectsOf(revisions: readonly Revision[]): readonly Subject[] {
  return revisions.map(({ subject }) => subject);
}
