// The page line being read: its text so far, its pieces, and which of them are visually separated.

import type { ClickedText } from './visible-buttons.ts';
import { MARK } from './visible-marks.ts';
import { areWordsApart, glueBetween } from './visible-text.ts';

/** A part of a line; it starts at `from` in the line's text and ends where the next begins. */
export type VisiblePiece = {
  readonly from: number;
  readonly marks: number;
  /**
   * Whether only styling separates it from the previous piece, with no whitespace or only a source line break between them.
   */
  readonly isApart: boolean;
};

/** The text of one element, and how it continues the line. */
type PieceOfText = {
  readonly text: string;
  readonly marks: number;
  /** Whether it is only a line break of the source. */
  readonly isBroken: boolean;
  /** Whether it is the sign of the preceding number. */
  readonly isSign: boolean;
  /** Whether it continues the preceding amount, regardless of whitespace. */
  readonly isJoined: boolean;
  /** Whether it may be cents. */
  readonly isCents: boolean;
};

/** Whether a text is a single digit in its own element, as in an animated counter showing a price digit by digit. */
const isDigitAlone = (text: string): boolean => text.length === 1 && text >= '0' && text <= '9';

/** The line that is being read. */
export class LineDraft {
  text = '';
  marks = 0;
  readonly pieces: VisiblePiece[] = [];
  /** The text ranges of clickable elements. */
  readonly clicks: ClickedText[] = [];
  /** Whether the next text on the line follows a checkbox. */
  isTicked = false;
  /** Whether the last piece is a line break of the source. */
  #isBroken = false;
  /** Whether an element was closed after the last piece, and another opened. */
  #side: 'closed' | 'opened' | null = null;

  /** Handles an element opening within the line. */
  opened(): void {
    if (this.#side === 'closed') this.#side = 'opened';
  }

  /** Handles an element closing within the line. */
  closed(): void {
    this.#side = 'closed';
  }

  add(piece: PieceOfText): void {
    const { isJoined } = piece;
    const marks = this.isTicked ? piece.marks | MARK.added : piece.marks;
    // `1 299 <i>€</i>`, `$12 <sup> 99 </sup>`: text that continues the amount has no space before it.
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

  /** Returns the separator between the line so far and its next text. */
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
