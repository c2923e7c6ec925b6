// Keeps the plain texts of kept answers, whose compressed bytes are kept elsewhere. It has those that were asked for
// lately, within a share of memory; the least recently used go first. Any other text is made again from the compressed
// bytes.

import { createBoundedMap } from '../../base/bounded-map.ts';
import { exactly, headOf, type SplicedBody } from './spliced-body.ts';

export type KeptTexts = {
  /** The text of a body without its last brace, in UTF-8. Made if it is not kept. */
  of(body: SplicedBody): Buffer;
  /** Adds a text that is already known. */
  add(body: SplicedBody, head: Buffer): void;
  delete(body: SplicedBody): void;
  /** Bytes that the texts take, about. */
  bytes(): number;
};

/** Bytes that an entry takes beside its text. */
const ENTRY_BYTES = 300;
/**
 * Of the texts that have to be made again, one in this many is kept. What is asked for often soon comes to be kept. Where
 * all are asked for in turn, they do not push each other out for nothing.
 */
const MISSES_A_TEXT = 8;

export function createKeptTexts(maxBytes: number): KeptTexts {
  const texts = createBoundedMap<SplicedBody, Buffer>(
    maxBytes,
    ({ length }) => ENTRY_BYTES + length,
  );
  let missed = 0;
  return {
    of(body) {
      const known = texts.use(body);
      if (known !== undefined) return known;
      const head = headOf(body);
      missed += 1;
      if (missed % MISSES_A_TEXT === 0) texts.set(body, exactly(head));
      return head;
    },
    add: (body, head) => texts.set(body, head),
    delete: (body) => texts.delete(body),
    bytes: () => texts.size(),
  };
}
