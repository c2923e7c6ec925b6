// The headings above other goods than that of the page, in the languages of shops. A heading is these words and no others: the same
// words stand in running text, too. What is bought together with the product may stand above its price, and is not among them.

const HEADINGS = [
  // English
  '(?:related|similar|recommended|complementary) (?:products?|items?|goods|articles?|titles|styles|books)|recommended for you|related',
  "(?:you |we think you )?(?:may|might|could|will|’ll|'ll) (?:also )?(?:like|love|need|enjoy|be interested in)\\b.*|you also viewed|recently viewed(?: products| items)?",
  '(?:other )?(?:customers|people|shoppers)(?: who)? (?:also |have |often )*(?:bought|viewed|purchased|liked|looked|like|buy)\\b.*',
  'complete (?:the|your) (?:look|set|outfit)|shop the look|(?:goes|pairs|works) (?:well|great|perfectly) with.*|more from this (?:brand|collection|seller)',
  // German, Dutch
  '(?:ähnliche|verwandte|empfohlene|passende) (?:artikel|produkte)|passend dazu|dazu passt|(?:das )?(?:könnte|dürfte) (?:ihnen|dir|euch|sie|dich) (?:auch )?(?:gefallen|interessieren)|(?:diese artikel )?könnten (?:ihnen|dir|sie|dich) (?:auch )?(?:gefallen|interessieren)',
  'kunden[, ].*(?:kauften|gekauft|angesehen|sahen|interessier).*|zuletzt (?:angesehen|gesehen).*|wir empfehlen (?:ihnen|dir|auch).*',
  '(?:gerelateerde|vergelijkbare|aanbevolen|bijpassende|soortgelijke) (?:producten|artikelen)|(?:dit|deze|misschien) (?:vind|vindt|vinden) (?:je|u) .*|(?:andere )?klanten (?:kochten|bekeken|kozen) .*|anderen (?:kochten|bekeken) .*|recent bekeken.*',
  // French, Spanish, Portuguese, Italian, Romanian
  '(?:produits|articles) (?:similaires|associés|liés|apparentés|complémentaires|recommandés|connexes)|vous (?:aimerez|pourriez|aimeriez|pouvez|allez)\\b.{0,20}(?:aussi|aimer|également).*|(?:les |nos )?clients (?:ayant|ont|qui ont) .*|récemment (?:vus|consultés)|vus récemment|dans la même catégorie',
  '(?:productos|artículos) (?:relacionados|similares|recomendados|complementarios)|(?:quizás? )?(?:también )?(?:te|le|os|les) (?:puede|podría|pueden|podrían|gustará|recomendamos)(?:n)? .*|también te .*|(?:los )?clientes (?:que|también) .*|(?:vistos|productos vistos) recientemente',
  '(?:produtos|itens|artigos) (?:relacionados|similares|semelhantes|recomendados)|relacionados|quem (?:comprou|viu|compra|vê) .*|(?:você )?(?:também )?(?:pode|poderá|vai) (?:também )?(?:gostar|interessar|amar).*|veja também|aproveite também|vistos recentemente',
  '(?:prodotti|articoli) (?:correlati|simili|consigliati|suggeriti|associati|complementari)|(?:ti |vi )?potrebbe(?:ro)? (?:anche )?(?:piacer|interessar).*|chi ha (?:acquistato|visto|comprato) .*|visti di recente',
  'produse (?:similare|asemănătoare|recomandate|complementare|înrudite|conexe|asociate)|(?:s-ar|ți-ar|te-ar|v-ar) putea .*|cine a cumpărat .*',
  // Slavic languages
  '(?:podobne|powiązane|polecane|pokrewne) produkty|produkty (?:podobne|powiązane|polecane|pokrewne)|(?:inni )?klienci[, ].*(?:kupili|oglądali|kupowali|wybrali).*|inni (?:kupili|oglądali).*|(?:może|mogą) (?:cię|ci|ciebie)\\b.*|ostatnio oglądane',
  '(?:podobné|související|súvisiace|doporučené|odporúčané) (?:produkty|zboží|tovary|výrobky)|související|mohlo by .*|(?:mohl[oaiy]|mohol) (?:by )?(?:se )?(?:vám|vás|ti|tě|ťa|sa)\\b.*|zákazníci (?:také|kupili|si|nakupují|tiež) .*|naposledy (?:prohlížené|navštívené|prezerané)',
  '(?:povezani|slični|podobni|sorodni) (?:proizvodi|izdelki)|možda (?:će )?.*|morda .*zanima.*|kupci su .*',
  '(?:похожие|сопутствующие|рекомендуемые|связанные|аналогичные) (?:товары|продукты|позиции|модели)|похожие|рекомендуем(?: также| посмотреть| к покупке)?|с этим товаром .*|вместе с этим .*|вам (?:также )?(?:может|могут|понравится|пригодится|будет)\\b.*|(?:недавно|ранее) (?:просмотренные|вы смотрели).*|вы (?:недавно )?(?:смотрели|просматривали)|покупатели .*также.*',
  "(?:схожі|подібні|супутні|рекомендовані|пов['’]язані|аналогічні) (?:товари|продукти)|рекомендуємо(?: також)?|(?:разом )?з цим товаром .*|вам (?:також )?(?:може|можуть|сподобається) .*|вас (?:також )?(?:може|можуть) .*|(?:нещодавно )?переглянуті(?: товари)?|(?:подобни|свързани|препоръчани|сходни) (?:продукти|книги|стоки|артикули)|може да (?:харесате|ви) .*|клиенти.* също .*",
  // Nordic and Baltic languages, Hungarian
  '(?:relaterade|liknande|rekommenderade) (?:produkter|artiklar|varor)|du (?:kanske|gillar|kan) .*(?:gillar|också|tycka om).*|andra (?:köpte|kunder|tittade) .*|senast visade|(?:relaterede|lignende|relaterte|anbefalede|anbefalte) (?:produkter|varer)|andre (?:købte|kjøpte|kunder|så) .*|måske vil .*|kanskje liker .*',
  '(?:samankaltaisia|liittyviä|vastaavia|suositeltuja) tuotteita|(?:vastaavat|liittyvät) tuotteet|saatat (?:myös )?pitää .*|muut (?:ostivat|katsoivat) .*|(?:seotud|sarnased) tooted|(?:susiję|panašios|panašūs) (?:produktai|prekės)|(?:līdzīgi|saistītie|līdzīgas) (?:produkti|preces)',
  '(?:kapcsolódó|hasonló|ajánlott) termékek|(?:ezek|ez) is (?:érdekelhet|tetszhet|érdekelheti).*|mások .*(?:vásárolták|vették|nézték).*',
  // Greek, Turkish, Hebrew, Arabic, Persian
  '(?:σχετικά|παρόμοια|προτεινόμενα) προϊόντα|(?:μπορεί|ίσως) (?:επίσης )?(?:να )?(?:σας|σου) .*|(?:benzer|ilgili|önerilen|bağlantılı) ürünler|bunlar[ıi] da .*|bu ürünü alanlar.*',
  'מוצרים (?:קשורים|דומים|נלווים|מומלצים)|אולי (?:תאהבו|יעניין|תרצו).*|منتجات (?:ذات صلة|مشابهة|مقترحة|مرتبطة)|(?:قد|ربما) (?:يعجبك|تعجبك|يهمك).*|محصولات (?:مرتبط|مشابه)',
  // Asian languages
  '関連(?:商品|製品|アイテム)|類似商品|(?:おすすめ|オススメ)(?:の)?(?:商品|アイテム)|(?:この|こちらの)(?:商品|アイテム)を.*(?:人|方).*|こちらの商品も.*|最近(?:チェック|見た|閲覧).*|相关(?:产品|商品)|相關(?:商品|產品)|推荐(?:商品|产品)|推薦商品|猜你喜欢|为您推荐|為您推薦|您(?:可能|也许)(?:也|还)?(?:会)?喜欢.*',
  '관련 ?상품|추천 ?상품|비슷한 ?상품|함께 (?:구매|보면|사면|본).*|sản phẩm (?:liên quan|tương tự|cùng loại|đã xem)|có thể bạn .*|produk (?:terkait|serupa|sejenis|rekomendasi)|(?:mungkin )?anda (?:mungkin )?(?:juga )?suka.*|สินค้า(?:ที่เกี่ยวข้อง|แนะนำ|ใกล้เคียง|ที่คล้ายกัน)',
].join('|');

