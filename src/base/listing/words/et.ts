// Estonian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const ESTONIAN: LanguageWords = {
  ...NO_WORDS,
  ofSome: 'kliendika, püsiklien',
  deposit: 'panti',
  free: 'tasuta',
  time: 'kuu, päev',
  severalOr: 'või',
  severalMore: 'rohkem',
  priceWords: '(soodus)?hind, nüüd',
  former: 'norm\\., tavahind',
  regular: 'tavahind',
  tax: 'käibemaks*',
  withoutTax: 'ilma',
  withTax: 'koos',
  inStock: 'laos',
  outOfStock: 'labi muudud, ei ole laos, laost otsas, pole laos, pole saadaval',
  onlyToOrder: 'eeltellimus, ettetellimine, tellimustoode',
  nearly: 'lahes',
  stockNegation: 'ei',
  buy: 'lisa (ostu)?korvi, ostukorvi',
  related: '(seotud|sarnased) tooted',
  accessories: 'lisatarvikud',
  my: 'minu',
  savedLists: 'sooviloend, soovinimekiri',
  results: 'otsingu(tulemused)?',
  giftMoney: 'kinkekaar[dt](id)?',
  ticket: 'piletid?',
  brand: 'kaubamärk',
  maker: 'tootja',
  shopNumber: 'tootekood',
  namePrice: '^hind$',
};
