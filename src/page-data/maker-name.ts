// Whether a text names a maker. Shops write into the field of a product without one that it has none, or what their system
// was delivered with, and some the address of a page of the brand.

/** In the languages of shops; the words and nothing else. */
const NO_MAKER = new RegExp(
  '^(?:[\\p{P}\\p{S}\\d\\s]+|n\\/?a|all|other|others|info|unknown|generic|default|various|not (?:specified|stated|available|applicable)|' +
    'see more|more|(?:no|without(?: a)?)[- ]?(?:brand|name)|brandless|unbranded(?:\\s*\\/\\s*generic)?|' +
    'default (?:brand|vendor|manufacturer)|(?:my|your) (?:brand|store|shop)|' +
    '(?:ohne|keine|unbekannte)[- ](?:marke|hersteller|angabe)|(?:kein|unbekannter) hersteller|markenlos|sonstige|diverse|' +
    'sans marque|générique|divers|sin marca|genéric[oa]|sem marca|senza marca|generic[oa]|geen merk|merkloos|onbekend|' +
    'bez (?:marki|producenta|značky|výrobce|výrobcu|brenda)|brak (?:marki|producenta)|inny|neznačkov[áýé]|' +
    'fără (?:marcă|brand)|márka nélkül|utan märke|okänd|uden mærke|ei merkkiä|' +
    'markasız|diğer|без (?:бренда|марки|торговой марки)|нет (?:бренда|марки)|не указан[ао]?|нонейм|без бренду|' +
    'χωρίς μάρκα|ללא מותג|بدون (?:علامة تجارية|ماركة|برند)|متفرقه|' +
    'ノーブランド(?:品)?|メーカー不明|无品牌|無品牌|其他品牌|기타|브랜드 ?없음|없음|không thương hiệu|no[- ]?brand|tanpa merek|tidak ada merek|ไม่มีแบรนด์|' +
    'https?:.*|\\/\\/.*|www\\..*)$',
  'iu',
);

/** Whether a text may be the name of a maker: not that there is none, and no address. */
export function isMakerName(text: string): boolean {
  return !NO_MAKER.test(text.trim());
}
