// Latvian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const LATVIAN: LanguageWords = {
  ...NO_WORDS,
  ofSome: 'lojal, _ar (\\p{L}+ )?kodu',
  time: 'mēn',
  severalOr: 'ar, vai',
  severalMore: 'vairāk',
  priceWords: 'cena ar atlaidi',
  former: 'parastā cena, sākotnējā cena',
  regular: 'parastā cena',
  tax: 'pvn',
  withTax: 'ar',
  inStock: 'ir noliktava',
  outOfStock: 'nav noliktava, izpardots',
  onlyToOrder: 'pec pasutijuma, priekspasutijums, pasutama prece',
  stockNegation: 'nav',
  buy: 'ielikt grozā, (pievienot |likt )?groz(am|ā), pirkt',
  related: '(līdzīgi|saistītie|līdzīgas) (produkti|preces)',
  accessories: 'aksesuāri',
  savedLists: 'vēlmju saraksts',
  results: 'meklēšanas rezultāti',
  giftMoney: 'dāvanu karte',
  ticket: 'biļetes?',
  brand: 'zīmols',
  maker: 'ražotājs',
  shopNumber: 'preces kods',
  barcode: 'svītrkods',
  headsPackage: 'kast\\p{L}*, kartons?, palet\\p{L}*, iepakojum\\p{L}*',
  headsPiece: 'vienīb\\p{L}*, gab\\p{L}*',
  headsCost: 'pašizmaksa, iepirkuma cena, vairumcena, izmaksas',
  headsFormer: 'vecā',
  headsOther: 'transport\\p{L}*, piegād\\p{L}*, kods, datums, pārdošanas, kopā, valūta, grupa',
  headsCount: 'daudzums',
};
