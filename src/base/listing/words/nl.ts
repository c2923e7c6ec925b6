// Dutch words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const DUTCH: LanguageWords = {
  ...NO_WORDS,
  subscription: 'abonn?ement, abonneer',
  charge: 'verzend, bezorg, bespaar, maand, statiegeld, garantie\\b, circa',
  discount: 'korting',
  priceName: 'prijs',
  ofSome: '_leden, lidprijs, eenmalig(?!e (aankoop|bestelling|levering)), _montage, laagste prijs',
  usedOffer: 'tweedehands',
  usedFrom: 'vanaf',
  days: 'dagen',
  withCode: 'met',
  free: 'gratis',
  freeFrom: 'vanaf, over',
  forSome: 'met, voor',
  someHave: 'leden',
  notMember: 'niet',
  member: 'leden, lid',
  thresholdOr: 'of, en',
  thresholdMore: 'meer',
  untilFree: 'tot, voor',
  by: 'per',
  monthUnit: 'maand',
  unitName: 'kg, kilo(gramm)?, liter, meter, vierkante meter, m2, m²',
  unitPrice: 'prijs',
  piece: 'stuk',
  priceBefore: 'prijs',
  per: 'per, je',
  time: 'dag, week, maand, jaar',
  person: 'persoon',
  pieces: 'stuks?',
  fromPieces: 'vanaf, bij',
  severalOr: 'of',
  severalMore: 'meer',
  together: 'voor',
  severalIf: 'vanaf, bij',
  nthPiece: 'artikel, stuk',
  priceWords:
    '(actie|aanbiedings|verkoop|web|sale|nu)?prijs, aanbieding, actie, nu, voor, slechts, maar, onze, jouw, vanaf, ' +
    'met korting',
  priceAbove: 'prijs',
  former: 'adviesprijs, (?<!\\p{L} )van, normaal, (oude|oorspronkelijke|normale) prijs, voorheen',
  regular: 'normaal, normale prijs',
  between: 'van',
  saving: 'korting, bespaar',
  tax: 'btw',
  withoutTax: 'zonder, excl(usief)?\\.?',
  withTax: 'incl(usief|us)?\\.?, met',
  inStock: 'op voorraad, uit voorraad leverbaar, direct leverbaar',
  outOfStock:
    'uitverkocht, niet op voorraad, niet leverbaar, niet verkrijgbaar, tijdelijk uitverkocht, niet beschikbaar, geen voorraad, niet meer beschikbaar',
  onlyToOrder:
    'voorbestellen, nu voorbestellen, voorbestelling, in backorder, in nabestelling, nabestelling, op bestelling, ' +
    'alleen op bestelling, alleen in de showroom',
  gone:
    'niet meer leverbaar, niet meer verkrijgbaar, niet langer leverbaar, niet langer verkrijgbaar, uit het assortiment, ' +
    'uit assortiment, uit productie',
  nearly: 'bijna',
  stockNegation: 'niet, geen',
  stockFrom: 'vanaf, tot',
  buy:
    'in (de |het |mijn )?winkel(wagen|mand(je)?|tas), toevoegen aan (de |mijn )?winkel(wagen|mand)(je)?, ' +
    'aan (de |mijn )?winkel(wagen|mand)(je)? toevoegen, direct bestellen, voeg toe( aan winkelwagen)?, bestel(len)?( nu)?, ' +
    'nu kopen, koop nu',
  related:
    '(gerelateerde|vergelijkbare|aanbevolen|bijpassende|soortgelijke) (producten|artikelen), ' +
    '(dit|deze|misschien) (vind|vindt|vinden) (je|u) .*, (andere )?klanten (kochten|bekeken|kozen) .*, ' +
    'anderen (kochten|bekeken) .*, recent bekeken.*',
  accessories: '(bijpassende )?accessoires, toebehoren',
  my: 'je, mijn, uw',
  shared: 'gedeelde?, opgeslagen',
  cart: 'winkel(wagen|mand(je)?)',
  savedLists:
    'verlanglijst(je)?, wensenlijst, favorieten, (laatst|recent) bekeken( producten)?, producten vergelijken, ' +
    'vergelijk producten',
  results: 'zoekresultaten, resultaten voor, (gevonden )?producten voor',
  giftMoney: 'cadeau(bon(nen)?|kaart(en)?)',
  adults: 'volwassenen?',
  otherVisitors: 'kinderen',
  brand: 'merk',
  maker: 'fabrikant',
  nameParticle: 'van, de',
  noMaker: 'geen merk, merkloos, onbekend',
  shopNumber:
    'art(ikel)?\\.?[ -]?(nr\\.?|nummer|no\\.?|code), (bestell|produkt|product)[ -]?(nr\\.?|nummer|code)',
  makerNumber:
    '(fabrikant|fabrikants?)(code|nummer), (artikel|onderdeel)nummer (van de )?fabrikant',
  conditionLabel: 'staat, conditie, toestand',
  conditionBadge: 'nieuw, tweedehands',
  domain: 'domein',
  weekday: '(maan|dins|woens|donder|vrij|zater|zon)dag',
  month:
    'maart, mei, juni, juli, apr(il)?, augustus, sep(t|tember)?, okt(ober)?, nov(ember)?, dec(ember)?',
  until: 'tot, voor',
  ofGoods: 'lever, bezorg, bestel',
  namePrice: 'prijs',
  nameFormer: 'oud, oude, doorgestreept',
  nameCurrent: 'nu',
  nameCharge: 'verzend, verzending',
  nameCart: 'winkelwagen, winkelmand',
  nameMaker: 'merk',
  nameButton: 'knop',
  servicePath: 'winkelwagen, winkelmandje, verzending',
  searchPath: 'zoeken',
  listPath: 'categorie',
  formerBefore: 'adviesprijs',
  auction: 'veiling\\w*',
  cardPrice: 'prijs',
  brandBefore: 'merk',
  reviewWord: 'recensie',
  stockLabel: 'beschikbaarheid',
  countNoun: 'producten, resultaten, artikelen',
  wall: 'toegang (geweigerd|ontzegd), (ongebruikelijk|verdacht)e? (verkeer|activiteit)',
  visitor: 'mens',
  queue: 'wachtrij, wachtruimte, wachttijd, houd .{0,30}ingedrukt',
  pageOrProduct: 'pagina',
  goneAfter: 'niet (meer )?(gevonden|beschikbaar|leverbaar), bestaat niet',
  forNow: 'tijdelijk, momenteel',
  closedForNow: 'onderhoudswerkzaamheden, in onderhoud',
  isNew: 'nieuw',
  isRefurbished: 'gereviseerd',
  isUsed: 'tweedehands, gebruikt',
  titleRefurbished: 'gereviseerd',
  titleUsed: 'tweedehands, gebruikt',
  box: 'doos',
  pack: 'pak, pakken',
  packOf: 'pakken',
  ofPack: 'van, met',
  pieceOf: 'stuks',
  headsPackage:
    'doo?s, dozen, om-?doos, omdozen, kartons?, colli, kolli, pallets?, verpakking(seenheid)?, verpakkingen, ' +
    'krat(ten)?, bundels?, dozijn, tray, overdoos, binnendoos, buitendoos',
  headsPiece: 'stuks?, st, eenheid, consumenten?\\p{L}*, enkel\\p{L}*, los',
  headsCost:
    'kost(en|prijs)?, kostprijs, inkoop(prijs|kosten)?( netto)?, netto-?prijs, groothandelsprijs, ' +
    'stuksprijs, stukprijs, eenheidsprijs, dealerprijs, inkoopwaarde',
  headsFormer: 'oude?, vorige?, vroeger\\w*, oud',
  headsOther:
    'vracht(kosten)?, verzend(kosten)?, verzending, transport(kosten)?, kostenplaats, kostensoort, ' +
    'kostendrager, datum, procent, percentage, marge, advies\\p{L}*, verkoop\\p{L}*, totaal\\p{L}*, totale, ' +
    'valuta, groep, korting, gewicht, code, methode, invoerrechten, opslag(kosten)?, soort',
  headsCount: 'aantal, inhoud, stuks, eenheden',
  privatePage:
    '((mijn|je|uw) )?(winkel(wagen|mandje)|winkelmand), (mijn |je )?(account|bestellingen|adressen), ' +
    'afrekenen, bestelling( (afronden|geplaatst|bevestigd))?, bestelgeschiedenis, ' +
    'bedankt voor (je|uw) bestelling',
  orderNumber: '(bestel|order)nummer',
  postalAddress: '(bezorg|aflever|factuur|verzend)adres',
};
