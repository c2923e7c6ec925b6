// Bulgarian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const BULGARIAN: LanguageWords = {
  ...NO_WORDS,
  subscription: 'абонамент',
  charge: 'доставк',
  priceName: 'цен[аы]',
  ofSome: 'най-ниска',
  free: 'безплатн',
  unit: 'метър, тон',
  piece: 'бр',
  per: 'за',
  time: 'месяц',
  severalOr: 'и',
  severalMore: 'повече',
  priceWords: 'сега, промо, нова',
  priceAbove: 'цена',
  tax: 'ддс',
  withoutTax: 'без',
  inStock: 'налично, в наличност',
  outOfStock: 'изчерпано, няма наличност, изчерпан',
  onlyToOrder: 'по поръчка, само по поръчка, предварителна поръчка, с предварителна поръчка',
  stockNegationElsewhere: 'не, няма, липсва\\p{L}*',
  buy: 'купи( сега)?, добав(и|яне) в количката, в количката',
  related:
    '(подобни|свързани|препоръчани|сходни) (продукти|книги|стоки|артикули), може да (харесате|ви) .*, клиенти.* също .*',
  my: 'моите',
  savedLists: 'любими, сравняване на продукти',
  results: 'резултати от търсенето',
  ticket: 'билет[ыа]?',
  adults: 'возрастен',
  otherVisitors: 'дете',
  brand: 'бренд, марка',
  maker: 'производител',
  shopNumber: 'код (товара|товару|продукта|на продукта)',
  domain: 'домен',
  namePrice: 'tsena',
  isNew: 'ново',
};
