// Galician words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const GALICIAN: LanguageWords = {
  ...NO_WORDS,
  onlyToOrder: 'baixo pedido, por encargo',
  buy: 'engadir (á cesta|ao carro)',
  barcode: 'código de barras',
  headsPackage: 'caixas?, palés?',
  headsPiece: 'unidades?, peza',
  headsCost: 'custos?, prezo (de )?(compra|custo|neto)',
  headsFormer: 'anterior',
  headsOther: 'envío, código, venda',
  headsCount: 'cantidade',
};
