// The state of a run, as a file next to its output: a line for each identifier requested, and one for each answered. A run that
// was killed continues after the last complete line. Answers remain in the file, so that memory use is constant.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

import type { EntryResult } from './result-table.ts';

/** Identifies a run: the same file with the same options continues it; anything else is another run. */
type RunName = {
  readonly digest: string;
  readonly options: string;
};

export type Journal = {
  /** The prefix of its calls' keys: unguessable, and the same after a restart. */
  readonly id: string;
  /** Whether a run ended here before it was complete. */
  readonly isContinued: boolean;
  /** Returns the tokens spent on answered and requested identifiers. */
  readonly tokens: () => number;
  readonly stateOf: (wanted: string) => 'asked' | 'answered' | null;
  readonly result: (wanted: string) => EntryResult;
  readonly noteAsked: (wanted: string, tokens: number) => void;
  readonly noteResult: (wanted: string, result: EntryResult) => void;
  /** Returns the tokens spent on the calls for an unanswered identifier. */
  readonly askedTokens: (wanted: string) => number;
  /** Returns the number of calls for an unanswered identifier. */
  readonly callsOf: (wanted: string) => number;
  /** Returns the calls of the whole run that were made before every retailer was asked. */
  readonly earlyCalls: () => number;
  /** Closes the file and keeps it, for the same command to continue. */
  readonly close: () => void;
  /** Deletes the file, because the run is complete; or gives it another name, for the next run to compare with. */
  readonly forget: (keepAs?: string) => void;
};

type Head = RunName & { readonly openshelf_run: 1; readonly id: string };
type Line =
  | { readonly i: string; readonly t: number }
  | { readonly i: string; readonly r: EntryResult };

/** The position of an answer's line, or the calls so far. */
type Place =
  | { readonly at: number; readonly length: number }
  | { readonly askedTokens: number; readonly calls: number };

const PIECE = 1_048_576;

/** Opens the journal. Throws if the file belongs to another run. */
export function openJournal(path: string, name: RunName): Journal {
  const file = openSync(path, 'a+', 0o600);
  const { head, places, end, ...stored } = continuedBy(name, readContents(file, path), () => {
    closeSync(file);
    return new Error(
      `${path} belongs to a run with another input or other options. Run that command again to finish it, or delete the file.`,
    );
  });
  let { tokens, early } = stored;
  const append = appenderTo(file, end);
  const id = head?.id ?? randomUUID();
  if (head === null) append({ openshelf_run: 1, id, ...name });
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    id,
    isContinued: head !== null,
    tokens: () => tokens,
    stateOf(wanted) {
      const place = places.get(wanted);
      if (place === undefined) return null;
      return 'at' in place ? 'answered' : 'asked';
    },
    result(wanted) {
      const found = resultAt(file, wanted, places.get(wanted));
      if (found !== null) return found;
      throw new Error(`${path} was changed while it was in use. Run the same command again.`);
    },
    noteAsked(wanted, cost) {
      append({ i: wanted, t: cost });
      tokens += cost;
      if (places.has(wanted)) early += 1;
      places.set(wanted, askedOnceMore(places, wanted, cost));
    },
    noteResult(wanted, result) {
      tokens += result.tokens - askedIn(places, wanted);
      places.set(wanted, append({ i: wanted, r: result }));
    },
    askedTokens: (wanted) => askedIn(places, wanted),
    callsOf(wanted) {
      const place = places.get(wanted);
      return place !== undefined && 'calls' in place ? place.calls : 0;
    },
    earlyCalls: () => early,
    close,
    forget(keepAs) {
      close();
      if (keepAs === undefined) rmSync(path, { force: true });
      else renameSync(path, keepAs);
    },
  };
}

/** Returns the result at a place of the file; null if it is not that identifier's, or there is none. */
function resultAt(file: number, wanted: string, place: Place | undefined): EntryResult | null {
  if (place === undefined || !('at' in place)) return null;
  const bytes = Buffer.alloc(place.length);
  readSync(file, bytes, 0, place.length, place.at);
  const line = parsed(bytes.toString());
  return isLine(line) && line.i === wanted && 'r' in line ? line.r : null;
}

export type LastRun = Disposable & { readonly result: (wanted: string) => EntryResult | null };

