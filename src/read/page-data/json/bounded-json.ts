// Parses JSON from pages and API answers within limits of length and depth: `JSON.parse` has no depth limit, and hostile
// input could exhaust the stack of any code that walks the result.

import { parseLeniently } from './lenient-json.ts';

/** Half of the largest page (8 MiB); the largest recorded state is about 1 MiB. */
export const TEXT_LENGTH = 4 * 1_048_576;
/** Maximum length of a piece cut out of a script. */
const PIECE_LENGTH = 1_048_576;
export const DEPTH_LIMIT = 64;
/** Maximum length of an object literal whose values may be expressions: those written by hand are short. */
const SCRIPT_LENGTH = 262_144;

/** The size of a JSON value, counted without parsing it. */
type JsonSize = {
  /** Whether brackets outside strings are nested no deeper than allowed. */
  readonly isShallow: boolean;
  /** The number of objects and lists. */
  readonly nodes: number;
  /** The number of members and entries, exact to within one for each node. */
  readonly values: number;
};

/** Whether brackets outside of strings are nested at most `limit` deep. */
function isShallow(text: string, limit: number): boolean {
  return sizeOfJson(text, limit).isShallow;
}

/** Counts nodes and values, stopping at the first bracket that is nested too deep. */
export function sizeOfJson(text: string, limit: number): JsonSize {
  let depth = 0;
  let nodes = 0;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) {
      inString = true;
    } else if (code === 123 || code === 91) {
      depth += 1;
      nodes += 1;
      if (depth > limit) return { isShallow: false, nodes, values };
    } else if (code === 125 || code === 93) {
      depth -= 1;
    } else if (code === 44) {
      values += 1;
    }
  }
  return { isShallow: true, nodes, values };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Parses a JSON text; null when it is not JSON or is nested deeper than 64. */
export function parseJson(text: string): unknown {
  return isShallow(text, DEPTH_LIMIT) ? parsed(text) : null;
}

/**
 * Parses a JSON text, or a script's object literal (`undefined`, names without quotes, trailing commas; an expression is null).
 * Undefined when it is neither, is nested deeper than 64 or is longer than 4 MiB.
 */
export function parseScriptJson(text: string): unknown {
  if (text.length > TEXT_LENGTH || !isShallow(text, DEPTH_LIMIT)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const kind = text.length <= SCRIPT_LENGTH ? 'script' : 'json';
    const lenient = parseLeniently(text, kind);
    return lenient === null || lenient.truncated ? undefined : lenient.roots[0];
  }
}

/** Parses the JSON value whose opening bracket is at `from`; null when it is not JSON or does not end within 1 MiB. */
export function jsonPieceAt(text: string, from: number): unknown {
  let depth = 0;
  let inString = false;
  const end = Math.min(text.length, from + PIECE_LENGTH);
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) {
      inString = true;
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > DEPTH_LIMIT) return null;
    } else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return parsed(text.slice(from, at + 1));
    }
  }
  return null;
}
