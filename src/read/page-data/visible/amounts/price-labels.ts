// What the label of a price is made of, in the languages of shops: "Sale price", "jetzt nur", "Cena promocyjna". An amount with
// other words before it may be asked of some only, whatever percentage stands beside it.

const WORDS = [
  // English
  'prices?|sales?|now|our|your|only|just|at|for|from|as low as|starting|special|offers?|deals?|of the|day|today|today.s|clearance|discount(?:ed)?|reduced|current|final|new|promo(?:tion(?:al)?)?|web|online|internet|exclusive|outlet|black friday|cyber monday|limited time|hot|best|flash|weekly|daily|the|is|each|buy it now|one[- ]time purchase|buy once|usd?',
  // German, Dutch
  '(?:angebots?|aktions?|sonder|verkaufs|end|laden|tages|online|shop|web|sale|aktuell)?preis|preise|angebot|aktion|unser|ihr|dein|jetzt|nur|noch|ab|für|aktueller|neuer|neu|reduziert(?:er)?|heute|sofort-?kaufen|rabattpreis|rabattiert(?:er)?',
  '(?:actie|aanbiedings|verkoop|web|sale|nu)?prijs|aanbieding|actie|nu|voor|slechts|maar|onze|jouw|vanaf|met korting',
  // French, Spanish, Portuguese, Italian, Romanian
  'prix|notre|votre|maintenant|seulement|soldé?s?|remisé|réduit|actuel|vente|de|du|jour|spéciale?|offre|exclusif|à partir|dès|pour|achat immédiat',
  'precio|nuestro|tu|ahora|oferta|especial|promoci[óo]n|promocional|rebajado|rebajas|con descuento|actual|s[oó]lo|desde|por|venta|hoy|a partir|cómpralo ya',
  'preço|agora|apenas|somente|promoç(?:ão|ao)|com desconto|atual|nosso|seu',
  'prezzo|ora|adesso|solo|soltanto|offerta|in|a|scontato|speciale|promozionale|con sconto|nostro|tuo|da|di|vendita|finale|attuale|oggi|a partire|compralo subito',
  'pre[tțţ]|nou|acum|doar|promo[tț]ional|redus|oferta|de la',
  // Slavic languages
  'cena|teraz|tylko|promocyjna|promocja|nasza|aktualna|nowa|sprzedaży|od|obniżona|po obniżce|okazja|kup teraz',
  'naše|naša|akční|akčná|nyní|jen|len|nová|aktuální|po (?:slevě|zľave)|výprodej|prodejní|predajná',
  'цен[аы]|сейчас|теперь|всего|только|со скидкой|акци[яи]|акционная|наша|ваша|от|новая|розничная|специальная|ціна|зараз|акційна|зі знижкою|від|сега|промо|нова',
  'cijena|akcij\\p{L}+|sada|samo|zdaj|novo?',
  // Nordic and Baltic languages, Hungarian, Finnish, Estonian
  '(?:rea|extra|kampanj|kampagne|kampanje|tilbuds|salgs|udsalgs|nett|webb?|ny)?pris|nu|nå|bara|kun|bare|rea|kampanj|kampagne|kampanje|tilbud|udsalg|erbjudande|nya|ny|vår|vårt|din|från|fra',
  '(?:tarjous|ale)?hinta|nyt|vain|tarjous|alennettu|alk|ale|(?:soodus)?hind|nüüd|kaina|dabar|tik|nuo|cena ar atlaidi',
  'ára?|akciós|kedvezményes|most|csak|mai|új|webshop|eladási',
  // Greek, Turkish, Hebrew, Arabic, Indonesian, Vietnamese, Thai
  'τιμή|τώρα|μόνο|από|προσφορά|προσφοράς|νέα|τελική|ειδική',
  'fiyatı?|indirimli|şimdi|sadece|satış|kampanyalı|kampanya|özel|son|güncel|yeni',
  'السعر|سعر|الآن|فقط|بعد|الخصم|العرض|خاص|מחיר|מבצע|עכשיו|רק|החל',
  'harga|diskon|sekarang|spesial|hanya|mulai|dari|giá|bán|khuyến|mãi|hiện|tại|chỉ|còn|từ',
].join('|');

const KNOWN = new RegExp(`(?<!\\p{L})(?:${WORDS})(?!\\p{L})`, 'giu');
/** Languages that set no blanks between words. */
const KNOWN_PARTS =
  /価格|販売|セール|特価|税込み?|今だけ|タイム|現在|판매|할인|세일|특가|최종|현재|促销|现|售|价|價|格|优惠|特|活动|ราคา|ลด|เหลือ|พิเศษ|เพียง/gu;

/** Where the line above an amount is its label: "Insider price", "Bundle:", "Havale / EFT". */
const LABEL_ABOVE =
  /[:：]\s*$|pri[cs]|preis|prix|preci|preço|prezz|prijs|(?<!\p{L})cen[aę]|цена|ціна|hinta|fiyat|^(?:havale|eft|pix|boleto|vorkasse|überweisung|bonifico|virement|transferencia|przelew)(?!\p{L})/iu;

/** Whether the line above an amount is its label, whatever its words are. */
export function isLabelAbove(line: string): boolean {
  return LABEL_ABOVE.test(line);
}

/** What shops offer to do with a product, in words that are said of a former price, too. */
const CONTROL = /^(?:add to )?(?:compare|(?:(?:my |your )?(?:wish|shopping|gift) ?)?list)$/iu;

/** Whether the line above an amount is something to press or to tick and no label of the amount. */
export function isControlAbove(line: string, isPressed: boolean): boolean {
  return CONTROL.test(line.trim()) || (isPressed && !isLabelAbove(line));
}

/** Whether the name of an amount is that of something else than a price of the product. */
export function isOtherName(name: string): boolean {
  return /\p{L}{2}/u.test(name) && /\p{L}{2}/u.test(withoutPriceWords(name));
}

/** What is left of the name of an amount without the words for a price. */
export const withoutPriceWords = (name: string): string =>
  name.replaceAll(KNOWN, ' ').replaceAll(KNOWN_PARTS, ' ');
