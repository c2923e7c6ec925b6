// Hungarian words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const HUNGARIAN: LanguageWords = {
  ...NO_WORDS,
  subscription: 'előfizet',
  charge: 'szállít, megtakar',
  discount: 'kedvezmény',
  priceName: '_ár_',
  ofSome: 'törzsvásárl, hűség, kóddal, legalacsonyabb',
  days: 'nap',
  code: 'kód',
  free: 'ingyen',
  piece: 'db, darab',
  time: 'nap, hét, hó, hónap, év',
  person: 'fő',
  pieces: 'db',
  severalOr: 'vagy, és',
  severalMore: 'több',
  priceWords: 'ára?, akciós, kedvezményes, most, csak, mai, új, webshop, eladási',
  former: 'eredeti ár, régi ár, helyett, lista ?ár, fogyasztói ár',
  tax: 'áfa',
  taxExcluded: 'nélkül',
  net: 'nettó',
  gross: 'bruttó',
  inStock: 'raktaron, keszleten',
  outOfStock: 'nincs raktaron, nincs keszleten, elfogyott',
  onlyToOrder:
    'elorendeles, elorendelheto, elorendelem, rendelesre, csak rendelesre, elojegyzes, elojegyezheto',
  gone: 'kifutott, mar nem kaphato, nem forgalmazzuk',
  stockNegation: 'nem, nincs',
  buy: '(hozzáadás a )?kosár(ba|hoz)( teszem| rakom| tesz)?, megveszem, megrendelem',
  related:
    '(kapcsolódó|hasonló|ajánlott) termékek, (ezek|ez) is (érdekelhet|tetszhet|érdekelheti).*, ' +
    'mások .*(vásárolták|vették|nézték).*',
  accessories: 'tartozékok, kiegészítők',
  my: 'az én',
  cart: 'kosár',
  savedLists: 'kívánságlista, kedvencek, összehasonlítás',
  results: 'keresési? (eredmény(ek)?|találatok)',
  giftMoney: 'ajándék(utalvány|kártya)',
  ticket: 'jegy(ek)?, belépő(jegy)?',
  adults: 'felnőtt',
  otherVisitors: 'gyerek, diák',
  barcode: 'vonalkód',
  brand: 'márka',
  maker: 'gyártó',
  noMaker: 'márka nélkül',
  shopNumber: 'cikkszám, termékkód',
  makerNumber: 'gyártói (cikkszám|kód)',
  conditionLabel: 'állapot',
  conditionBadge: 'használt',
  nameFormer: 'athuzott',
  nameCart: 'kosar',
  homeCrumb: 'kezdőlap',
  pageOrProduct: 'oldal, termek',
  goneAfter: 'nem talalhato',
  closedForNow: 'karbantartas (alatt|miatt)',
  isNew: 'uj',
  isRefurbished: 'felujitott',
  isUsed: 'hasznalt',
  headsPackage:
    'karton\\p{L}*, doboz\\p{L}*, csomag\\p{L}*, raklap\\p{L}*, gyűjtő\\p{L}*, láda, tucat',
  headsPiece: 'darab\\p{L}*, db, egység\\p{L}*, fogyasztói',
  headsCost:
    'költség, beszerzési (ár|költség), beszerzés, nagyker\\p{L}*( ár)?, nettó ár, önköltség, egységár',
  headsFormer: 'régi, előző, korábbi',
  headsOther:
    'szállítás\\p{L}*, fuvar\\p{L}*, költséghely, kód\\p{L}*, módszer, típus, dátum, százalék, árrés, ' +
    'eladási, ajánlott, listaár, összes\\p{L}*, összeg, pénznem, deviza, csoport, kedvezmény, súly, vám',
  headsCount: 'mennyiség, darabszám, db, darab',
};
