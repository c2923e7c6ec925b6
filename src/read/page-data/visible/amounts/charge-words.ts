// The words beside an amount that make it something else than what everybody pays for one of the product: a charge, a saving, a
// rate, the price for members, for who has a code or takes several. visible-amounts.ts weighs what is left.

/** Words for the price of subscribers. */
const SUBSCRIBED =
  'abonn?ement|abonnemang|abonneer|abonament|абонамент|suscripci|assinatura|abbonament|prenumer|subskryp|předplat|predplat|pretplat|naročnin|подписк|підписк|' +
  'előfizet|kestotila|συνδρομ|abonelik|اشتراك|מנוי|langganan|定期|정기|订阅|訂閱';

/** Words that make an amount something else than the price: a charge, a threshold, a saving, a rate, an estimate. */
const CHARGE_LABEL = new RegExp(
  [
    // Delivery.
    'shipping|deliver|postage|freight|versand|lieferung|livraison|expédition|env[ií]o|entrega|frete|portes',
    'spedizione|consegna|verzend|bezorg|frakt|fragt|toimitus|dostaw|wysyłk|doprav|doruč|szállít|livrare|transport',
    'доставк|kargo|teslimat|משלוח|شحن|توصيل|送料|运费|배송',
    // What is saved.
    'save|saving|you pay|ersparnis|sparen|du sparst|(?<!\\p{L})spar(?:er)?(?!\\p{L})|économi|ahorr|economiz|risparmi|bespaar|spara|säästä|oszcz',
    'ušetř|ušetr|megtakar|kazanç|tasarruf',
    // Parts of a payment, and who lends.
    'per month|monthly|monat|mensu|mensil|(?<!\\p{L})mes(?:es)?\\b|maand|måned|månad|miesi|měsí|mesia|rate\\b|raten',
    'cuotas?|parcel|rata|raty|splát|başlayan taksit|installment|instalment|payments?\\b|financ|klarna|affirm|afterpay',
    // Points, and the price by weight, volume or piece.
    'points|punkte|puntos|pontos|punti|grundpreis|prix au|precio por|unit price|price per|preis pro|prix\\/',
    'per (?:kg|100|l\\b|litre|unit|piece|st)|je (?:kg|100|l\\b|stück)',
    // Estimates, deposits and vouchers.
    'estimate|schätz|deposit|pfand|statiegeld|consigne|gift ?card|coupon|voucher|gutschein',
    '(?:\\+|plus|inkl\\.?|exkl?\\.?|ekskl\\.?|vč\\.?|w tym)\\s*(?:pant|pantti|panti|kaucj\\p{L}+|záloh\\p{L}+)(?!\\p{L})',
    // Thresholds, and bids.
    '\\bover\\b|\\babove\\b|minimum|mindest|starting (?:price|bid)|reserve|current offers',
    // Members, trade-ins, insurances and sums.
    'member|club|karte|with card|trade-?in|insurance|versicherung|warranty|garantie\\b|garant[ií]a|subtotal',
    'total\\b|gesamt|\\bships?\\b',
    // Rough amounts, other sellers, loans, and the lowest price of thirty days.
    'approx|circa|from other sellers|shop pay|insured|budget|credit|kredit|lowest price in|30[- ]day|30 dn|30 tage',
    'omnibus',
    // Premiums, subscriptions, rents, duties and what is paid back.
    'buyers? premium|subscribe|subscription|abo\\b|\\brent(?:al)?\\b|\\bhire\\b|mietpreis|\\bmiete\\b|alquil|nolegg',
    SUBSCRIBED,
    'wynajem|éco[- ]?part|éco[- ]?taxe|up ?front|rebate|cash ?back',
    // Japanese, Korean, Chinese.
    '会員|ポイント|月々|分割|クーポン|회원|카드|쿠폰|적립|포인트|월\\s*$|会员|會員|分期|[折優优]?[價惠]?券[后後]|折[價扣]券|優惠[券碼]|优惠[券码]|折扣[碼码]',
  ].join('|'),
  'iu',
);