/** What fits the product, by headings that are used for its tabs and lists of parts, too. */
const ACCESSORIES = [
  '(?:optional |recommended |matching |compatible |suitable |available )?accessor(?:y|ies)|add-?ons|spare parts|(?:passendes |optionales |empfohlenes )?zubehör|ersatzteile|(?:bijpassende )?accessoires|toebehoren|(?:nos )?accessoires(?: compatibles| associés)?|accesorios(?: compatibles)?|acessórios|accessori',
  'accesorii|akcesoria|příslušenství|príslušenstvo|tartozékok|kiegészítők|dodatki|dodatna oprema|(?:сопутствующие )?аксессуары|аксесуари|tillbehör|tilbehør|lisävarusteet|tarvikkeet|lisatarvikud|priedai|aksesuāri|αξεσουάρ|aksesuarlar',
  'אביזרים(?: נלווים)?|ملحقات|إكسسوارات|لوازم جانبی|オプション(?:品)?|アクセサリー?|액세서리|配件|phụ kiện(?: đi kèm)?|aksesori|อุปกรณ์เสริม',
].join('|');

const HEADING = new RegExp(`^(?:${HEADINGS})$`, 'iu');
const OF_ACCESSORIES = new RegExp(`^(?:${ACCESSORIES})$`, 'iu');
/** Longest heading of a section. */
const LONGEST = 90;
const TRIMMED = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;

const wordsOf = (line: string): string =>
  line.length > LONGEST ? '' : line.replaceAll(TRIMMED, '').replaceAll(/\s+/g, ' ');

/** Whether a line is the heading above other goods. */
export function isRelatedHeading(line: string): boolean {
  const words = wordsOf(line);
  return words !== '' && HEADING.test(words);
}

/** Whether the text of a heading element names what fits the product: the section that it opens ends with the next heading. */
export function isAccessoryHeading(line: string): boolean {
  const words = wordsOf(line);
  return words !== '' && OF_ACCESSORIES.test(words);
}
