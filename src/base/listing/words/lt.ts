// Lithuanian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const LITHUANIAN: LanguageWords = {
  ...NO_WORDS,
  ofSome: 'lojal, _su (\\p{L}+ )?kortel, _su (\\p{L}+ )?kodu',
  free: 'nemokam',
  unit: 'lt',
  time: 'mėn',
  severalOr: 'ar, arba',
  severalMore: 'daugiau',
  priceWords: 'kaina, dabar, tik, nuo',
  former: 'įprasta kaina, ankstesnė kaina, sena kaina',
  regular: 'įprasta kaina',
  tax: 'pvm',
  withoutTax: 'be',
  withTax: 'su',
  inStock: 'yra sandelyje',
  outOfStock: 'nera sandelyje, isparduota',
  onlyToOrder: 'pagal uzsakyma, isankstinis uzsakymas, uzsakoma preke',
  stockNegation: 'nera',
  buy: '(įdėti )?į krepšelį, pirkti',
  related: '(susiję|panašios|panašūs) (produktai|prekės)',
  accessories: 'priedai',
  my: 'mano',
  savedLists: 'norų sąrašas',
  results: 'paieškos rezultatai',
  giftMoney: 'dovanų (kuponas|čekis)',
  ticket: 'bilietai',
  brand: 'prekės ženklas',
  maker: 'gamintojas',
  shopNumber: 'prekės kodas',
  namePrice: 'kaina',
};
