// Recognizes pages that show a heading, a price and a button to buy but do not sell goods. They sell a domain name, a place at an
// event on a day and at an hour, a gift card of the shop, or something that is paid by the month. The signs are the heading and
// the text between it and the button.

import { amountLine, placedAmounts } from '../../../base/listing/money/money.ts';
import { lowerWords } from '../page-names.ts';
import { isPaidByTime, isRate as isAskedByMeasure, isTimeLabel } from './amounts/charge-words.ts';
import { withoutPriceWords } from './amounts/price-labels.ts';
import type { VisibleAmount } from './amounts/visible-amounts.ts';
import type { VisibleLine } from './lines/visible-lines.ts';
import { isBuyingPlace } from './lines/visible-buttons.ts';
import type { VisiblePage } from './visible-page.ts';
import { MARK } from './lines/visible-marks.ts';

/** A name of a host and nothing else. */
const HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,3}\p{L}{2,24}$/u;
const DOMAIN = /domain|domein|domin[ií]o|domaine|domæne|domän|domena|doména|домен|ドメイン|域名/iu;

const WEEKDAY =
  '(?:mon|tue|wed|thu|fri|sat|sun|tues|wednes|thurs|satur)(?:s?day)?|(?:mo|di|mi|do|fr|sa|so)|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|' +
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|' +
  'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|(?:maan|dins|woens|donder|vrij|zater|zon)dag|(?:mån|tis|ons|tors|fre|lör|sön)dag|(?:man|tirs|lør|søn)dag|' +
  'poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|pondělí|úterý|středa|čtvrtek|pátek|neděle|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье';
const MONTH =
  'jan(?:uary|uar|vier|eiro)?|feb(?:ruary|ruar)?|février|febrero|febbraio|mar(?:ch|s|zo|ço)?|märz|maart|apr(?:il|ile)?|avril|abril|may|mai|mayo|maggio|mei|june?|juni|juin|' +
  'junio|giugno|july?|juli|juillet|julio|luglio|aug(?:ust|ustus)?|août|agosto|sep(?:t|tember|tembre|tiembre)?|setembro|settembre|o[ck]t(?:ober|obre|ubre)?|outubro|ottobre|' +
  'nov(?:ember|embre|iembre|embro)?|de[cz](?:ember)?|décembre|diciembre|dezembro|dicembre|декабря|ноября|октября|января|февраля|марта|апреля|мая|июня|июля|августа|сентября';
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?';
/** A day by the name of its weekday or its month. */
const NAMED_DAY =
  `(?:${WEEKDAY})(?!\\p{L})\\.?,?\\s+(?:(?:the|den|der|le|el|il)\\s+)?(?:${DAY}|(?:${MONTH})(?!\\p{L}))|` +
  `${DAY}\\s+(?:de\\s+)?(?:${MONTH})(?!\\p{L})|(?:${MONTH})(?!\\p{L})\\.?\\s+${DAY}(?!\\d)`;
const HOUR =
  '(?<![\\d.,:])(?:[01]?\\d|2[0-3])(?:[:.h][0-5]\\d(?![\\d.])|\\s?(?:uhr|[ap]\\.?m\\.?)(?!\\p{L}))';
const UNTIL =
  'until|till|by|ends?|before|bis|endet|vor|jusqu\\p{L}*|avant|hasta|antes|até|fino|entro|tot|voor|till|innan|do|до';
/** A line that begins with a day, after a word or two at most, and names an hour: "Course on Sat, 12 Dec, 7pm". */
const TAKES_PLACE = new RegExp(
  `^(?!(?:${UNTIL})(?!\\p{L}))(?:\\p{L}+\\s){0,2}?(?:${NAMED_DAY}).{0,40}?${HOUR}`,
  'iu',
);
/** Words that give a day another meaning: the end of an order period, a delivery, a release, how long a price holds. */
const OF_GOODS =
  /open|geöffnet|ouvert|abiert|apert|öppet|otwar|otevřen|открыт|unlock|releas|launch|available|erschein|erhältlich|sort(?:ie|ira)|disponib|lanzamiento|lançamento|uscita|premier|выход|order|deliver|ship|dispatch|arriv|pick ?up|liefer|bestell|versand|abhol|livr|expédi|command|env[ií]|entreg|pedid|recog|consegn|sped|ordin|lever|bezorg|bestel|dostaw|wysył|zamów|doruč|objedn|достав|заказ|updated|stand(?!\p{L})|price|preis|prix/iu;

