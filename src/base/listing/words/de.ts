// German words used by shops. The keys are documented in language-words.ts.

import { NO_WORDS } from './language-words.ts';
import type { LanguageWords } from './language-words.ts';

export const GERMAN: LanguageWords = {
  ...NO_WORDS,
  subscription: 'abonn?ement',
  charge:
    'versand, lieferung, ersparnis, sparen, du sparst, monat, rate\\b, raten, punkte, grundpreis, preis pro, ' +
    'je (kg|100|l\\b|stück), schätz, pfand, gutschein, mindest, karte, versicherung, garantie\\b, gesamt, kredit, 30 tage, ' +
    'abo\\b, mietpreis, \\bmiete\\b',
  discount: 'rabatt',
  priceName: 'preis',
  ofSome:
    'mitglied, kundenkart, rabattcode, vorkasse, überweisung, barzahl, ' +
    'einmalig(?!er? (kauf|bestellung|einkauf|lieferung)), anzahlung, zuzahlung, großhandel, ' +
    '_(höchst|mindest|start)?gebote?_, ankauf, gravur, geschenkverpackung, _montage, altgerät, niedrigster (gesamt)?preis',
  usedOffer: 'gebraucht*, generalüberholt*, b-ware',
  usedFrom: 'ab',
  withCode: 'mit',
  code: 'code, vertrag',
  free: 'gratis, kostenlos, kosten?frei, versandfrei',
  freeFrom: 'ab',
  includedOrMore: 'zzgl, zuzügl, inkl, exkl, ohne',
  paidBy: 'bei, mit, per',
  payment: 'vorkasse, überweisung',
  withContract: 'mit',
  contract: 'vertrag',
  forSome: 'mit, für, bei',
  someHave: 'gutschein, kundenkarte, mitglied, abo',
  notMember: 'nicht, kein',
  member: 'mitglied*',
  thresholdOr: 'oder',
  thresholdMore: 'mehr',
  untilFree: 'bis( zu[mr]?)?, zum, zur, für',
  by: 'pro, je',
  unit: 'kg, kilo*, g, l, lit(er|re|ro|r), ml, cl, m, m2, m², m3, m³, qm, kvm, mb, bm, fm, srm, rm, m[eèé]t(er|re|ro)',
  monthUnit: 'monat',
  unitName: 'kg, kilo(gramm)?, liter, meter, quadratmeter, m2, m², qm, kvm',
  unitPrice: 'preis',
  piece: 'stk, stck, stück, st',
  priceBefore: 'preis',
  soldBy:
    'karton, packung, pack, paket, paar, rolle, set, bund, sack, beutel, flasche, dose, eimer, platte, gebinde, kasten, palette, ve',
  per: 'pro, je',
  time: 'tag, nacht, woche, monat, jahr',
  person: 'person, teilnehmer',
  paidByTime:
    'mtl_, monatlich, jährlich, wöchentlich, täglich, (im|in den|für den) ersten (\\d{1,2} )?(monat|jahr)',
  pieces: 'stück, stk, st, stuks?, flaschen, fl, reifen',
  fromPieces: 'kaufen sie, ab, bei, bei abnahme von',
  severalOr: 'oder, und',
  severalMore: 'mehr',
  together: 'für',
  severalIf: 'ab, bei',
  nthPiece: 'artikel, produkt',
  priceWords:
    '(angebots?|aktions?|sonder|verkaufs|end|laden|tages|online|shop|web|sale|aktuell)?preis, preise, angebot, aktion, ' +
    'unser, ihr, dein, jetzt, nur, noch, ab, für, aktueller, neuer, neu, reduziert(er)?, heute, sofort-?kaufen, ' +
    'rabattpreis, rabattiert(er)?',
  priceAbove: 'preis',
  paymentName: 'vorkasse, überweisung',
  former:
    'statt, uvp( des herstellers)?, (unverb(indliche|\\.)? )?preisempf(ehlung( des herstellers)?|\\.), listenpreis, ' +
    'normalpreis, neupreis, bisher(iger preis)?, vorher, früher, alter preis, ehem\\.?, normalpris',
  regular: 'normalpreis',
  between: 'von, zwischen',
  saving: 'spar, rabat',
  tax: 'mwst, ust, mehrwertsteuer',
  withoutTax: 'exkl\\.?, zzgl\\.?, zuzügl\\.?, ohne, net(to)?',
  withTax: 'inkl(usive)?\\.?, mit, brutto',
  net: 'net(to)?( price)?',
  gross: 'brutto',
  inStock:
    'gewohnlich versandfertig, auf lager, sofort lieferbar, sofort verfugbar, lieferbar, verfugbar, vorratig',
  outOfStock:
    'nicht auf lager, nicht vorratig, nicht lieferbar, nicht verfugbar, ausverkauft, vergriffen, derzeit nicht verfugbar, ' +
    'momentan nicht lieferbar, nicht mehr auf lager, nicht am lager',
  onlyToOrder:
    'vorbestellbar, vorbestellung, vorbestellen, jetzt vorbestellen, jetzt vorbestellbar, auf bestellung, ' +
    'nur auf bestellung, sonderbestellung, nachbestellt, wird nachbestellt, nur im showroom',
  gone:
    'nicht mehr verfugbar, nicht mehr lieferbar, artikel ausgelaufen, produkt ausgelaufen, nicht mehr im sortiment, ' +
    'aus dem sortiment genommen, nicht mehr im programm, nicht mehr erhaltlich, wird nicht mehr hergestellt',
  nearly: 'fast, beinahe',
  stockNegation: 'nicht, kein\\w*',
  stockOpen: 'wieder, benachrichtig\\w*, wenn',
  stockFrom: 'ab',
  buy:
    'in den (waren|einkaufs)(korb|wagen)( legen)?, in den warenkorb, zum warenkorb hinzufügen, jetzt (kaufen|bestellen), ' +
    'sofort[- ]kaufen, kaufen, bestellen, in die einkaufstasche',
  related:
    '(ähnliche|verwandte|empfohlene|passende) (artikel|produkte), passend dazu, dazu passt, ' +
    '(das )?(könnte|dürfte) (ihnen|dir|euch|sie|dich) (auch )?(gefallen|interessieren), ' +
    '(diese artikel )?könnten (ihnen|dir|sie|dich) (auch )?(gefallen|interessieren), ' +
    'kunden[ ,].*(kauften|gekauft|angesehen|sahen|interessier).*, zuletzt (angesehen|gesehen).*, ' +
    'wir empfehlen (ihnen|dir|auch).*',
  accessories: '(passendes |optionales |empfohlenes )?zubehör, ersatzteile',
  my: 'ihre?, meine?, deine?',
  shared: 'geteilter?, gespeicherter?',
  cart: 'warenkorb, einkaufswagen, einkaufskorb, kasse, bestell(ung|übersicht)( prüfen)?',
  savedLists:
    'wunsch(liste|zettel), merk(liste|zettel), favoriten, zuletzt (angesehen|angesehene (artikel|produkte)), ' +
    '(produkt|artikel)vergleich, produkte vergleichen',
  results: 'suchergebnis(se)?, such(e nach|resultate), (treffer|ergebnisse) für',
  giftMoney: '(wert|geschenk|einkaufs)?gutscheine?, geschenkkarten?',
  ticket: 'tickets?, eintritt(skarten?)?',
  adults: 'erwachsene',
  otherVisitors: 'kind(er)?, ermäßigt',
  barcode: 'strichcode',
  brand: 'marke',
  maker: 'hersteller',
  nameParticle: 'von, der, die',
  noMaker:
    '(ohne|keine|unbekannte)[- ](marke|hersteller|angabe), (kein|unbekannter) hersteller, markenlos, sonstige',
  shopNumber:
    'art(ikel)?\\.?[ -]?(nr\\.?|nummer|no\\.?|code), (bestell|produkt|product)[ -]?(nr\\.?|nummer|code)',
  makerNumber:
    'hersteller[ -]?(artikel|teile)?[ -]?(nr\\.?|nummer), (artikel|teile)nummer des herstellers',
  conditionLabel: '(artikel)?zustand',
  conditionBadge: 'neu, gebraucht(e ware)?, generalüberholt',
  weekday: '(mo|di|mi|do|fr|sa|so), (mon|diens|donners|frei|sams|sonn)tag, mittwoch, sonnabend',
  month:
    'märz, mai, juni, juli, jan(uar)?, feb(ruar)?, apr(il)?, aug(ust)?, sep(t|tember)?, okt(ober)?, nov(ember)?, ' +
    'dez(ember)?',
  until: 'bis, endet, vor',
  ofGoods: 'geöffnet, erschein, erhältlich, liefer, bestell, versand, abhol, stand_, preis',
  namePrice: 'preis',
  nameFormer: 'streich, streichpreis, statt, vor, durchgestrichen, uvp',
  nameCurrent: 'aktuell, aktion, neu',
  nameCharge: 'grundpreis, basepreis, kredit, ersparnis, versand, lieferung, pfand',
  nameNet: 'netto',
  nameGross: 'brutto',
  nameStock: 'verfuegbarkeit, lager',
  nameCart: 'warenkorb',
  nameMaker: 'marke, hersteller',
  nameButton: 'knopf',
  servicePath:
    'kontakt, impressum, agb, datenschutz, hilfe, warenkorb, merkzettel, wunschliste, versand(kosten)?, zahlung[\\w-]*, ' +
    'suche',
  textFolder: 'rezepte?, ratgeber',
  reviewPath: 'bewertungen',
  ticketPath: 'eintrittskarten',
  searchPath: 'suche',
  listPath: 'kategorie, marken?',
  formerBefore: 'uvp, statt',
  auction: 'auktion\\w*',
  cardPrice: 'preis',
  brandBefore: 'marke, hersteller',
  homeCrumb: 'start(seite)?',
  reviewWord: 'im test, testbericht, erfahrungsbericht',
  stockLabel: 'verfügbarkeit, lagerstatus',
  countNoun: 'produkte?, ergebnis, treffer',
  wall: 'zugriff verweigert, ungewöhnlich(e|er|en|es)? (aktivität|zugriff|daten)',
  visitor: 'mensch',
  queue: 'warteschlange, warteraum, wartezeit, halten sie .{0,30}gedrückt',
  pageOrProduct: 'seite, artikel, produkt, angebot',
  goneAfter:
    'nicht gefunden, nicht mehr (verfugbar|erhaltlich|lieferbar), existiert nicht, gibt es (leider )?nicht( mehr)?',
  goneBefore: 'konnten .{0,20}nicht finden',
  forNow: 'vorubergehend*, derzeit, zur ?zeit, momentan, im moment, aktuell',
  closedForNow: 'wartungs(arbeiten|modus|pause), wegen wartung',
  isNew: 'neu, neuware',
  isRefurbished: 'generaluberholt, refurbisht',
  isLikeNew: 'neuwertig, wieneu',
  isVeryGood: 'sehrgut',
  isUsed: 'gebraucht, gebrauchtware, gutezustand',
  isAcceptable: 'akzeptabel',
  isForParts: 'defekt, alsersatzteildefekt',
  titleForParts: 'defekt',
  titleRefurbished: 'generalue?berholt[a-z]*, refurbisht',
  titleOpenBox: 'b[ -]ware, vorfuhr(gerat|ware|modell), ausstellungs(stuck|gerat|ware), rucklaufer',
  titleUsed: 'gebraucht(e[rs]?)?',
  pallet: 'palette, paletten',
  crate: 'karton, kartons, kiste, kisten',
  box: 'schachtel, schachteln',
  pack: 'packung, packungen, paket, pakete, päckchen',
  packOf: 'packung, packungen, paket, pakete',
  containers: 'kartons, kisten, schachteln',
  ofPack: 'mit, von, zu',
  pieceOf: 'stück, stk, einheiten',
  dozen: 'dutzend',
  countedPieces: 'filmtabletten, tabletten, kapseln, weichkapseln, stuck, stk',
  headsPackage:
    '(um|über|master|versand|außen|inner)?-?kartons?, kartonagen?, vpe, ve, gebinde, ' +
    'verpackungs?einheit(en)?, verpackung, paletten?, (innen|außen|groß|über|um|multi)?pack(ung)?, ' +
    'kisten?, bündel, dutzend, display, tray, (lieferant(en)?|versand|verkaufs|groß)einheit',
  headsPiece:
    'einzel\\p{L}*, stück\\p{L}*, stueck\\p{L}*, stk, st, einheit, artikel, verbraucher\\p{L}*, basis\\p{L}*',
  headsCost:
    'kosten, stückkosten, ek, (netto)?-?ek, ek-?(netto|preis), ' +
    '(netto)?einkaufs?(preis|kosten)?( netto)?, einkauf, einstand(spreis)?, ' +
    '(händler|großhandels|bezugs|einkaufs|beschaffungs|selbstkosten|liefer|lieferanten)-?(netto)?(preis|kosten), ' +
    'stückpreis, einzelpreis, nettopreis, hek, nek',
  headsFormer:
    'alt(er|e|es)?, bisher(ig\\w*)?, vorher(ig\\w*)?, früher\\w*, ersetzt, vorgänger\\p{L}*',
  headsOther:
    'fracht(kosten)?, versand(kosten)?, lieferkosten, transport(kosten)?, kostenstellen?, kostenart(en)?, ' +
    'kostenträger, kostengruppe, art, datum, prozent, marge, aufschlag, uvp, vk, listenpreis, verkauf\\w*, ' +
    'empfohlen\\w*, gesamt\\p{L}*, summe, zoll, gebühr(en)?, währung, gruppe, rabatt, gewicht, pfand, ' +
    'lagerkosten, (lager|werbe|verpackungs|personal|neben|entsorgungs)kosten, bemerkung, stand, gültig\\w*, ' +
    'methode, code, nr, nummer, schlüssel',
  headsCount: 'menge, anzahl, inhalt, stück, stk, st, einheiten',
  privatePage:
    '((mein|dein|ihr|zum) )?(waren|einkaufs)(korb|wagen), (zur |sichere )?kasse, ' +
    '(mein|dein|ihr|kunden) ?konto, kundenkonto( \\w+)?, konto, (meine |deine |ihre )?(bestellungen|adressen), ' +
    'bestell(ung|bestae?tigung|ue?bersicht|verlauf|status|historie|details)( (abgeschlossen|aufgeben|bestae?tigt|prue?fen))?, ' +
    '(vielen )?dank fue?r (deine|ihre|die) bestellung, meine daten',
  orderNumber: 'bestell(ung)?[ -]?(nummer|nr), auftrags(nummer|nr)',
  postalAddress: '(liefer|rechnungs|versand)(adresse|anschrift)',
};
