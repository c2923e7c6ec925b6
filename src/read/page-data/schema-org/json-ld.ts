// Converts a page's JSON-LD blocks to schema.org nodes. Broken blocks are repaired or reported in a remark, never thrown.
// Remote contexts are never fetched.

import { decodeEntities } from '../../../base/listing/text/text.ts';
import { sizeOfJson } from '../json/bounded-json.ts';
import { graphOf, NODE_LIMIT } from './graph.ts';
import type { Graph } from './graph.ts';
import { withPlainNames } from './json-ld-names.ts';
import { parseLeniently } from '../json/lenient-json.ts';

/** Maximum length of a block; the longest recorded one has 42,000 characters. */
const BLOCK_LENGTH = 1_048_576;
const DEPTH_LIMIT = 64;
/** Maximum number of members and entries across all blocks. */
const VALUE_LIMIT = 100_000;
/** Maximum number of characters repaired in broken blocks per page; the longest recorded one has 10,000. */
const REPAIR_LENGTH = 262_144;

/** The remaining read budget of one page. */
type Left = { chars: number; nodes: number; values: number; repairs: number };

function parseStrictly(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Whether a block's quotes are HTML-escaped, perhaps twice: `{&quot;@type&quot;: ...`. */
function isEscaped(text: string): boolean {
  return /^[\s{[]*&(?:amp;)*(?:quot|#34|#x22);/i.test(text.slice(0, 200));
}

type Block = { readonly roots: readonly unknown[]; readonly remark: string | null };

function parseBlock(source: string, number: number, left: Left): Block {
  const name = `JSON-LD block ${number}`;
  if (source.length > BLOCK_LENGTH) return { roots: [], remark: `${name} is over 1 MiB: not read` };
  left.chars -= source.length;
  if (left.chars < 0) return { roots: [], remark: `${name} is beyond 1 MiB in all: not read` };
  const text = isEscaped(source) ? decodeEntities(source) : source;
  if (text.trim() === '') return { roots: [], remark: null };
  const size = sizeOfJson(text, DEPTH_LIMIT);
  if (!size.isShallow) {
    return { roots: [], remark: `${name} is nested deeper than ${DEPTH_LIMIT}: not read` };
  }
  if (size.nodes > left.nodes || size.values > left.values) {
    return { roots: [], remark: `${name} has too many values: not read` };
  }
  left.nodes -= size.nodes;
  left.values -= size.values;
  const strict = parseStrictly(text);
  if (strict !== null) {
    const remark = text === source ? null : `${name} had escaped quotes: repaired`;
    return { roots: [strict.value], remark };
  }
  return repairedBlock(text, name, left);
}

function repairedBlock(text: string, name: string, left: Left): Block {
  left.repairs -= text.length;
  const lenient = left.repairs < 0 ? null : parseLeniently(text, 'drops');
  if (lenient === null || !lenient.roots.some((root) => typeof root === 'object')) {
    return { roots: [], remark: `${name} is broken: not read` };
  }
  const how = lenient.truncated ? 'cut off: read up to there' : 'broken: repaired';
  return { roots: lenient.roots, remark: `${name} is ${how}` };
}

/** The page around the blocks: the base of relative ids, and the language that values in several are chosen for. */
type Around = { readonly base: URL | null; readonly lang: string | null };

/** Reads a page's JSON-LD blocks. They share one limit: several large blocks cost no more than one. */
export function readJsonLd(
  blocks: readonly string[],
  { base, lang }: Around = { base: null, lang: null },
): Graph {
  const roots: unknown[] = [];
  const remarks: string[] = [];
  const left = {
    chars: BLOCK_LENGTH,
    nodes: NODE_LIMIT,
    values: VALUE_LIMIT,
    repairs: REPAIR_LENGTH,
  };
  const naming = { lang, ids: 0 };
  for (const [index, block] of blocks.entries()) {
    const { roots: found, remark } = parseBlock(block, index + 1, left);
    for (const root of found.slice(0, NODE_LIMIT)) roots.push(withPlainNames(root, naming));
    if (remark !== null) remarks.push(remark);
  }
  return graphOf(roots, { base, remarks });
}