/** What is taken off; beside a word for a price it is what is left: "Discounted price", "Цена со скидкой". */
const DISCOUNT_LABEL =
  /discount|rabatt|rabat|remis|descuento|desconto|sconto|korting|zniżk|sleva|zľava|kedvezmény|indirim|скидк/iu;
const PRICE_WORD =
  /pri[cs]|prix|preis|preci|preço|prezz|prijs|cen[aęyu]|цен[аы]|ціна|hinta|fiyat|(?<!\p{L})ár(?!\p{L})|preț/iu;

/**
 * Words for amounts that only some buyers pay, that are for something other than the product, or that are saved or paid in parts.
 */
const OF_SOME = new RegExp(
  [
    // Members, and who has a card or an app.
    'insider|prime (?:price|deal|member)|(?<!\\p{L})vip(?!\\p{L})|rewards?|loyalty|students?|military|clubcard|nectar',
    'mitglied|kundenkart|adhérent|abonné|(?<!\\p{L})s[oó]ci(?:os?|as?)?(?!\\p{L})|(?<!\\p{L})leden|lidprijs|medlem|klub',
    'członk|(?<!\\p{L})člen|jäsen|thành viên|tarjeta|cartão|kart[ąo]u?(?!\\p{L})|карт(?:ой|ою|е|кой|кою)(?!\\p{L})|клубн',
    'törzsvásárl|hűség|etukort|kanta-?asiakas|(?<!\\p{L})kortil(?:la|le)|kliendika|püsiklien|lojal|(?<!\\p{L})su (?:\\p{L}+ )?kortel|člano|članic|karticom|(?<!\\p{L})membri(?!\\p{L})',
    'για μέλη|με (?:την )?κάρτα|üyelere|kart(?: ile|la)(?!\\p{L})|מועדון|לחברי|للأعضاء|ببطاقة|hội viên|(?:với|qua|bằng|chủ) thẻ|สมาชิก|anggota|멤버십|와우|(?<!\\p{L})plus ?(?:价|價)',
    '(?<!\\p{L})app(?:[- ]?(?:price|preis|prijs|pris)|s|li|lication|licazione|licativo|likation)?(?!\\p{L})|приложени',
    // Who takes it home free of tax.
    'באילת',
    // Who subscribes.
    'auto[- ]?(?:ship|deliver|replenish)|repeat deliver',
    // Who has a code.
    '(?:with|use|using|mit|avec|con|com|met|med|ze?|se?|cu|με|с)\\s+(?:\\p{L}+\\s+){0,2}?(?:code|código|codice|cod|kod|kód|κωδικ|vertrag|contract|contrato|contratto|forfait|abonnement)',
    'promo[- ]?code|code promo|rabattcode|cupom|cup[oó]n|kup[oó]n|κουπόνι|промокод|(?<!\\p{L})(?:с|со|по|за|з|із) (?:\\p{L}+ )?код(?:ом|у)?(?!\\p{L})|kóddal|koodi(?:lla|ga)|kodu(?:yla| ile)',
    '(?<!\\p{L})su (?:\\p{L}+ )?kodu|(?<!\\p{L})ar (?:\\p{L}+ )?kodu|(?<!\\p{L})s kodo|(?:pakai|dengan|guna) kode?|ba[uv]car|קופון|(?:עם|ב)[- ]?קוד|קוד הנחה|بكود|كود (?:ال)?خصم|كوبون|قسيمة|کد تخفیف|mã (?:giảm|ưu đãi|khuyến)|โค้ด|คูปอง',
    // Who pays in one way, or only a part today.
    'vorkasse|überweisung|(?<!\\p{L})pix(?!\\p{L})|boleto|havale|(?<!\\p{L})wire(?!\\p{L})|e-?check|bank transfer|transfer[êe]ncia|bonifico|virement',
    'cash price|barzahl|онлайн[- ]оплат|przelew|pay today|due today|einmalig(?!er? (?:kauf|bestellung|einkauf|lieferung))|eenmalig(?!e (?:aankoop|bestelling|levering))|anzahlung|zuzahlung|acompte|pago inicial',
    // What is saved, a part of a payment, or delivery.
    'эконом|выгод|рассрочк|платеж|(?<!\\p{L})(?:долями|частями)(?!\\p{L})|κερδίζετε|εξοικον|δόσεις|תשלומים|חיסכון|دفعات|أقساط|توفير|taksit|ušted|prihran',
    'hemat|cicilan|ongkir|tiết kiệm|trả góp|vận chuyển|立减|节省|節省|運費|回払い|할부|ค่าส่ง|ประหยัด|ผ่อน',
    // Traders.
    'wholesale|trade price|bulk|grosir|(?<!\\p{L})опт(?:ом|ов\\p{L}+)?(?!\\p{L})|velkoobchod|hurtow|großhandel|mayorist|atacado|ingrosso',
    // Bids, and what the shop pays for a used one.
    '(?<!\\p{L})bids?(?!\\p{L})|(?<!\\p{L})(?:höchst|mindest|start)?gebote?(?!\\p{L})|enchère|mise à prix|(?<!\\p{L})puja(?!\\p{L})|offerta attuale|licytac',
    'текущая ставка|入札|buy-?back|we buy|webuy|ankauf|(?<!\\p{L})reprise(?!\\p{L})|買取|下取|выкуп',
    // Other offers of it.
    '(?:used|open[- ]box|pre-?owned|refurbished|renewed|gebraucht\\p{L}*|generalüberholt\\p{L}*|b-ware|occasions?|reconditionné\\p{L}*|rea?condicionad[oa]s?|ricondizionat[oi]|odnowion\\p{L}*|repasovan\\p{L}*|renoverad\\p{L}*|segunda mano|usat[oi]|tweedehands|używan\\p{L}*|' +
      'rozbalen\\p{L}*|begagnad\\p{L}*|käytetty)\\s*:?\\s*(?:from|ab|dès|à partir de|desde|da|vanaf|od|från|alk\\.?)\\s*$',
    '月額|年額|每月|매월',
    // Services, and the lowest price of some days.
    'engraving|gravur|gift[- ]?wrap|geschenkverpackung|assembly|installation|(?<!\\p{L})montage|altgerät|applecare|swatch|échantillon',
    'niedrigster (?:gesamt)?preis|laagste prijs|prix le plus bas|plus bas prix|precio más bajo|prezzo più basso|preço mais baixo|lägsta (?:tidigare )?pris|' +
      'lägsta|laveste (?:før)?pris|alin hinta|nejnižší cen|najnižš\\p{L}* c|legalacsonyabb|cel mai (?:mic|scăzut) pre|χαμηλότερη τιμή|най-ниска|самая низкая',
    '(?<!\\d)30\\s?(?:jours|días|giorni|dagen|dias|dni|dní|dnů|dagar|dage|dana|päivä|nap|zile|дней|дни|днів|ημ)',
  ].join('|'),
  'iu',
);

