// Decides whether a text names a maker. For a product without a maker, shops write into the field that there is none, or leave
// what their system was delivered with. Some write the address of a page of the brand. Texts that are also the name of a real
// maker ("4711", "all", "No Name") stay.

/** Texts that say that there is no maker, in the languages of shops. They match only as the whole text. */
const NO_MAKER = new RegExp(
  '^(?:[\\p{P}\\p{S}\\s]+|n\\/?a|others?|unknown|generic|default|not (?:specified|stated|available|applicable)|' +
    '(?:no|without(?: a)?)[- ]?brand|unbranded(?:\\s*\\/\\s*generic)?|default (?:brand|vendor|manufacturer)|' +
    '(?:ohne|keine|unbekannte)[- ](?:marke|hersteller|angabe)|(?:kein|unbekannter) hersteller|markenlos|sonstige|' +
    'sans marque|générique|sin marca|genéric[oa]|sem marca|senza marca|generic[oa]|geen merk|merkloos|onbekend|' +
    'bez (?:marki|producenta|značky|výrobce|výrobcu|brenda)|brak (?:marki|producenta)|inny|neznačkov[áýé]|' +
    'fără (?:marcă|brand)|márka nélkül|utan märke|okänd|uden mærke|ei merkkiä|' +
    'markasız|diğer|без (?:бренда|марки|торговой марки)|нет (?:бренда|марки)|не указан[ао]?|без бренду|' +
    'χωρίς μάρκα|ללא מותג|بدون (?:علامة تجارية|ماركة|برند)|متفرقه|' +
    'ノーブランド(?:品)?|メーカー不明|无品牌|無品牌|其他品牌|기타|브랜드 ?없음|없음|không thương hiệu|tanpa merek|tidak ada merek|ไม่มีแบรนด์|' +
    'https?:.*|\\/\\/.*|www\\..*)$',
  'iu',
);

/** Whether a text may be the name of a maker: it is not an address and does not say that there is none. */
export function isMakerName(text: string): boolean {
  return !NO_MAKER.test(text.trim());
}
