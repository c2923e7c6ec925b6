// The lines of a text that comes in pieces, in bounded memory whatever is sent: of a line that is too long nothing is kept.

export type TextLine = {
  /** From 1. */
  readonly line: number;
  /** Without its line end; null when it is too long. */
  readonly text: string | null;
};

/** More than any row of a sheet needs: an address has at most 8 KiB. */
export const MAX_LINE_LENGTH = 1_048_576;

export async function* textLines(pieces: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let parts: string[] = [];
  let length = 0;
  let line = 0;
  const take = (part: string) => {
    length += part.length;
    if (length <= MAX_LINE_LENGTH) parts.push(part);
    else parts = [];
  };
  const end = (): TextLine => {
    const text = length > MAX_LINE_LENGTH ? null : parts.join('').replace(/\r$/, '');
    parts = [];
    length = 0;
    line += 1;
    return { line, text };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', from)) {
      take(piece.slice(from, at));
      from = at + 1;
      yield end();
    }
    if (from < piece.length) take(piece.slice(from));
  }
  if (length > 0) yield end();
}