/** "Free" in other languages than English. */
const FREE_ELSEWHERE =
  'gratis|gratuit|kostenlos|kosten?frei|versandfrei|offert|darmow|bezpłat|zdarma|zadarmo|ingyen|бесплатн|' +
  'безкоштовн|безплатн|無料|免费|免運|包邮|무료|δωρεάν|fraktfri|fri (?:frakt|fragt)|ilmai|tasuta|ücretsiz|grátis|besplatn|' +
  'brezplačn|nemokam|مجان|חינם|miễn phí';
/** Words for delivery or a service that costs nothing. They are not the name of the amount below them. */
const FREE = new RegExp(`free|${FREE_ELSEWHERE}`, 'iu');
/** What such a line ends with when the amount is that from which on it is free. */
const THRESHOLD =
  /(?:over|above|from|ab|dès|à partir de|desde|a partir (?:de|di)|da|vanaf|od|från|fra|over|от|від|oltre|más de|spend|[:>])\s*$/iu;

/** Whether a line above an amount only says that something beside the product is free. */
export function isFreeOfCharge(line: string): boolean {
  return FREE.test(line) && !THRESHOLD.test(line);
}

/** What is in a price or comes on top of it: "zzgl. Versand", "plus shipping", "Free delivery". */
const INCLUDED_OR_MORE =
  /^[^\p{L}+]*(?:\+|plus|zzgl|zuzügl|inkl|incl|excl|exkl|ekskl|hors|ohne|without|avec livraison|più|más|mais|sem|sin|bez|vč|s dopr|z dost)/iu;