/** Longest line that says when something takes place. */
const LONGEST = 120;

/** Headings that consist of a name for a gift card or voucher, whose amount the visitor chooses, in the languages of shops. */
const GIFT_MONEY = new RegExp(
  '^(?:(?:our|unser|der|ein|e|digitale?|online|the|la|le|el|il) )?(?:' +
    [
      'gift (?:cards?|vouchers?|certificates?)|giftcards?|(?:wert|geschenk|einkaufs)?gutscheine?|geschenkkarten?',
      'cadeau(?:bon(?:nen)?|kaart(?:en)?)|(?:cartes?|bons?|chèques?) cadeaux?',
      '(?:tarjetas?|cheques?|bonos?|vales?)(?: de)? regalos?|cart[ae] regalo|buon[oi] regalo',
      '(?:vales?|cartão|cheques?)(?: de)? (?:presente|oferta|prenda)|(?:card(?:uri)?|voucher) cadou',
      'presentkort(?:et)?|gavekort(?:et)?|lahjakort(?:ti|it)|kinkekaar[dt](?:id)?|dāvanu karte|dovanų (?:kuponas|čekis)',
      '(?:karta|bon) podarunkow[ay]|(?:dárkov|darčekov)[ýáéy] (?:poukaz(?:ka|y)?|kart[ay])|ajándék(?:utalvány|kártya)',
      'подарочн\\p{L}+ (?:карт\\p{L}|сертификат\\p{L}*)|подарункова картка|подарунковий сертифікат',
      'δωροκάρτα|δωροεπιταγή|hediye (?:çeki|kartı)|(?:כרטיס|שובר) מתנה|بطاقة هدية',
      'ギフト(?:カード|券)|商品券|礼品卡|禮品卡|禮券|기프트 ?카드|상품권',
    ].join('|') +
    ')(?: \\d.*)?$',
  'iu',
);

/** How far behind the button the price of a plan or a ticket may stand, in characters shown. */
const BEHIND_BUTTON = 200;

/** Labels that consist of a word for a ticket, in the languages of shops. */
const TICKETS = new RegExp(
  `^(?:${[
    'tickets?|admission|eintritt(?:skarten?)?|entradas|ingressos|bilhetes?|ingresso|bigliett[oi]|billets?|billett(?:er|en)?|billetter|biljett(?:er)?',
    'liput|bilety?|vstupenk[ay]|vstupné|jegy(?:ek)?|belépő(?:jegy)?|bilete?|bilet(?:ler)?|piletid?|bilietai|biļetes?|билет[ыа]?|квит(?:ок|ки)|εισιτήρι[οα]',
    'כרטיסים?|تذكرة|تذاكر|チケット|入場料|티켓|입장권|门票|門票|票|vé|tiket|บัตร|ตั๋ว',
  ].join('|')})$`,
  'iu',
);

/** Labels that consist of a word for adults. With a label for other visitors, they are the prices of an entrance. */
const ADULTS =
  /^(?:adults?|adultes?|adultos?|adulti|erwachsene|volwassenen?|vuxen|voksen|aikuinen|aikuiset|dorosły|normalny|dospělý|dospelý|felnőtt|adulți|взрослый|дорослий|возрастен|ενήλικες|yetişkin|plein tarif|intero|intera|大人|成人|성인|어른|người lớn|dewasa|ผู้ใหญ่|مبالغ|بالغ|מבוגר)$/iu;
const OTHERS =
  /^(?:child|children|kids?|students?|seniors?|concessions?|youth|kind(?:er)?|ermäßigt|enfants?|étudiants?|tarif réduit|niños?|crianças?|bambin[io]|ridott[oa]|kinderen|barn|ungdom|lapsi|lapset|dziecko|ulgowy|dítě|dieťa|gyerek|diák|copii|ребенок|ребёнок|детский|дитина|дитячий|дете|παιδιά|çocuk|öğrenci|小人|子供|こども|儿童|兒童|어린이|청소년|trẻ em|anak|เด็ก|طفل|ילד)$/iu;

