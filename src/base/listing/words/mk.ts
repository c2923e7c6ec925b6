// Macedonian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const MACEDONIAN: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'по нарачка',
  buy: 'додади во кошничка',
  my: 'моји',
  headsPackage: 'картон\\p{L}*, пакување',
  headsPiece: 'парче, парчиња',
  headsCost: 'набавна цена, трошок',
  headsFormer: 'стара',
  headsOther: 'транспорт, шифра, датум, продажна, валута',
  headsCount: 'количина',
};