/** Words for the price of one way of paying: "à vista no Pix", "per Vorkasse". */
const PAID_OTHERWISE =
  /^\s*(?:à vista\s*)?(?:(?:com|con|con un|mit)?\s*\d{1,2}\s?%\s*(?:de (?:desconto|descuento)|off|skonto)?\s*)?(?:no|via|com|por|con|per|bei|mit|by|with)\s+(?:o\s+)?(?:pix|boleto|transfer[eê]ncia|transferencia|vorkasse|überweisung|bonifico|bank transfer)(?!\p{L})/iu;

/** Words for the price with a contract. */
const WITH_CONTRACT =
  /^\s*(?:with|mit|avec|con|com)\s+(?:an?\s+)?(?:\d{1,2}[- ]?)?(?:\p{L}+[- ]){0,2}?(?:contract|plan|activation|vertrag|abonnement|contrato|contratto|forfait)(?!\p{L})/iu;

const WITH =
  '(?:with|w\\/|when|if|for|using|via|mit|für|bei|avec|pour|con|para|com|per|met|voor|med|med|för|ze?|dla|przy|se?|pro|při|с|со|по|для|з|cu|με)';
const WHAT_SOME_HAVE =
  '(?:code|c[óo]digo|codice|kod|kód|промокод|coupon|cup[oó]n|cupom|kupon|gutschein|card|kundenkarte|carte|tarjeta|' +
  'cartão|tessera|kort|kart[ąoy]|карт|members?|mitglied|soci|adhérents|abonnés|leden|medlem|rewards|subscri|' +
  'autoship|abo)';
/** Words for the price with a card, a code or a membership. */
const FOR_SOME = new RegExp(`^[\\s(,–-]*${WITH}\\s+(?:\\p{L}+\\s+){0,2}?${WHAT_SOME_HAVE}`, 'iu');

