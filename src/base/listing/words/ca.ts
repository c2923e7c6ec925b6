// The words of shops in Catalan. What the keys mean is in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const CATALAN: LanguageWords = {
  ...NO_WORDS,
  buy: 'afeg(ir|eix) a la cistella',
};
