// The words of shops in Galician. What the keys mean is in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const GALICIAN: LanguageWords = {
  ...NO_WORDS,
  buy: 'engadir (á cesta|ao carro)',
};
