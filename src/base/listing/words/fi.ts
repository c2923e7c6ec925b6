// Finnish words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const FINNISH: LanguageWords = {
  ...NO_WORDS,
  subscription: 'kestotila',
  charge: 'toimitus, säästä',
  priceName: 'hinta',
  ofSome: 'jäsen, etukort, kanta-?asiakas, _kortil(la|le), koodi(lla|ga), alin hinta',
  usedOffer: 'käytetty',
  usedFrom: 'alk\\.?',
  days: 'päivä',
  deposit: 'pantti',
  free: 'ilmai',
  unit: 'metri',
  unitName: 'kg, kilo(gramm)?, litra, metri, m2, m²',
  unitPrice: 'hinta',
  piece: 'kpl',
  time: 'kk, kuukausi, päivä, viikko, vuosi',
  person: 'henkilö',
  pieces: 'kpl',
  severalOr: 'tai',
  severalMore: 'enemmän',
  priceWords: '(tarjous|ale)?hinta, nyt, vain, tarjous, alennettu, alk, ale',
  priceAbove: 'hinta',
  former: 'ovh\\.?, normaalihinta',
  regular: 'normaalihinta',
  tax: 'alv',
  withoutTax: 'ilman',
  withTax: 'sis\\.?',
  inStock: 'varastossa, saatavilla',
  outOfStock: 'loppuunmyyty, loppu, ei varastossa',
  onlyToOrder:
    'ennakkotilaus, ennakkotilattavissa, ennakkotilaa, tilaustuote, jalkitoimitus, jalkitoimituksessa',
  gone: 'ei enaa saatavilla, poistunut valikoimasta, poistunut tuote',
  nearly: 'melkein',
  stockNegation: 'ei',
  buy: 'lisää (ostos)?koriin, ostoskoriin, osta( nyt| heti)?',
  related:
    '(samankaltaisia|liittyviä|vastaavia|suositeltuja) tuotteita, (vastaavat|liittyvät) tuotteet, saatat (myös )?pitää .*, ' +
    'muut (ostivat|katsoivat) .*',
  accessories: 'lisävarusteet, tarvikkeet',
  my: 'omat',
  cart: 'ostoskori',
  savedLists: 'toivelista, suosikit, viimeksi katsotut',
  results: 'hakutulokset',
  giftMoney: 'lahjakort(ti|it)',
  ticket: 'liput',
  adults: 'aikuinen, aikuiset',
  otherVisitors: 'lapsi, lapset',
  barcode: 'viivakoodi',
  brand: 'merkki, tuotemerkki',
  maker: 'valmistaja',
  noMaker: 'ei merkkiä',
  shopNumber: 'tuote(numero|koodi)',
  conditionLabel: 'kunto',
  conditionBadge: 'käytetty',
  namePrice: 'hinta',
  servicePath: 'ostoskori',
  ticketPath: 'liput',
  searchPath: 'haku',
  homeCrumb: 'etusivu',
  countNoun: 'tulos',
  wall: 'pääsy (estetty|kielletty)',
  visitor: 'ihminen',
  pageOrProduct: 'sivu, tuote',
  goneAfter: 'ei loydy',
  closedForNow: 'huoltokatko',
  isNew: 'uusi',
  isRefurbished: 'kunnostettu',
  isUsed: 'kaytetty',
  pack: 'paketi',
  pieceOf: 'kpl',
  headsPackage:
    'laatik\\p{L}*, kartonk\\p{L}*, kartong\\p{L}*, pahvilaatik\\p{L}*, lava\\p{L}*, pakkau\\p{L}*, kolli, me, ' +
    'tukkuerä\\p{L}*',
  headsPiece: 'kappale\\p{L}*, kpl, yksikkö\\p{L}*, kuluttaja\\p{L}*, yksittäi\\p{L}*',
  headsCost:
    'kustannus, kustannukset, hankintahinta, ostohinta, omakustannus, omakustannushinta, tukkuhinta, nettohinta, yksikköhinta, ' +
    'kappalehinta, sisäänostohinta',
  headsFormer: 'vanha, edellinen, aiempi',
  headsOther:
    'rahti\\p{L}*, toimitu\\p{L}*, kuljetu\\p{L}*, kustannuspaik\\p{L}*, koodi, menetelmä, tyyppi, ' +
    'päivä\\p{L}*, prosentti, kate, myynti\\p{L}*, ohjehinta, suositus\\p{L}*, yhteensä, kokonais\\p{L}*, ' +
    'valuutta, ryhmä, alennus, paino, tulli',
  headsCount: 'määrä, lukumäärä, kpl',
};