/** With something that has a name of its own: "con CMR", "с Ozon Картой". */
const WITH_A_NAME =
  /^[\s(]*(?:[Ww]ith|[Aa]vec|[Cc]o[nm](?: la| el)?|[Mm]e[dt]|[СсЗз]|[Cc]u|[Μμ]ε)\s+(?=\p{Lu})/u;

/** In the cart. */
const IN_CART = /^\s*sepette(?!\p{L})/iu;

/**
 * Whether the words before an amount or behind it say that it is asked of those who have something of the shop or a bank, or have
 * put it into the cart: no price beside a higher one without such words, but one alone.
 */
export function isForHolders({ name, behind }: Pick<WordsAround, 'name' | 'behind'>): boolean {
  // Without a colon, what stands between two amounts may be of the first: "120 ₽ с Acme Кошельком 129 ₽".
  const label = /[:：]\s*$/.test(name) ? name : '';
  const isWith = [label, behind].some((words) => WITH_A_NAME.test(words) && !FREE.test(words));
  return isWith || IN_CART.test(name);
}

/** The words around an amount. */
export type WordsAround = {
  /** The words before the amount, in its line or in the line above. */
  readonly label: string;
  /** The same words if they surely are the amount's name, else ''. */
  readonly name: string;
  /** The words after the amount, as far as they are about it. */
  readonly behind: string;
  /** All words after the amount, including the next amount. */
  readonly ahead: string;
};

/** Words for those who are not members, who pay what everybody pays: "Non-members", "Não sócio". */
const NO_MEMBER =
  /(?:^|[^\p{L}])(?:non|not|não|no|nicht|kein|niet|ikke|icke|ej|nie|не)[\s-]*(?:a )?(?:members?|s[óo]ci[oa]s?|mitglied\p{L}*|adhérents?|abonnés?|leden|lid|medlem\p{L}*|członk\p{L}*|член\p{L}*)(?!\p{L})/giu;

/** Whether words are found in a label, that of who is no member left out. */
function isLabelled(words: RegExp, label: string): boolean {
  return words.test(label) && words.test(label.replace(NO_MEMBER, ' '));
}

/** Whether the words around an amount make it something else than what everybody pays. */
export function isCharge({ label, name, behind, ahead }: WordsAround): boolean {
  const near = behind.replace(PER_PIECE, ' ').slice(0, 24);
  const isBehind = CHARGE_LABEL.test(near) || DISCOUNT_LABEL.test(near);
  return (
    isLabelled(CHARGE_LABEL, label) ||
    (DISCOUNT_LABEL.test(label) && !PRICE_WORD.test(label)) ||
    (isLabelled(OF_SOME, name) && !FREE.test(name)) ||
    (isBehind && !FREE.test(behind) && !INCLUDED_OR_MORE.test(behind)) ||
    (FROM_ON.test(ahead) && FREE.test(ahead)) ||
    TO_BE_FREE.test(ahead) ||
    PAID_OTHERWISE.test(ahead) ||
    WITH_CONTRACT.test(ahead) ||
    FOR_SOME.test(ahead)
  );
}

/** "Einmalig": what is paid once beside what is paid each month, or by who does not subscribe. */
const ONCE = /(?:ein|een)malige?/giu;
const OF_SUBSCRIBERS = new RegExp(`${SUBSCRIBED}|subscri|(?<!\\p{L})abo(?!\\p{L})`, 'iu');

/** Whether nothing but a word for "once" makes an amount a charge: beside what subscribers pay it is the price. */
export function isPaidOnce(words: WordsAround): boolean {
  const name = words.name.replace(ONCE, ' ');
  return name !== words.name && !isCharge({ ...words, name });
}

/** Whether the words before an amount say that subscribers pay it. */
export function isOfSubscribers(label: string): boolean {
  return OF_SUBSCRIBERS.test(label);
}

/** The most lines between the price of subscribers and the price for a single purchase. */
const LINES_BESIDE = 8;

/** An amount, its label and its place. */
type Labelled = {
  readonly money: { readonly cents: number };
  readonly label: string;
  readonly line: number;
  readonly at: number;
};

/** The amounts with those that are paid once where subscribers pay another beside them: "Einmalig 54,99 €", "Im Abo 49,49 €". */
export function withPaidOnce<T extends Labelled>(
  found: readonly T[],
  once: readonly T[],
): readonly T[] {
  return found.map((amount) => {
    const paid = once.find(({ at, line }) => at === amount.at && line === amount.line);
    const isBeside = found.some(
      ({ label, line, money }) =>
        isOfSubscribers(label) &&
        money.cents <= amount.money.cents &&
        Math.abs(line - amount.line) <= LINES_BESIDE,
    );
    return paid !== undefined && isBeside ? paid : amount;
  });
}

/** What stands behind an amount from which on something is free: "50,000원 이상 무료", "99 $ and more: free". */
const FROM_ON =
  /^\s*(?:이상|以上)|^\s*(?:üzeri|ve üzeri|üstü|(?:or|and|oder|et|ou|o|y|e|of|en|eller|og|och|i|и)\s(?:more|up|over|above|mehr|plus|más|mais|oltre|meer|mer|mere|więcej|více|выше))(?!\p{L})/iu;

/** What is missing for delivery to be free: "$31.50 away from free shipping", "noch 31,50 € bis zum kostenlosen Versand". */
const TO_BE_FREE = new RegExp(
  '^\\s*(?:\\p{L}+\\s+){0,2}?(?:away from|until|till|to|for|bis(?: zu[mr]?)?|zum|zur|für|pour|para|per|tot|voor|do|до|för|till|til|pentru|για|için)\\s+' +
    `(?:(?:el|la|o|a|den|die|je|uw|\\p{L}{5,})\\s+){0,2}?(?:free (?:shipping|delivery|postage|returns|express|standard)|${FREE_ELSEWHERE})`,
  'iu',
);

const BY = "(?:\\/|pro|por|par|per|al|à l['’ae]|l['’]|le|la|na|je|za|за|už|p(?:er|r)\\.?)";
/** Units of weight, volume, length and area in other languages than English. */
const UNIT =
  '(?:kg|kilo\\p{L}*|g|gr|l|lt|ltr|lit(?:er|re|ro|r)|ml|cl|m|m2|m²|m3|m³|qm|kvm|mb|bm|fm|srm|rm|m[eèé]t(?:er|re|ro)|metr[auy]?|metar|metri|кг|г|л|литр|мл|м|м2|м²|' +
  'метр|метър|пог\\.? ?м|кв\\.? ?м|тонн[уы]|тон|κιλό|λίτρο|μέτρο|τ\\.μ|ק["״\']ג|מטר|كجم|كيلو|متر)\\.?(?![\\p{L}\\d])';
/** A price by one of them. */
const RATE_BEHIND = new RegExp(
  `^[\\s(.]*${BY}\\s?(?:\\d{1,4}\\s?)?(?:${UNIT}|(?:monat|mois|mes|mese|maand|mån|mnd|md|měs|mies)(?![\\p{L}\\d]))`,
  'iu',
);
/** A unit and a word for a price in one: "Kg-pris", "Literpreis", "kilohinta". */
const UNIT_PRICE =
  '(?:kg|kilo(?:gramm)?|liter|litra|meter|metri|(?:quadrat|vierkante |kvadrat)meter|m2|m²|qm|kvm)[ -]?(?:pris|preis|prijs|hinta)';
/** The same by the words before it: "Cena za metr:", "1 kg =". */
const RATE_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${BY}\\s?(?:1\\s?)?${UNIT}|${UNIT_PRICE})\\s*[:=]?\\s*$|(?<![\\d.,])\\d{1,4}(?:[.,]\\d{1,3})?\\s?${UNIT}\\s?=\\s*$`,
  'iu',
);

/** Whether the words before an amount make it a price by weight, volume, length, area or time. */
export function isRateLabel(label: string): boolean {
  return RATE_LABEL.test(label) || TIME_LABEL.test(label);
}

/** What one piece costs, which is the price where no price of several stands beside it: "/ ks", "pro Stück", "Preis pro Stück". */
const PER_PIECE = new RegExp(
  `^[\\s(.]*(?:(?:preis|price|precio|preço|prix|prezzo|prijs|pris|cena|цена)\\s)?${BY}\\s?(?:1\\s?)?(?:stk|stck|stück|stuk|st|ks|kus|szt|sztuk[aę]|db|darab|uds?|unidade?|unit[àé]|unit|pi[eè]ce|pieza|pezzo|pz|pcs?|buc|bucată|kom|kos|шт|штуку|бр|kpl|τεμ|τεμάχιο|adet)(?![\\p{L}\\d])\\.?`,
  'iu',
);

/** The same by any one word, with nothing behind it: "pro Blatt", "je Waschladung", "par dosette". */
const PER_ONE = /^[\s(.]*(?:pro|je|per|par|por|pr\.|za)\s+(?:1\s)?\p{L}{3,}\s*\)?$/iu;

/** Whether the text behind an amount says that it is the price of one piece. */
export function isPerPiece(text: string): boolean {
  return PER_PIECE.test(text);
}

/** Whether the text behind an amount says that it is the price of one piece, or of one of anything else. */
export function isPerOne(text: string): boolean {
  return PER_PIECE.test(text) || PER_ONE.test(text);
}

const PER = "(?:\\/|pro|por|par|per|al|all[ao'’]|à la|la|le|a|je|na|za|за|в)";
const TIME =
  '(?:tag|nacht|woche|monat|jahr|journée|jour|nuit|semaine|mois|an|année|día|dia|noche|semana|mes|mês|año|ano|giorno|notte|settimana|mese|' +
  'anno|dag|dygn|natt|week|maand|jaar|vecka|uke|uge|mån|månad|måned|md|mnd|mth|år|doba|dobę|noc|tydzień|miesiąc|mies|rok|den|týden|měsíc|měs|' +
  'mesiac|nap|hét|hó|hónap|év|zi|săptămână|lună|день|сутки|ночь|неделю|месяц|мес|год|добу|місяць|міс|рік|ay|gün|hafta|yıl|μήνα|ημέρα|' +
  'kk|kuukausi|päivä|viikko|vuosi|kuu|päev|mėn|mēn|month|mo|day|night|week|year)';
const PERSON =
  '(?:person|persona|personne|pessoa|persoon|osoba|osobę|osobu|человека|особу|fő|henkilö|kişi|adult|guest|participant|teilnehmer|seat|ticket)';
/** A price by time, or for each of those who come. */
const TIME_BEHIND = new RegExp(
  `^[\\s.*]*(?:${PER}\\s?(?:${TIME}|${PERSON})\\.?(?![\\p{L}\\d])|p\\/(?:m|mnd|d|w|j)(?!\\p{L})|mtl(?!\\p{L})|monatlich|jährlich|wöchentlich|täglich|ежемесячно|aylık|rocznie|ročně|` +
    '(?:for )?(?:the )?first (?:\\d{1,2} )?(?:weeks?|months?|years?)(?!\\p{L})|(?:im|in den|für den) ersten (?:\\d{1,2} )?(?:monat|jahr)|(?:le|les|el|il|o|de) (?:premiers?|primer|primeiro|primo|eerste) (?:\\d{1,2} )?(?:mois|mes|mês|mese|maand)(?!\\p{L})|' +
    'billed (?:monthly|annually|yearly)|[/／]\\s?(?:\\d{1,2}\\s?)?[月日週年泊天월일년])',
  'iu',
);
/** The same by the words before it: "Preis pro Nacht:", "Cena za osobę:", "Gecelik". */
const TIME_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${PER}\\s?(?:${TIME}|${PERSON})|gecelik|günlük|haftalık|aylık|kişi başı)\\s*[:=]?\\s*$`,
  'iu',
);

/** Whether the words before an amount make it what is paid again and again, or for each who comes. */
export function isTimeLabel(label: string): boolean {
  return TIME_LABEL.test(label);
}

/** The same as the whole line below an amount, or its beginning. */
const TIME_BELOW = new RegExp(`${TIME_BEHIND.source}\\s*(?:$|[,.;|(+*])`, 'iu');

/** A part of a payment. In a line of its own it is of a subscription: "Every month, 15 % less". */
const EVERY =
  /^[\s.*]*(?:bi-?weekly|fortnightly|every (?:(?:\d|two|four|other) )?(?:weeks?|months?|fortnight))(?!\p{L})/iu;

/** Whether the text behind an amount, or the line below it, makes it a price by weight, volume, length or time. */
export function isRate(text: string, isBelow: boolean): boolean {
  if (isBelow) return TIME_BELOW.test(text.slice(0, 48));
  return RATE_BEHIND.test(text) || TIME_BEHIND.test(text) || EVERY.test(text);
}

/** Whether the text behind an amount, or the line below it, makes it what is paid again and again, or for each who comes. */
export function isPaidByTime(text: string): boolean {
  return TIME_BEHIND.test(text) || EVERY.test(text);
}

const SEVERAL = '(?:[2-9]|[1-9]\\d{1,3})(?![.,:]?\\d)(?!\\s?[%٪])';
const PIECES =
  '(?:pcs?|pieces?|units?|items?|bottles?|packs?|stück|stk|st|stuks?|flaschen|fl|pièces|bouteilles|unidades|uds?|botellas|pezzi|' +
  'pz|bottiglie|szt|ks|шт|db|buc|kpl|τεμ|reifen|pneus|個|本|枚|개|قطع|sản phẩm)\\.?';
const FROM =
  '(?:buy|any|mix|(?:case|pack|box|bundle) of|from|take|kaufen sie|ab|bei|bei abnahme von|à partir de|dès|par|les|lot de|a partir (?:de|di)|desde|da|' +
  'comprando|leve|vanaf|bij|od|от|від|από|från|fra|v/|køb|köp|kjøp|ved køb af|vid köp av(?: minst)?|de la|beli|mua(?: từ)?|' +
  'при покупке(?: от)?|عند شراء)';
const MORE =
  '(?:or|and|oder|und|et|ou|o|of|eller|och|og|i|a|и|или|й|або|lub|nebo|či|alebo|ali|ili|sau|vagy|és|tai|või|ar|arba|vai|veya|ve|ή) ' +
  '(?:more|up|over|above|mehr|plus|más|mais|più|meer|fler|flera|flere|mer|mere|więcej|více|viac|več|više|multe?|mai multe|több|enemmän|rohkem|daugiau|vairāk|fazla|üzeri|' +
  'более|больше|выше|більше|повече|περισσότερα)';
const TOGETHER = '(?:(?:for|för|für|voor|pour|por|per|za|за)(?!\\p{L})|で|-?t[óő]l)';
const EACH = '\\s*(?:-t[óő]l)?\\s*[:=]?\\s*(?:je|à|each)?\\s*$';

/** Words before an amount that is the price for several pieces: "ab 10 Stück", "3 for", "5+", "10-24 pcs". */
const SEVERAL_LABEL = new RegExp(
  `(?:^|[^\\p{L}])${FROM}\\s*${SEVERAL}[^\\d]{0,24}$|` +
    `(?:^|[^\\d.,:–-])${SEVERAL}\\s*(?:${PIECES}\\s*)?(?:\\+|${MORE}|[-–]\\s?\\d{1,4}|${TOGETHER})[^\\d]{0,16}$|` +
    `(?:^|[^\\d.,:–-])${SEVERAL}(?:\\s*|-)${PIECES}${EACH}|` +
    `(?:^|[^\\d.,:–-])[2-4](?:[ªºeè]|nd|rd|th|\\.|ème)\\s?(?:unidade?|unit|item|article|artikel|produkt|stuk|sztuka)(?!\\p{L})(?:[^\\d]{0,12}\\d{1,2}\\s?%)?[^\\d]{0,12}$`,
  'iu',
);
/** Words after such an amount: "when you mix six", "par 6", "each if you buy 3". */
const SEVERAL_BEHIND = new RegExp(
  '^[\\s(,/–-]*(?:\\p{L}+\\s+){0,2}?' +
    '(?:when|if|mix|par|les|ab|bei|from|dès|à partir de|a partir (?:de|di)|od|przy|při|от|при|från|fra|vanaf|bij)\\s+' +
    `(?:\\p{L}+\\s+){0,3}?(?:${SEVERAL}(?!\\/|-\\d|\\s?(?:\\p{Sc}|[A-Z]{3}))|two|three|four|five|six|ten|twelve)`,
  'iu',
);

/** Whether an amount is asked of those who take several. */
export function isForSeveral(label: string, behind: string): boolean {
  return SEVERAL_LABEL.test(label) || SEVERAL_BEHIND.test(behind);
}
