// The JSON-LD blocks of a page -> its schema.org nodes. Broken blocks are repaired or reported in a remark, never
// thrown. Remote contexts are never fetched.

import { decodeEntities } from '../listing/text.ts';
import { isShallow } from './bounded-json.ts';
import { graphOf, NODE_LIMIT } from './graph.ts';
import type { Graph } from './graph.ts';
import { parseLeniently } from './lenient-json.ts';

/** Longest block that is read. */
const BLOCK_LENGTH = 1_048_576;
const DEPTH_LIMIT = 64;

function parseStrictly(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Whether the quotes of a block are escaped for HTML: `{&quot;@type&quot;: ...`. */
function isEscaped(text: string): boolean {
  return /^[\s{[]*(?:&quot;|&#34;|&#x22;)/i.test(text.slice(0, 200));
}

type Block = { readonly roots: readonly unknown[]; readonly remark: string | null };

function parseBlock(source: string, number: number): Block {
  const name = `JSON-LD block ${number}`;
  if (source.length > BLOCK_LENGTH) return { roots: [], remark: `${name} is over 1 MiB: not read` };
  const text = isEscaped(source) ? decodeEntities(source) : source;
  if (text.trim() === '') return { roots: [], remark: null };
  if (!isShallow(text, DEPTH_LIMIT)) {
    return { roots: [], remark: `${name} is nested deeper than ${DEPTH_LIMIT}: not read` };
  }
  const strict = parseStrictly(text);
  if (strict !== null) {
    const remark = text === source ? null : `${name} had escaped quotes: repaired`;
    return { roots: [strict.value], remark };
  }
  const lenient = parseLeniently(text, true);
  if (lenient === null || !lenient.roots.some((root) => typeof root === 'object')) {
    return { roots: [], remark: `${name} is broken: not read` };
  }
  const how = lenient.truncated ? 'cut off: read up to there' : 'broken: repaired';
  return { roots: lenient.roots, remark: `${name} is ${how}` };
}

/** Reads the JSON-LD blocks of a page. */
export function readJsonLd(blocks: readonly string[]): Graph {
  const roots: unknown[] = [];
  const remarks: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const { roots: found, remark } = parseBlock(block, index + 1);
    roots.push(...found.slice(0, NODE_LIMIT));
    if (remark !== null) remarks.push(remark);
  }
  return graphOf(roots, remarks);
}
