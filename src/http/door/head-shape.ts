// What stays the same in the heads of a client that puts another note into each: the id of its request, a trace. The values of
// fields that nobody reads may be others there, and so may the request's own id, which is handed on; all other bytes are compared.

import { isUnread } from '../short/plain-request.ts';

export type HeadShape = {
  /** What stands before, between and behind the values that may change. */
  readonly fixed: readonly Buffer[];
  /** Which of those values is the id of the request; -1: none is. */
  readonly idAt: number;
};

const REQUEST_ID = 'x-request-id';
const LINE_END = '\r\n';
const FIELD = /^([\w!#$%&'*+.^`|~-]+):[ \t]*/;
const CARRIAGE_RETURN = 0x0d;
const [FIRST_PRINTED, LAST_PRINTED] = [0x20, 0x7e];

/** Of what stands behind the path of a head that node:http has read; null: nothing in it may change, or its lines are no plain fields. */
export function headShapeOf(rest: Buffer): HeadShape | null {
  const text = rest.toString('latin1');
  const fixed: Buffer[] = [];
  let idAt = -1;
  let from = 0;
  let at = text.indexOf(LINE_END) + LINE_END.length;
  while (text.indexOf(LINE_END, at) !== at) {
    const end = text.indexOf(LINE_END, at);
    const [start = '', written = ''] = FIELD.exec(text.slice(at, end)) ?? [];
    if (start === '') return null;
    const name = written.toLowerCase();
    if (name === REQUEST_ID) idAt = fixed.length;
    if (name === REQUEST_ID || isUnread(name)) {
      fixed.push(rest.subarray(from, at + start.length));
      from = end;
    }
    at = end + LINE_END.length;
  }
  return fixed.length === 0 ? null : { fixed: [...fixed, rest.subarray(from)], idAt };
}

/** The id of the request in a head of this shape, which begins at `from`: undefined where it has none. Null: it is of another shape. */
export function readShaped(
  { fixed, idAt }: HeadShape,
  bytes: Buffer,
  from: number,
): { readonly requestId: string | undefined } | null {
  let requestId: string | undefined;
  let at = from;
  for (const [index, piece] of fixed.entries()) {
    const behind = at + piece.length;
    if (behind > bytes.length || piece.compare(bytes, at, behind) !== 0) return null;
    if (index === fixed.length - 1) return behind === bytes.length ? { requestId } : null;
    // A blank around a value is none of it.
    at = valueEnd(bytes, behind, index === idAt ? FIRST_PRINTED + 1 : FIRST_PRINTED);
    if (index === idAt) requestId = bytes.toString('latin1', behind, at);
  }
  return null;
}

/** Where the characters end that stand for themselves in a value. */
function valueEnd(bytes: Buffer, from: number, first: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte !== CARRIAGE_RETURN; byte = bytes[at]) {
    if (byte < first || byte > LAST_PRINTED) break;
    at += 1;
  }
  return at;
}
