// Catalan words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const CATALAN: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'sota comanda, per encarrec, precomanda',
  buy: 'afeg(ir|eix) a la cistella',
};
