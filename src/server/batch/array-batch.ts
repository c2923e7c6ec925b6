// A batch as one JSON array, sent and answered. Clients generated from the OpenAPI document write and read nothing else: none of
// the usual generators has a type for JSON lines. Its elements are the lines.

import { FaultError } from '../../base/fault.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** An array is parsed in one go, some ten milliseconds of the serving thread. JSON lines have no such limit. */
const MAX_ARRAY = 1_048_576;
const OPEN = '['.charCodeAt(0);
/** Space, tab, line ends, and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

type SentLines = {
  readonly lines: Bytes;
  /** Whether they were sent as an array; known once they were read. */
  readonly wasArray: () => boolean;
};

/** Returns the lines of a body: the elements of an array, else the body as it is. FaultError body_too_large, invalid_parameter. */
export function linesOrArray(body: Bytes | Iterable<Uint8Array>): SentLines {
  let wasArray = false;
  async function* lines(): Bytes {
    let hasBegun = false;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of body) {
      if (!hasBegun) {
        const first = piece.find((byte) => !BLANK.has(byte));
        hasBegun = first !== undefined;
        wasArray = first === OPEN;
      }
      if (!wasArray) yield piece;
      else {
        size += piece.length;
        if (size > MAX_ARRAY) throw tooLarge();
        pieces.push(piece);
      }
    }
    if (wasArray) yield Buffer.from(elementLines(Buffer.concat(pieces)));
  }
  return { lines: lines(), wasArray: () => wasArray };
}

function elementLines(bytes: Buffer): string {
  try {
    const elements = JSON.parse(new TextDecoder().decode(bytes)) as readonly unknown[];
    return elements.map((each) => JSON.stringify(each)).join('\n');
  } catch (error) {
    // Also an array that is nested too deeply to be written as lines.
    throw new FaultError(NO_ARRAY, { cause: error });
  }
}

const NO_ARRAY = {
  code: 'invalid_parameter',
  parameter: 'body',
  detail:
    'The body begins with "[" but is not a JSON array. Send an array of objects such as {"id":"614141000005"}, or one object ' +
    'per line.',
} as const;

function tooLarge(): FaultError {
  return new FaultError({
    code: 'body_too_large',
    detail: `The array has more than ${MAX_ARRAY / 1_024} KB. Send its objects as JSON lines, one per line, which may be more.`,
  });
}

/** Turns answered lines into one array. Each piece has whole lines. */
export async function* arrayOf(pieces: Bytes): AsyncGenerator<string> {
  let before = '[';
  for await (const piece of pieces) {
    const text = Buffer.from(piece).toString('utf8').trimEnd();
    yield before + text.replaceAll('\n', ',\n');
    before = ',\n';
  }
  yield ']';
}