/** Opens the journal that the last complete run kept; null if there is none. */
export function openLastRun(path: string): LastRun | null {
  if (!existsSync(path)) return null;
  const file = openSync(path, 'r');
  const { places } = readContents(file, path);
  return {
    result: (wanted) => resultAt(file, wanted, places.get(wanted)),
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** Throws if another run has started asking. A run that has asked nothing has nothing to lose. */
function continuedBy(
  name: RunName,
  stored: JournalContents,
  problem: () => Error,
): JournalContents {
  const { head, places } = stored;
  if (head?.digest === name.digest && head.options === name.options) return stored;
  if (head !== null && places.size > 0) throw problem();
  return { ...stored, head: null, end: 0 };
}

/** Returns a function that writes lines after the complete ones, and returns each one's position. */
function appenderTo(file: number, from: number) {
  let end = from;
  // Cuts off a line that a kill left incomplete.
  ftruncateSync(file, end);
  return (value: Head | Line): { readonly at: number; readonly length: number } => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      // The partially written line would corrupt the next one.
      ftruncateSync(file, end);
      throw error;
    }
    const at = end;
    end += bytes.length;
    return { at, length: bytes.length - 1 };
  };
}

type JournalContents = {
  /** Null if the file is new. */
  readonly head: Head | null;
  readonly places: Map<string, Place>;
  readonly tokens: number;
  readonly early: number;
  /** Number of bytes of whole lines. */
  readonly end: number;
};

function readContents(file: number, path: string): JournalContents {
  const places = new Map<string, Place>();
  let head: Head | null = null;
  let tokens = 0;
  let early = 0;
  let end = 0;
  for (const { text, at, length } of wholeLines(file)) {
    end = at + length + 1;
    if (head === null) {
      head = headOf(parsed(text), path);
      continue;
    }
    const noted = parsed(text);
    // An identifier whose line was damaged, by a disk or another program, is requested again, under the same key.
    if (!isLine(noted)) continue;
    // What a token limit left out is looked up by a run that continues with a higher one.
    if ('r' in noted && noted.r.status === 'skipped') continue;
    if ('r' in noted) {
      tokens += noted.r.tokens - askedIn(places, noted.i);
      places.set(noted.i, { at, length });
    } else {
      tokens += noted.t;
      if (places.has(noted.i)) early += 1;
      places.set(noted.i, askedOnceMore(places, noted.i, noted.t));
    }
  }
  if (head === null) refuseForeign(file, path);
  return { head, places, tokens, early, end };
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null || !('i' in value)) return false;
  return (
    ('r' in value && typeof value.r === 'object') || ('t' in value && Number.isFinite(value.t))
  );
}

const FIRST_BYTES = '{"openshelf_run":1,';

/** Refuses a file that is not a journal. One without a complete line is ours if a kill has cut its first line off. */
function refuseForeign(file: number, path: string): void {
  const bytes = Buffer.alloc(FIRST_BYTES.length);
  const found = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
  if (!FIRST_BYTES.startsWith(found)) throw notOurs(path);
}

function askedIn(places: ReadonlyMap<string, Place>, wanted: string): number {
  const place = places.get(wanted);
  return place !== undefined && 'askedTokens' in place ? place.askedTokens : 0;
}

function askedOnceMore(places: ReadonlyMap<string, Place>, wanted: string, cost: number): Place {
  const place = places.get(wanted);
  const calls = place !== undefined && 'calls' in place ? place.calls : 0;
  return { askedTokens: askedIn(places, wanted) + cost, calls: calls + 1 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function headOf(value: unknown, path: string): Head {
  if (typeof value === 'object' && value !== null && 'openshelf_run' in value) return value as Head;
  throw notOurs(path);
}

function notOurs(path: string): Error {
  return new Error(
    `${path} is not the journal of a run. Choose another output, or move that file away.`,
  );
}

type WholeLine = { readonly text: string; readonly at: number; readonly length: number };

function* wholeLines(file: number): Generator<WholeLine> {
  const piece = Buffer.alloc(PIECE);
  let rest = Buffer.alloc(0);
  let at = 0;
  for (let from = 0; ;) {
    const read = readSync(file, piece, 0, PIECE, from);
    if (read === 0) return;
    from += read;
    const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
    let begin = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, begin)) {
      yield { text: bytes.toString('utf8', begin, end), at, length: end - begin };
      at += end - begin + 1;
      begin = end + 1;
    }
    rest = Buffer.from(bytes.subarray(begin));
  }
}
