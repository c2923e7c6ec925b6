// Splits a text that arrives in pieces into lines, in bounded memory whatever is sent: nothing of a line that is too long
// is kept.

type TextLine = {
  /** From 1. */
  readonly line: number;
  /** Without its line end; null when it is too long. */
  readonly text: string | null;
};

/** Longer than any row of a sheet needs: an address has at most 8 KiB. */
export const MAX_LINE_LENGTH = 1_048_576;

/** All usual line ends; several programs may have written to one file. */
const LINE_END = /\r\n?|\n/g;

/** Yields the lines in order, each as soon as it is complete. */
export async function* textLines(pieces: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let parts: string[] = [];
  let length = 0;
  let line = 0;
  let isAfterReturn = false;
  const take = (part: string) => {
    length += part.length;
    if (length <= MAX_LINE_LENGTH) parts.push(part);
    else parts = [];
  };
  const end = (): TextLine => {
    const text = length > MAX_LINE_LENGTH ? null : parts.join('');
    parts = [];
    length = 0;
    line += 1;
    return { line, text };
  };
  for await (const piece of pieces) {
    // The piece may begin with the second half of a line end whose first half ended the previous piece.
    let from = isAfterReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') isAfterReturn = piece.endsWith('\r');
    for (const { 0: lineEnd, index: at } of piece.matchAll(LINE_END)) {
      if (at < from) continue;
      take(piece.slice(from, at));
      from = at + lineEnd.length;
      yield end();
    }
    if (from < piece.length) take(piece.slice(from));
  }
  if (length > 0) yield end();
}
