// Croatian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const CROATIAN: LanguageWords = {
  ...NO_WORDS,
  subscription: 'pretplat',
  ofSome: 'člano, članic, karticom, ušted, najnižš* c',
  days: 'dana',
  free: 'besplatn',
  unit: 'metar',
  piece: 'kom',
  severalOr: 'ali, ili',
  severalMore: 'više',
  priceWords: 'cijena, akcij+, sada, samo, novo?',
  former: 'm\\.?p\\.?c?\\.? cena, mpc, redovna cijena, stara cijena',
  regular: 'redovna cijena',
  tax: 'pdv',
  withTax: 'sa',
  inStock: 'na zalihi',
  outOfStock: 'nema na zalihi, rasprodano, nije na zalihi, nije dostupno, nedostupno',
  onlyToOrder: 'po narudzbi, samo po narudzbi, prednarudzba, pretprodaja',
  nearly: 'gotovo',
  stockNegation: 'nije, nema',
  buy: 'dodaj (u|v) ko(š|s)aric[ou], u ko(š|s)aricu, kupi( odmah| zdaj)?, naruči, (dodaj|stavi) u korpu, stavi u ko(š|s)aricu',
  related: '(povezani|slični|podobni|sorodni) (proizvodi|izdelki), možda (će )?.*, kupci su .*',
  accessories: 'dodatki, dodatna oprema',
  my: 'moji',
  savedLists: 'lista želja, omiljeni',
  results: 'rezultati pretra(ge|živanja)',
  brand: 'brend',
  maker: 'proizvođač',
  noMaker: 'bez brenda',
  shopNumber: 'šifra( (proizvoda|artikla|izdelka))?',
  namePrice: 'cijen',
  bundle: 'komplet',
};
