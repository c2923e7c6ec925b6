// Texts of kept answers, of which the compressed bytes are kept elsewhere: of those that were asked for lately, within a share of
// memory, the least recently used gone first. Any other is made again.

import { createBoundedMap } from '../../core/bounded-map.ts';
import { exactly, headOf, type SplicedBody } from './spliced-body.ts';

export type KeptTexts = {
  /** The text of a body without its last brace, in UTF-8. */
  of(body: SplicedBody): Buffer;
  /** That text, where it is known. */
  add(body: SplicedBody, head: Buffer): void;
  delete(body: SplicedBody): void;
  /** Bytes that they take, about. */
  bytes(): number;
};

/** What a text takes beside its bytes. */
const ENTRY_BYTES = 300;
/**
 * Of the texts that were made again one in so many stays: what is asked for often comes to stay, and where all are asked for in
 * turn, they do not push each other out for nothing.
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
