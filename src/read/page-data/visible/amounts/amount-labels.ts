// What the words beside an amount call it, in the languages of shops: a former price, the regular one, one with or without tax.

/** "Was", "statt", "定価": what it cost before, or what somebody recommends. */
export const FORMER_LABEL = new RegExp(
  `(?:^|[^\\p{L}])(?:${[
    // English
    'was|were|then|before|previously|formerly|reg(?:ular(?:ly)?)?\\.?(?: price)?|orig(?:inal(?:ly)?)?\\.?(?: price)?',
    'list(?: price)?|old price|msrp|m\\.s\\.r\\.p\\.|rrp|r\\.r\\.p\\.?|srp|u\\.p\\.|usual price',
    'after (?:event|sale|offer)(?: price)?|retail(?: price)?|compare(?: at)?|value|instead of',
    // German
    'statt|uvp(?: des herstellers)?|(?:unverb(?:indliche|\\.)? )?preisempf(?:ehlung(?: des herstellers)?|\\.)',
    'listenpreis|normalpreis|neupreis|bisher(?:iger preis)?|vorher|früher|alter preis|ehem\\.?',
    // French
    "au lieu de|prix (?:(?:public |de vente )?conseillé|barré|d'origine|initial|public)",
    'prix (?:de référence|habituel|catalogue)|avant',
    // Spanish, Portuguese: "acima de" is another word's
    'antes|(?<!\\p{L} )de:?|precio (?:anterior|original|de lista|habitual|normal)|pvp recomendado|pvpr',
    'precio (?:recomendado|de catálogo)|preço (?:original|anterior|normal|sugerido|recomendado|de tabela)',
    // Italian, Dutch
    'prezzo (?:originale|di listino|precedente|consigliato|intero)|anziché|prima|invece di|adviesprijs|(?<!\\p{L} )van|normaal',
    '(?:oude|oorspronkelijke|normale) prijs|voorheen',
    // Nordic languages
    'ord(?:inarie|\\.)?(?: ?pris)?|tidigare(?: pris)?|rek\\.? ?pris|riktpris|förut|før(?:pris)?',
    'veil(?:edende|\\.)?(?: pris)?|normalpris|vejl\\.?(?: pris)?|norm\\. ?pris|ovh\\.?|normaalihinta|norm\\.',
    // Slavic languages
    'cena (?:regularna|katalogowa|przed|poprzednia|bazowa)|stara cena|(?:sugerowana|rekomendowana) cena',
    'najni(?:ż|z)sza cena|poprzednia cena|běžná cena|původní cena|původně|dmoc|doporučená cena|odporúčaná cena|moc',
    'bežná cena|pôvodná cena|pôvodne|m\\.?p\\.?c?\\.? cena|mpc|redovna cijena|stara cijena|redna cena|redovna cena',
    'стара(?:я)? цена|старая цена|стара ціна|было|обычная цена|ррц|рекомендованная цена|рекомендована ціна',
    // Hungarian, Romanian, Greek, Turkish
    'eredeti ár|régi ár|helyett|lista ?ár|fogyasztói ár',
    'pre[țt] (?:vechi|recomandat|ini[țt]ial|[îi]ntreg|de list[ăa])|prp|τιμή καταλόγου|αρχική τιμή|από',
    'π\\.?λ\\.?τ\\.?|λιανική τιμή|(?:liste|piyasa) fiyatı|eski fiyat',
    // Vietnamese, Thai, Japanese, Chinese, Korean, Hebrew, Arabic
    'giá (?:niêm yết|gốc|bìa|cũ|thị trường)|ราคาปกติ|ปกติ|定価|通常価格|参考価格|(?:メーカー)?希望小売価格|原价|原價|市场价|建議售價|市價|정가|정상가',
    '소비자가격?|시중가격?|קודם|מחיר (?:מחירון|רגיל|קודם|לפני)|במקום|السعر (?:السابق|العادي|الأصلي|قبل(?: الخصم)?)|كان',
    // Baltic languages, Icelandic, Turkish, Indonesian
    'tavahind|parastā cena|sākotnējā cena|įprasta kaina|ankstesnė kaina|sena kaina|fullt verð|verð áður|normal fiyatı?|harga (?:normal|asli|awal|coret)',
  ].join('|')})\\s*[:\\-–]?\\s*$`,
  'iu',
);

