// Reads the items that a title says are included with the product: the things after "with", "+" and "plus", and the words
// of a bundle.

import { singular, wordsIn } from '../words/title-words.ts';

/** "+" must be surrounded by blanks: "20+ hours" adds nothing. "w/o" means without. */
const JOIN = /(\bwith\b|\bw\/(?!o\b)|\bplus\b|\s\+\s|\bincl(?:udes|uding|\.)?(?=\s))/;
const AND = /\s&\s|\band\b/;
const END = /[,;|()[\]]|\s[-–—]\s/;

/** Words for a product consisting of several things. */
export const SEVERAL_THINGS: ReadonlySet<string> = new Set(
  'bundle bundled combo bndl kit set duo trio'.split(' '),
);

/** Not "Combo Ports". */
export const BUNDLE =
  /\b(?:bundle|bundled|combo|bndl)\b(?=\s*(?:$|[,;:|()[\]/+&-]|(?:with|w|of|pack|deal|includes?|including)\b))/i;

export const KIT = /\bkit (?:with|w\/|includ)/i;

/** What a product does or is like, as opposed to an included item. In the singular. */
export const FEATURE: ReadonlySet<string> = new Set(
  (
    'built auto automatic support technology viewing view transition sound audio mode function feature resolution ' +
    'display zoom focus warranty protection canceling cancelling cancellation dial finish design connectivity ' +
    'processor year tracking playback recording security surface border button resistant proof volume surround noise'
  ).split(' '),
);

export type Addition = {
  /** `with`, `+`, `plus` and similar. */
  readonly join: string;
  /** The word before the join; '': none. */
  readonly before: string;
  /** The words of each thing, in the singular. */
  readonly things: readonly (readonly string[])[];
  /** Whether the addition ends the title. */
  readonly isLast: boolean;
};

/** Returns the items that the title says are included with the product, in order. */
export function additionsOf(title: string): readonly Addition[] {
  const pieces = title.toLowerCase().split(JOIN);
  const found: Addition[] = [];
  for (let at = 1; at < pieces.length; at += 2) {
    const [phrase = '', ...rest] = (pieces[at + 1] ?? '').split(END);
    found.push({
      join: (pieces[at] ?? '').trim(),
      before: wordsIn(pieces[at - 1] ?? '').at(-1) ?? '',
      things: phrase.split(AND).map((each) => wordsIn(each).map(singular)),
      isLast: at + 2 >= pieces.length && rest.join('').trim() === '',
    });
  }
  return found;
}
