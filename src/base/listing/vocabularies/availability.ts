// Reads what shops, feeds and schema.org say about stock as two facts: whether the product can be bought online now, and whether
// the listing is gone for good (D24). Unknown words give null: stock is never guessed.

import { cleanText } from '../text/text.ts';
import { notUnderstood, understood } from './unknown-words.ts';
import type { Understood } from './unknown-words.ts';

export type Availability = {
  /**
   * True: can be bought online now. False also for what is only orderable (PreOrder, BackOrder).
   */
  readonly inStock: boolean | null;
  /** True: gone, ended or discontinued. False: buyable or only out of stock. */
  readonly unavailable: boolean | null;
};

const IN: Availability = { inStock: true, unavailable: false };
const OUT: Availability = { inStock: false, unavailable: false };
const GONE: Availability = { inStock: false, unavailable: true };
/** Not sold now; the word leaves open whether it ever will be again. */
const UNSURE: Availability = { inStock: false, unavailable: null };

/** Values of fields: schema.org, OpenGraph, merchant feeds, retailers; letters only, lower case. */
const VALUES: readonly (readonly [Availability, string])[] = [
  [
    IN,
    'instock limitedavailability onlineonly madetoorder available availablefororder ' +
      'instockscarce ' +
      'limitedstock limitedsupply lastfewitems leadtime addtocart lowstock lastone lastitem true ' +
      'instocknow availablenow availableonline instockonline',
  ],
  [
    OUT,
    'outofstock soldout preorder presale backorder backordered instoreonly reserved oos ' +
      'comingsoon ' +
      'availabledate preordersellable backordersellable preorderunsellable backorderunsellable ' +
      'specialorder checkstores temporarilyunavailable temporarilyoutofstock ' +
      'currentlyunavailable ' +
      'notinstock nostock availableforpreorder preorderonly backorderonly outofstockonline ' +
      'currentlyoutofstock notifyme availableonbackorder onbackorder false',
  ],
  [GONE, 'discontinued retired ended completed nolongeravailable listingended productdiscontinued'],
  [UNSURE, 'unavailable notavailable notavailableonline notforsale itemnotavailable'],
];

/**
 * Phrases that shops show, without diacritics, `#` for a number. Longer ones are looked for first.
 */
