// Reads how a title says that a product is sold: used or renewed, an imitation or another maker's spare part, bundled with
// more, or bare without its accessories; and where it begins to say what it is made for. For the model's features: groups
// of listings are judged by `sold-with.ts`, which reads more closely.

import { NO_POSITION, SOLD_AS } from './layout.ts';

const USED =
  /\b(?:refurb\w*|renewed|reconditioned|remanufactured|recertified|restored|used|pre-?owned|open[- ]box|second[- ]hand|grade [abc]|occasion|gebraucht\w*|ricondizionat\w+|reacondicionad\w+|reconditionn\w+)\b/;
const IMITATION =
  /\b(?:compatible|replacements?|replaces?|replica|generic|aftermarket|non-?oem|third[- ]party|remanufactured|equivalent|substitute|fits|kompatibel|ersatz\w*|compatibles)\b/;
const BUNDLE =
  /\b(?:bundles?|bundled|bndl|combo|kit|starter|value pack|gift set|with (?:free |bonus |extra )?\p{L}+ (?:kit|bundle|set|package)|lot of)\b|(?<=\s)\+(?=\s)|\bw\/(?=\s?\p{L})/u;
const BARE =
  /\b(?:body|tool|unit|bare|console|base|solo|skin|lid|head) only\b|\bonly body\b|\bbare(?:[- ]tool)?\b|\bbody\b/;

const SAID =
  /\b(?:bundles?|bundled|bndl|(?:starter|accessory|lens|lenses|battery|batteries|charger|bridge|chime) kit)\b/;

/** Returns the `SOLD_AS` bits of a title in `plainText`. */
export function soldAsOf(plain: string): number {
  return (
    (USED.test(plain) ? SOLD_AS.used : 0) |
    (IMITATION.test(plain) ? SOLD_AS.imitation : 0) |
    (BUNDLE.test(plain) ? SOLD_AS.bundle : 0) |
    (BARE.test(plain) ? SOLD_AS.bare : 0) |
    (SAID.test(plain) ? SOLD_AS.saidBundle : 0)
  );
}

const FOR = new Set([
  'for',
  'fits',
  'fit',
  'fur',
  'fuer',
  'pour',
  'para',
  'per',
  'voor',
  'compatible',
  'replaces',
]);

/** Returns the position of the first word that is followed by what the product is made for; `NO_POSITION` without one. */
export function forRankOf(words: readonly string[]): number {
  const rank = words.findIndex((word) => FOR.has(word));
  return rank < 0 ? NO_POSITION : Math.min(rank, NO_POSITION);
}
