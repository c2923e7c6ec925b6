// Slovenian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const SLOVENIAN: LanguageWords = {
  ...NO_WORDS,
  subscription: 'naročnin',
  ofSome: 'članic, _s kodo, prihran, najnižš* c',
  free: 'brezplačn',
  unit: 'metar',
  piece: 'kos',
  severalOr: 'ali',
  severalMore: 'več',
  priceWords: 'zdaj, novo?',
  former: 'm\\.?p\\.?c?\\.? cena, redna cena, redovna cena',
  regular: 'redna cena, redovna cena',
  tax: 'ddv',
  withoutTax: 'brez',
  withTax: 's',
  inStock: 'na zalogi',
  outOfStock: 'ni na zalogi, razprodano',
  onlyToOrder: 'po narocilu, samo po narocilu, prednarocilo',
  nearly: 'skoraj',
  stockNegation: 'ni',
  buy: 'dodaj (u|v) ko(š|s)aric[ou], v ko(š|s)arico, kupi( odmah| zdaj)?',
  related: '(povezani|slični|podobni|sorodni) (proizvodi|izdelki), morda .*zanima.*, kupci su .*',
  accessories: 'dodatki, dodatna oprema',
  savedLists: 'seznam želja',
  results: 'rezultati iskanja',
  brand: 'znamka',
  maker: 'proizvajalec',
  shopNumber: 'šifra( (proizvoda|artikla|izdelka))?',
};
