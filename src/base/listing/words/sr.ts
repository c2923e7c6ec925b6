// Serbian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const SERBIAN: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'по поруџбини, po porudzbini, pretprodaja, u pretprodaji',
  stockNegationElsewhere: 'нема, није',
  buy: 'додај у корпу',
  outOfStock: 'нема на стању, распродато',
  barcode: 'баркод, бар-?код',
  headsPackage: 'кутиј\\p{L}*, kutij\\p{L}*, karton\\p{L}*, pakovanj\\p{L}*',
  headsPiece: 'комад\\p{L}*, komad\\p{L}*, kom',
  headsCost: 'nabavna cena, набавна цена, trošak, трошак',
  headsFormer: 'stara, стара',
  headsOther: 'prevoz\\p{L}*, dostav\\p{L}*, šifra, datum, prodajna, valuta, ukupno',
  headsCount: 'količina, количина',
};
