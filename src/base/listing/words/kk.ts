// Kazakh words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const KAZAKH: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'алдын ала тапсырыс',
  buy: 'себетке қосу',
  headsPackage: 'қорап\\p{L}*',
  headsPiece: 'дана',
  headsCost: 'өзіндік құн, сатып алу бағасы',
  headsFormer: 'ескі',
  headsOther: 'жеткізу, күні, сату',
  headsCount: 'саны',
};
