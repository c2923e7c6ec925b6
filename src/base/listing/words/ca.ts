// Catalan words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const CATALAN: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'sota comanda, per encarrec, precomanda',
  buy: 'afeg(ir|eix) a la cistella',
  barcode: 'codi de barres',
  headsPackage: 'caixes, capsa, capses, palets?, embalatge',
  headsPiece: 'unitat(s)?, unitari, pe(ç|c)a',
  headsCost: 'preu (de )?(compra|cost|net|unitari)',
  headsFormer: '(à|a)ntic, antic, anterior',
  headsOther: 'enviament, codi, venda',
  headsCount: 'quantitat, unitats',
};