/** The label of an amount without the words for a price. */
const nameOf = ({ label }: VisibleAmount): string =>
  withoutPriceWords(label)
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

/** Whether amounts are called those of tickets ("Tickets from £25"), or are asked of adults and of others. */
function areOfTickets(amounts: readonly VisibleAmount[]): boolean {
  const names = amounts
    .filter(({ label, marks }) => label !== '' && (marks & MARK.aside) === 0)
    .map(nameOf);
  if (names.some((name) => TICKETS.test(name))) return true;
  return names.some((name) => ADULTS.test(name)) && names.some((name) => OTHERS.test(name));
}

/** Whether the thing that a page sells is not goods. */
export function isNoGoods({ heading, amounts, part: { lines, buttons } }: VisiblePage): boolean {
  if (GIFT_MONEY.test(lowerWords(heading).join(' '))) return true;
  const button = buttons.find(isBuyingPlace)?.at ?? 0;
  const asked = amounts.filter(({ at }) => at > 0 && at < button + BEHIND_BUTTON);
  if (areOfTickets(asked)) return true;
  const between = lines.filter(
    ({ at, marks }) => at > 0 && at < button && (marks & MARK.aside) === 0,
  );
  if (HOST.test(heading)) return between.some(({ text }) => DOMAIN.test(text));
  return between.some(
    ({ text }) =>
      text.length <= LONGEST &&
      /\d/.test(text) &&
      TAKES_PLACE.test(text.trim()) &&
      !OF_GOODS.test(text),
  );
}

/**
 * Whether the first amount of a line is paid again and again, and whether it is called nothing else: "$3.59/mo", or "14,99 €" above
 * "monatlich"; null for a line without an amount.
 */
function paidByTime(
  { text, marks }: VisibleLine,
  below: VisibleLine | undefined,
): { readonly isByTime: boolean; readonly isBare: boolean } | null {
  if (text.length > LONGEST || !/\d/.test(text) || (marks & MARK.aside) !== 0) return null;
  const line = amountLine(text);
  const [first] = placedAmounts(line, { isCharge: true });
  if (first?.isMarked !== true) return null;
  const behind = line.slice(first.end);
  const before = line.slice(0, first.start);
  const isCalled = isTimeLabel(before);
  return {
    isByTime: isCalled || isPaidByTime(behind.trim() === '' ? (below?.text ?? '') : behind),
    isBare: isCalled || !/\p{L}/u.test(before),
  };
}

type Paid = { readonly at: number; readonly isByTime: boolean; readonly isBare: boolean };

/** The amounts between the heading and some way behind the button. */
function paidIn({ part: { lines, buttons } }: VisiblePage): readonly Paid[] {
  const button = buttons.find(isBuyingPlace)?.at;
  if (button === undefined) return [];
  return lines.flatMap((line, index) => {
    if (line.at <= 0 || line.at >= button + BEHIND_BUTTON) return [];
    const paid = paidByTime(line, lines[index + 1]);
    return paid === null ? [] : [{ at: line.at, ...paid }];
  });
}

const isRate = ({ isByTime, isBare }: Paid): boolean => isByTime && isBare;

/** Whether every amount that a page asks is paid repeatedly: for a plan, a subscription or a rent. */
export function isOnlyByTime(page: VisiblePage): boolean {
  const asked = paidIn(page);
  return asked.every(({ isByTime }) => isByTime) && asked.some(isRate);
}

/** Whether what is paid by time stands before `at`: an amount by another name than a price behind it is a deposit or a fee. */
export function isBehindRate(page: VisiblePage, at: number): boolean {
  return paidIn(page).some((paid) => paid.at < at && isRate(paid));
}

/**
 * Whether a higher amount by weight, volume, length or area stands between the heading and an amount: one by another name than a
 * price is a sample or a service then.
 */
export function isBelowMeasure({ part: { lines } }: VisiblePage, amount: VisibleAmount): boolean {
  return lines.some(({ text, at, marks }) => {
    if (at <= 0 || at >= amount.at || text.length > LONGEST || (marks & MARK.aside) !== 0)
      return false;
    const line = amountLine(text);
    return placedAmounts(line, { isCharge: true }).some(
      ({ cents, end, isMarked }) =>
        isMarked && cents > amount.money.cents && isAskedByMeasure(line.slice(end), false),
    );
  });
}
