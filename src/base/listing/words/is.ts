// Icelandic words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const ICELANDIC: LanguageWords = {
  ...NO_WORDS,
  former: 'fullt verð, verð áður',
  regular: 'fullt verð',
  tax: 'vsk',
  withoutTax: 'án',
  outOfStock: 'uppselt, ekki til a lager',
  onlyToOrder: 'forpontun, serpontun',
  stockNegation: 'ekki',
  buy: '(setja|bæta) í körfu, kaupa',
  headsPackage: 'kassi, karton, bretti, pakkning',
  headsPiece: 'stykki, stk, eining',
  headsCost: 'kostnaður, kostnaðarverð, innkaupsverð',
  headsFormer: 'gamalt',
  headsOther: 'flutning\\p{L}*, kóði, dagsetning, útsöluverð, gjaldmiðill',
  headsCount: 'magn, fjöldi',
};