const PHRASES: readonly (readonly [Availability, string])[] = [
  [
    IN,
    'in stock|only # left|# left in stock|# in stock|# available|more than # available|last one|' +
      'few left|usually ships|usually dispatched|available to ship|ready to ship|ships today|' +
      'in stock and ready to ship|' +
      'gewohnlich versandfertig|habituellement expedie|generalmente spedito|disponibilita solo #|' +
      'solo # rimanente|solo # rimanenti|normalmente se envia|' +
      'auf lager|sofort lieferbar|sofort verfugbar|lieferbar|verfugbar|vorratig|' +
      'en stock|disponible|en existencia|en existencias|disponibles|hay existencias|' +
      'disponibile|disponibili|disponibilita immediata|disponivel|em estoque|em stock|op voorraad|uit voorraad leverbaar|' +
      'direct leverbaar|w magazynie|dostepny|dostepna|dostepne|na stanie|produkt dostepny|' +
      'skladem|skladom|na sklade|ihned k odeslani|dostupne|dostupny|raktaron|keszleten|' +
      'pa lager|i lager|finns i lager|varastossa|saatavilla|in stoc|disponibil|' +
      'stokta var|stokta|stoklarda|в наличии|есть в наличии|в наявності|є в наявності|на складе|' +
      'налично|в наличност|na zalihi|na zalogi|laos|yra sandelyje|ir noliktava|' +
      'σε αποθεμα|διαθεσιμο|αμεσα διαθεσιμο|متوفر|متوفر في المخزون|متاح|متوفرة|במלאי|' +
      '在庫あり|残り#点|日以内に発送|有货|现货|有貨|재고 있음|con hang|tersedia|มสนคา',
  ],
  [
    OUT,
    'out of stock|sold out|not in stock|no stock|none left|back order|pre order|on backorder|' +
      'temporarily out of stock|currently out of stock|currently unavailable|' +
      'temporarily unavailable|not available at the moment|not available right now|' +
      'not available at this time|not currently available|unavailable at the moment|' +
      'will be released on|coming soon|in store only|' +
      'nicht auf lager|nicht vorratig|nicht lieferbar|nicht verfugbar|ausverkauft|vergriffen|' +
      'derzeit nicht verfugbar|momentan nicht lieferbar|vorbestellbar|nicht mehr auf lager|' +
      'en rupture de stock|rupture de stock|en rupture|epuise|pas en stock|non disponible|' +
      'indisponible|n est pas disponible|victime de son succes|' +
      'agotado|agotada|sin stock|sin existencias|no disponible|fuera de stock|' +
      'esaurito|non disponibile|esaurita|non in stock|' +
      'esgotado|esgotada|indisponivel|nao disponivel|sem estoque|sem stock|fora de estoque|' +
      'uitverkocht|niet op voorraad|niet leverbaar|niet verkrijgbaar|tijdelijk uitverkocht|niet beschikbaar|' +
      'brak w magazynie|niedostepny|niedostepna|niedostepne|wyprzedany|wyprzedane|' +
      'chwilowo niedostepny|' +
      'vyprodano|vypredane|neni skladem|nie je na sklade|nedostupne|nedostupny|docasne vyprodano|' +
      'nincs raktaron|nincs keszleten|elfogyott|' +
      'slut i lager|slutsald|ej i lager|ikke pa lager|udsolgt|utsolgt|loppuunmyyty|loppu|' +
      'ei varastossa|stoc epuizat|indisponibil|nu este in stoc|epuizat|' +
      'tukendi|stokta yok|mevcut degil|stoklarda yok|нет в наличии|распродано|немає в наявності|изчерпано|' +
      'под заказ|предзаказ|під замовлення|nema na zalihi|rasprodano|εξαντληθηκε|εξαντλημενο|μη διαθεσιμο|' +
      'غير متوفر|نفدت الكمية|نفذت الكمية|نفد من المخزون|غير متاح|نفذ|אזל מהמלאי|אזל|' +
      'ni na zalogi|razprodano|nije na zalihi|nije dostupno|nedostupno|nie je skladom|няма наличност|изчерпан|' +
      'закончился|закончилась|закончилось|нет на складе|немає на складі|закінчився|закінчилась|' +
      'nav noliktava|izpardots|nera sandelyje|isparduota|labi muudud|ei ole laos|laost otsas|uppselt|ekki til a lager|' +
      'tillfalligt slut|inte tillganglig|ikke tilgjengelig|nicht am lager|לא במלאי|אין במלאי|' +
      '取り扱いできません|再入荷予定は立って|在庫なし|在庫切れ|在庫ありません|在庫はありません|在庫がありません|品切れ|売り切れ|完売|缺货|售罄|已售完|無貨|无货|没有现货|暂无现货|无现货|품절|재고 없음|' +
      'het hang|khong con hang|habis|tidak tersedia|belum tersedia|สินค้าหมด',
  ],
  [
    GONE,
    'discontinued|no longer available|this listing ended|this listing was ended|listing ended|' +
      'nicht mehr verfugbar|nicht mehr lieferbar|n est plus disponible|descatalogado|' +
      'fuori produzione|descontinuado|niet meer leverbaar|wycofany|снят с производства|' +
      'снято с производства|ukonceny prodej|utgatt|' +
      'no longer sold|no longer for sale|no longer stocked|no longer stock this|no longer made|' +
      'no longer produced|no longer in production|out of production|withdrawn from sale|' +
      'product withdrawn|item withdrawn|retired from our range|' +
      'artikel ausgelaufen|produkt ausgelaufen|nicht mehr im sortiment|aus dem sortiment genommen|' +
      'nicht mehr im programm|nicht mehr erhaltlich|wird nicht mehr hergestellt|' +
      'n est plus vendu|n est plus vendue|n est plus commercialise|n est plus commercialisee|' +
      'n est plus fabrique|n est plus en vente|supprime du catalogue|' +
      'ya no disponible|ya no esta disponible|ya no se vende|ya no se fabrica|fuera de catalogo|' +
      'fuori catalogo|non piu disponibile|non piu in vendita|non piu in produzione|' +
      'fora de linha|ja nao disponivel|nao e mais vendido|' +
      'niet meer verkrijgbaar|niet langer leverbaar|niet langer verkrijgbaar|uit het assortiment|' +
      'uit assortiment|uit productie|wycofano|wycofana|wycofane|' +
      'udgaet|ei enaa saatavilla|poistunut valikoimasta|poistunut tuote|' +
      'prodej ukoncen|ukoncen prodej|ukonceny predaj|predaj ukonceny|' +
      'kifutott|mar nem kaphato|nem forgalmazzuk|nu mai este disponibil|scos din oferta|' +
      'satistan kaldirildi|satista degil|uretimi durduruldu|' +
      'снят с продажи|снята с продажи|снято с продажи|снята с производства|больше не продается|' +
      'больше не выпускается|знято з виробництва|знятий з виробництва|знято з продажу|' +
      'больше не производится|ngung kinh doanh|ngung san xuat|tidak dijual lagi|' +
      '販売終了|販売を終了|生産終了|生産完了|取扱終了|取扱いを終了|取り扱い終了|廃番|' +
      '下架|停产|停產|停售|판매 종료|판매종료|판매 중지|판매중지|단종',
  ],
];