/** What stands before the lower end of a range: "de 10 € à 20 €". */
export const RANGE_LABEL = /(?:^|[^\p{L}])(?:de|da|van|von|from|entre|zwischen|between)\s*$/iu;

/** "Regular price": alone it is what everybody pays. */
export const REGULAR_LABEL =
  /(?:reg(?:ular(?:ly)?)?\.?(?: price)?|precio (?:habitual|normal)|preço normal|normaal|ord(?:inarie|\.)?(?: ?pris)?|normalpris|norm\. ?pris|normalpreis|prix habituel|normale prijs|normaalihinta|cena regularna|b[ěe]žná cena|redovna cijena|redna cena|redovna cena|обычная цена|通常価格|정상가|מחיר רגיל|السعر العادي|tavahind|parastā cena|įprasta kaina|fullt verð|normal fiyatı?|harga normal)\s*[:\-–]?\s*$/iu;

/** What may be the price or the former one, as its own name; beside a lower price it is the former one. */
export const OFFICIAL_LABEL = /(?:^|[^\p{L}])(?:p\.?v\.?p\.?|normal(?=\s*:)|定[價价])\s*:?\s*$/iu;

/** What a tax on sales is called, and what says that it is not, or is, in an amount: either stands before it or behind. */
export const TAX =
  '(?:vat|tax(?:es)?|impuestos?|impostos?|imposte|gst|iva|btw|mwst|ust|mehrwertsteuer|tva|taxes?|moms|mva|alv|dph|pdv|ddv|áfa|kdv|ppn|pvm|pvn|vsk|käibemaks\\p{L}*|φπα|ф\\.?п\\.?а|ндс|пдв|ддс)';
const WITHOUT =
  '(?:ex(?:c|cl|clud(?:ing|es)|luding)?\\.?|excl(?:usief|uyendo)?\\.?|eks(?:kl?)?\\.?|exkl\\.?|zzgl\\.?|zuzügl\\.?|without|before|plus|\\+|ohne|hors|sans|sin|más|sem|senza|' +
  'più|zonder|bez|brez|fără|без|χωρίς|uden|utan|uten|ilman|án|tanpa|chưa(?: gồm| bao gồm)?|be|ilma|плюс|net(?:to)?)';
const WITH =
  '(?:inc(?:l|luding|luye|lud(?:es|ed))?\\.?|incl(?:usief|us)?\\.?|inkl(?:usive)?\\.?|with|mit|avec|con|com|met|med|m\\/|s|z|vč\\.?|včetně|vrátane|cu|с|із|з|' +
  'με|sis\\.?|sa|su|ar|koos|termasuk|đã(?: gồm| bao gồm)?|brutto)';
/** "Excl. VAT": the tax comes on top. */
export const NET_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:${WITHOUT}\\s?${TAX}|${TAX}\\s?(?:excl?(?:uded|usive)?\\.?|extra|escl(?:usa)?|hariç|nélkül|0)|net(?:to)?(?: price)?|nettó|h\\.?t\\.?)(?![\\p{L}])|` +
    '税抜|税別|本体価格|外税|[+＋]\\s?(?:消費)?税|不含税|未税|未稅|부가세 ?별도|ไม่รวม ?vat|(?:לא כולל|ללא) מע|(?:غير شامل|بدون|قبل) (?:ال)?ضريبة',
  'iu',
);
/** "Incl. VAT". */
export const GROSS_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:${WITH}\\s?${TAX}|${TAX}\\s?(?:incl?(?:uded|usive|uid[ao]s?|uíd[ao]s?|us[aoei])?\\.?|dahil)|brutto|bruttó|t\\.?t\\.?c\\.?|toutes taxes)(?![\\p{L}])|` +
    '税込|(?<!不)含税|含稅|부가세 ?포함|(?<!ไม่)รวม ?vat|(?<!לא )כולל מע|(?<!غير )شامل (?:ال)?ضريبة',
  'iu',
);
