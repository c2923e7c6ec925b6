// The line of a page that is being read: its text so far, the pieces that it is made of, and which of them are set apart.

import type { ClickedText } from './visible-buttons.ts';
import { MARK } from './visible-marks.ts';
import { areWordsApart, glueBetween } from './visible-text.ts';

/** A part of a line; it begins at `from` in the text of the line and ends where the next begins. */
export type VisiblePiece = {
  readonly from: number;
  readonly marks: number;
  /**
   * Whether only the style of the page separates it from the piece before it, without a blank or with only a line break of the
   * source.
   */
  readonly isApart: boolean;
};

/** A text of one element, and how it goes on with the line. */
type PieceOfText = {
  readonly text: string;
  readonly marks: number;
  /** Whether it is nothing but a line break of the source. */
  readonly isBroken: boolean;
  /** Whether it is the sign of the number before it. */
  readonly isSign: boolean;
  /** Whether it goes on with the amount before it, whatever blanks there are. */
  readonly isJoined: boolean;
  /** Whether it may be cents. */
  readonly isCents: boolean;
};

/** A digit in an element of its own, as a counter that turns shows each digit of a price. */
const isDigitAlone = (text: string): boolean => text.length === 1 && text >= '0' && text <= '9';

/** The line that is being read. */
export class LineDraft {
  text = '';
  marks = 0;
  readonly pieces: VisiblePiece[] = [];
  /** Where the texts of what can be clicked begin and end. */
  readonly clicks: ClickedText[] = [];
  /** Whether what comes next in the line stands after a box to tick. */
  isTicked = false;
  /** Whether the last piece is a line break of the source. */
  #isBroken = false;
  /** Whether an element was closed after the last piece, and another opened. */
  #side: 'closed' | 'opened' | null = null;

  /** An element opens in the line. */
  opened(): void {
    if (this.#side === 'closed') this.#side = 'opened';
  }

  /** An element ends in the line. */
  closed(): void {
    this.#side = 'closed';
  }

  add(piece: PieceOfText): void {
    const { isJoined } = piece;
    const marks = this.isTicked ? piece.marks | MARK.added : piece.marks;
    // `1 299 <i>€</i>`, `$12 <sup> 99 </sup>`: what goes on with the amount has no blank before it.
    const before = isJoined ? this.text.trimEnd() : this.text;
    const text = isJoined ? piece.text.trimStart() : piece.text;
    const glue = this.#glue(before, isJoined ? { ...piece, text } : piece);
    const isApart = glue.trim() !== glue || this.#isBroken;
    this.pieces.push({ from: before.length, marks, isApart });
    this.text = before + glue + text;
    this.marks |= marks;
    this.#isBroken = piece.isBroken;
    this.#side = null;
  }

  /** What belongs between the line so far and its next text. */
  #glue(before: string, { text, isSign, isCents }: PieceOfText): string {
    if (isSign) return '';
    const last = this.pieces.at(-1);
    if (
      isDigitAlone(text) &&
      last !== undefined &&
      isDigitAlone(before.slice(last.from).trimStart())
    )
      return '';
    const glue = glueBetween(before, text, isCents);
    const isSide = glue === '' && this.#side === 'opened' && last !== undefined;
    return isSide && areWordsApart(before.slice(last.from), text) ? ' ' : glue;
  }
}