/** Values of the lists that leave stock open: they are known, so they do not count as unknown words. */
const OPEN_VALUES: ReadonlySet<string> = new Set(
  'unknown pending itemavailability availability null none na n/a undefined'.split(' '),
);

/** Words around a phrase that turn it into a question, a promise or an offer to write. */
const OPEN = new RegExp(
  [
    '\\b(?:when|notify|back|check|if|(?<!order )soon|may|expected|again|until|find|unless|wieder',
    'benachrichtig\\w*|wenn|avisez|avisame|cuando|quand|bientot|powiadom\\w*|hlidat|local store',
    'in stores?)\\b',
    '\\b(?:ab|from|dal|vanaf|od|fra|tot) #',
    '\\?',
  ].join('|'),
  'u',
);

/** Words that turn a phrase of stock into its opposite. */
const NEGATION = new RegExp(
  [
    '\\b(?:not|no|never|without|nicht|kein\\w*|pas|non|nao|niet|geen|nie|neni|ikke|ei|inte|ej|nu',
    'nem|nincs|sin|sem|ni|nije|nema|nav|nera|ekki|tidak|belum|khong|degil|yok)\\b',
    '(?:^|\\s)(?:не|нет|немає|няма|нема|није|δεν|غير|ليس|לא|אין)(?:\\s|$)',
    'ません|没有|暂无|없',
  ].join('|'),
  'u',
);

/** Words right before "sold out" that leave some: "almost sold out" is in stock, or says nothing. */
const NEARLY = new RegExp(
  ' (?:almost|nearly|fast|beinahe|bijna|casi|presque|quase|quasi|prawie|skoro|temer|takmer|snart|nastan|naesten|nesten|' +
    'melkein|lahes|aproape|gotovo|skoraj|почти|майже|σχεδον)$',
  'u',
);

const MAX_PHRASE = 120;

const BEYOND_ASCII = /[^\0-\x7f]/;

function fold(text: string): string {
  // Of plain ASCII only the letter case is folded.
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      // Hangul is composed again, because the phrases are written in its syllables.
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('ł', 'l')
      .replaceAll(/[øœæ]/g, (letter) => (letter === 'ø' ? 'o' : letter === 'œ' ? 'oe' : 'ae'))
      .replaceAll('ı', 'i')
  );
}

/** Words and numbers only: `Skladem (> 5 ks)` is `skladem # ks`. */
function phraseOf(text: string): string {
  const folded = fold(text);
  const counted = folded.replaceAll(/\d+/g, '#').replaceAll('?', ' ? ');
  // The pattern for letters of all scripts takes three times as long.
  const letters = BEYOND_ASCII.test(counted) ? /[^\p{L}#?]+/gu : /[^a-z#?]+/g;
  return counted.replaceAll(letters, ' ').trim();
}

const VALUE_TABLE: ReadonlyMap<string, Availability> = new Map(
  VALUES.flatMap(([meaning, words]) =>
    words.split(' ').map((word): [string, Availability] => [word, meaning]),
  ),
);

/** Letters of scripts without blanks between words (Chinese, Japanese), where no word borders can be checked. */
const UNSPACED = /[\u3040-\u9fff\uac00-\ud7af]/;

/** A phrase as it stands in a line with blanks around it, what it means, and its rank: longer ones are looked for first. */
type Phrase = {
  readonly text: string;
  readonly meaning: Availability;
  readonly rank: number;
};

const PHRASE_LIST: readonly (Phrase & { readonly first: string | null })[] = PHRASES.flatMap(
  ([meaning, phrases]) =>
    phrases.split('|').map((phrase) => ({ phrase: phraseOf(phrase), meaning })),
)
  .sort((a, b) => b.phrase.length - a.phrase.length)
  .map(({ phrase, meaning }, rank) =>
    UNSPACED.test(phrase)
      ? { text: phrase, meaning, rank, first: null }
      : { text: ` ${phrase} `, meaning, rank, first: phrase.split(' ', 1)[0] ?? '' },
  );

/** Phrases by their first word: few words of a line begin one. */
const PHRASES_OF_WORD: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  PHRASE_LIST.filter(({ first }) => first !== null),
  ({ first }) => first ?? '',
);
/** Those of scripts without blanks by their first letter. */
const PHRASES_OF_LETTER: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  PHRASE_LIST.filter(({ first }) => first === null),
  ({ text }) => text.charAt(0),
);

/** The longest phrase of a line that has blanks around it. */
function longestPhrase(spaced: string): Phrase | null {
  let best: Phrase | null = null;
  const consider = (phrase: Phrase): void => {
    if (best !== null && best.rank < phrase.rank) return;
    if (spaced.includes(phrase.text)) best = phrase;
  };
  for (const word of spaced.split(' ')) PHRASES_OF_WORD.get(word)?.forEach(consider);
  if (UNSPACED.test(spaced)) {
    for (const letter of spaced) PHRASES_OF_LETTER.get(letter)?.forEach(consider);
  }
  return best;
}

/**
 * The value of a field: `https://schema.org/InStock/`, `schema:InStock`, `in-stock`, `IN_STOCK`.
 */
function nameOf(text: string): string {
  const path = text.replace(/\/+$/, '');
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('#')) + 1);
  const bare = name.replace(/^(?:schema(?:\.org)?:)/i, '').replaceAll(/[\s_.,!-]+/g, '');
  return bare.toLowerCase();
}

/** Whether a phrase of stock has the number zero beside it: "Auf Lager: 0", "0 op voorraad", "0 шт. в наличии". */
function isNone(text: string, phrase: string): boolean {
  if (!/(?<![\d.,])0(?![\d.,])/.test(text)) return false;
  const kept = ` ${fold(text)
    .replaceAll(/[^\p{L}\d.,]+/gu, ' ')
    .trim()} `;
  const at = kept.indexOf(phrase);
  if (at < 0) return false;
  const behind = kept.slice(at + phrase.length);
  return (
    /\s0(?:\s\p{L}{1,10}\.?)?\s$/u.test(kept.slice(0, at)) ||
    /^\s0(?:\s\p{L}{1,4}\.?)?\s$/u.test(behind)
  );
}

function phraseMeaning(text: string): Availability | null {
  const spaced = ` ${phraseOf(text)} `;
  const phrase = longestPhrase(spaced);
  if (phrase === null) return null;
  const { meaning } = phrase;
  const isNearly = meaning === OUT && NEARLY.test(spaced.slice(0, spaced.indexOf(phrase.text)));
  if (isNearly) return null;
  if (meaning === IN && isNone(text, phrase.text.trim())) return OUT;
  const rest = spaced.replace(` ${phrase.text.trim()} `, ' ');
  if (meaning === IN && (NEGATION.test(rest) || OPEN.test(rest))) return null;
  // "Sold out? Notify me" is still sold out; a phrase of stock beside it contradicts nothing.
  return meaning;
}

/**
 * What an availability field or phrase says, in any spelling of schema.org, OpenGraph and merchant
 * feeds, and in the common words of shops in some twenty languages. Anything else is unknown, never a guess.
 */
export function readAvailability(text: string): Understood<Availability> {
  const line = cleanText(text, MAX_PHRASE + 1);
  if (line === '') return understood<Availability>(null);
  const meaning = line.length > MAX_PHRASE ? null : meaningOf(line);
  const isKnown = meaning !== null || OPEN_VALUES.has(nameOf(line));
  return isKnown ? understood(meaning) : notUnderstood('availability', line);
}

/**
 * What a line of a page says about stock. Such a line is more often prose than a word of a list, so unknown words are not
 * reported.
 */
export function availabilityIn(text: string): Availability | null {
  const line = cleanText(text, MAX_PHRASE + 1);
  return line === '' || line.length > MAX_PHRASE ? null : meaningOf(line);
}

function meaningOf(line: string): Availability | null {
  // "0 in stock", "noch 0 verfügbar": the number decides, not the words.
  if (/(?:^|\s)0 (?:left|in stock|available|items?|st(?:ü|u)ck|ks|szt)|残り\s?0点/i.test(line))
    return OUT;
  return VALUE_TABLE.get(nameOf(line)) ?? phraseMeaning(line);
}
