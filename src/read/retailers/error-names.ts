// Titles and headings of walls and error pages, in the languages of the shops seen so far. Only for pages without a
// product: "404" may be the name of a shoe.

/** Titles of pages that a visitor gets instead of the shop: checks, waiting rooms, refusals, a choice of countries. */
const WALL_NAME = new RegExp(
  '^(?:access (?:to this page has been )?denied|attention required|just a moment|robot or human|' +
    'pardon our interruption|are you (?:a )?(?:human|robot)|security (?:check|measure)|' +
    'verify (?:you(?:r identity| are)|that you)|human verification|checking your browser|' +
    'bot (?:verification|detection)|please verify|request (?:blocked|rejected)|(?:403 )?forbidden|' +
    'ddos-guard|one more step|you have been blocked|blocked$|captcha|unusual traffic|robot check|' +
    'sorry, you have been blocked|waiting room|error 1020|bitte bestätigen|un instant|' +
    'before we continue|(?:[^:]{1,40}: )?select your (?:country|region)|choose (?:a|your) (?:country|region)|vercel security checkpoint|client challenge|queue-it|you are (?:now )?in line|' +
    'sucuri website firewall|access to .{1,60} was denied|confirm (?:that )?you are (?:a )?human|' +
    'vous êtes un robot|êtes-vous un robot|sind sie ein (?:mensch|roboter)|eres un robot|вы не робот)',
  'iu',
);

/**
 * Words about the visitor in the title or text of a wall: a robot, a human, a check, a refusal. They are ordinary words, so they
 * count only on pages that show next to nothing else.
 */
const WALL_WORDS = new RegExp(
  [
    // "Robot" is the same word nearly everywhere.
    'robot|robô|робот|ρομπότ|רובוט|روبوت|ロボット|机器人|機器人|로봇|หุ่นยนต์|captcha|капч|验证码|驗證碼|人机|滑块',
    '(?<!\\p{L})(?:human|humain|humano|umano|mensch|mens|människa|menneske|ihminen|člověk|człowiek|человек|людин|insan)\\p{L}{0,3}(?!\\p{L})',
    'security (?:check|verification)|challenge validation|could not be satisfied|too many requests|requested url was rejected',
    '(?:unusual|suspicious) (?:traffic|activity)|подозрительн|güvenlik doğrula|보안 확인|安全验证',
    'acesso negado|acceso denegado|accès (?:refusé|interdit)|accesso negato|zugriff verweigert|toegang (?:geweigerd|ontzegd)|åtkomst nekad',
    '(?:adgang|tilgang) n(?:ægtet|ektet)|pääsy (?:estetty|kielletty)|odmowa dostępu|dostęp zabroniony|zablokowan|přístup (?:odepřen|zamítnut)',
    'доступ (?:ограничен|запрещ|закрыт)|erişim engellen|アクセスが?(?:制限|拒否|集中)|访问(?:被拒|受限)|접근.{0,2}(?:거부|차단)|تم رفض الوصول',
  ].join('|'),
  'iu',
);

/** Longer texts are headlines of articles, not of errors. */
const NAME_LENGTH = 120;

/** Words for pages and products, by their beginnings, without diacritics. */
const PAGE_OR_PRODUCT =
  '(?:page|product|item|listing|article|seite|artikel|produkt|angebot|produit|annonce|pagina|producto|articulo|' +
  'prodotto|articolo|produto|artigo|anuncio|stron|stranka|stranku|zbozi|sidan|siden|varen|sivu|tuote|oldal|termek|' +
  'sayfa|urun|halaman|produk|trang|san pham|σελιδα|προιον|страниц|товар|сторінк)';
/** Words for "gone" after the word for the page or product: "Dieser Artikel ist leider nicht mehr verfügbar". */
const GONE_AFTER =
  '(?:not (?:be )?found|can ?(?:not|t|t be|not be) (?:be )?found|couldn t be found|does ?(?:not|n t) exist|no longer|' +
  '(?:is|was)? ?unavailable|(?:has been|was) (?:removed|deleted)|(?:is )?gone|missing|' +
  'nicht gefunden|nicht mehr (?:verfugbar|erhaltlich|lieferbar)|existiert nicht|gibt es (?:leider )?nicht(?: mehr)?|' +
  'introuvable|non trouve\\p{L}*|n existe (?:pas|plus)|n est plus|' +
  'no (?:se )?(?:ha )?(?:sido )?encontrad\\p{L}*|ya no (?:esta|existe)|no existe|no disponible|' +
  'non trovat\\p{L}*|non (?:e|esiste) piu|non esiste|niet (?:meer )?(?:gevonden|beschikbaar|leverbaar)|bestaat niet|' +
  'nao (?:foi )?encontrad\\p{L}*|nao existe|nie (?:zostal\\p{L}* )?(?:znalezion\\p{L}*|istnieje)|nenalezen\\p{L}*|nebol\\p{L}* najden\\p{L}*|' +
  'kunde inte hittas|hittades inte|finns inte|blev ikke fundet|findes ikke|ble ikke funnet|finnes ikke|' +
  'ei loydy|nem talalhato|bulunamadi|tidak (?:di)?temukan|khong ton tai|δεν (?:βρεθηκε|υπαρχει)|не наиден\\p{L}*|не існує|не знайдено|не существует)';
/** Words for "gone" before it: "We can't find the page". */
const GONE_BEFORE =
  '(?:can ?(?:not|t) find|could ?(?:not|n t) find|couldn t find|nie znaleziono|no (?:se )?(?:ha )?encontra\\p{L}*|' +
  'konnten .{0,20}nicht finden)';
/** The same in scripts without spaces between words. */
const GONE_UNSPACED = new RegExp(
  [
    '(?:ページ|商品)(?:が|は)?(?:見つかりません|存在しません)',
    'お探しの.{0,12}見つかりません',
    '(?:页面|頁面|商品|宝贝).{0,4}(?:不存在|未找到|找不到|已下架)',
    '找不到.{0,6}(?:页面|頁面|商品)',
    '(?:페이지|상품).{0,6}(?:찾을 수 없|존재하지 않)',
    '(?:존재하지 않는|없는) ?(?:페이지|상품)',
    '(?:页面|頁面|商品|宝贝).{0,4}(?:找不到|没有找到)',
    'ไม่พบ(?:หน้า|สินค้า)|(?:الصفحة|المنتج|صفحة|منتج) غير (?:موجود|متوفر|متاح)|لم يتم العثور على (?:ال)?(?:صفحة|منتج)',
    '(?:הדף|העמוד|המוצר).{0,14}לא (?:נמצא|קיים)',
  ].join('|'),
  'u',
);
/** The error number alone or with words for an error; not "Route 404 Boots". */
const NUMBER = new RegExp(
  '^404$|\\b(?:error|erreur|fehler|errore|erro|chyba|blad)\\s?(?:404|410)\\b|' +
    '\\b404 (?:error|not found|page|oops|sorry|seite|pagina)',
  'u',
);

const GONE = new RegExp(
  `(?:^| )${PAGE_OR_PRODUCT}\\p{L}{0,4} (?:.{1,45} )?${GONE_AFTER}(?: |$)|` +
    `(?:^| )${GONE_BEFORE} (?:.{1,30} )?${PAGE_OR_PRODUCT}|^(?:not found|nothing (?:was )?found)`,
  'u',
);

/** Words that limit "unavailable" to now or to this visitor. Such a page says nothing about the product. */
const FOR_NOW = new RegExp(
  '(?:^| )(?:temporar\\p{L}*|current(?:ly)?|right now|at (?:the|this) (?:moment|time)|momentar\\p{L}*|try again|' +
    'maintenance|in (?:your|this) (?:country|region|area|location)|' +
    'vorubergehend\\p{L}*|derzeit|zur ?zeit|momentan|im moment|aktuell|momentanement|temporairement|actuellement|' +
    'pour le moment|temporal\\p{L}*|actualmente|(?:de|en este) momento|temporane\\p{L}*|momentane\\p{L}*|attualmente|' +
    'al momento|no momento|atualmente|tijdelijk|momenteel|tymczasowo|chwilowo|obecnie|docasne|momentalne|tillfalligt|' +
    'midlertidig\\p{L}*|gecici|su anda|временно|сеичас|тимчасово|зараз)(?: |$)',
  'u',
);

/**
 * The sentences by which a shop says that it is closed for maintenance, in folded letters. It sends that page in place of every
 * other.
 */
const CLOSED_FOR_NOW = new RegExp(
  '(?:^| )(?:(?:down for|under|scheduled|planned|undergoing|site|shop|store) maintenance|maintenance (?:mode|break|in progress)|(?:we )?(?:will|ll|are|re) be? ?(?:right )?back (?:soon|shortly)|back soon|' +
    'wartungs(?:arbeiten|modus|pause)|wegen wartung|(?:site )?en maintenance|maintenance en cours|en mantenimiento|mantenimiento programado|in manutenzione|manutenzione (?:in corso|programmata)|' +
    'em manutencao|manutencao programada|onderhoudswerkzaamheden|in onderhoud|underhallsarbete|vedligeholdelse|vedlikehold|huoltokatko|przerwa techniczna|prace (?:konserwacyjne|techniczne)|' +
    'probiha udrzba|prebieha udrzba|karbantartas (?:alatt|miatt)|in mentenanta|технические работы|техническое обслуживание|технічні роботи|bakim (?:calismasi|modu)|bakimdayiz)(?: |$)|' +
    'メンテナンス中|维护中|維護中|점검 ?중',
  'u',
);

function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll(/[øœ]/g, 'o')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether a title or heading is of a wall. */
export function isWallName(name: string): boolean {
  return WALL_NAME.test(name.trim());
}

/** Whether the little that a page shows is about a check or a refusal. */
export function saysWall(text: string): boolean {
  return WALL_WORDS.test(text);
}

/** The name and its parts, as they are compared. */
function partsOf(name: string): readonly string[] {
  return name.length > NAME_LENGTH ? [] : [name, ...name.split(/\s+[|–—·:-]\s+/)].map(fold);
}

/** Whether a title or heading says that its statement holds only for now, or only for this visitor. */
export function isForNow(name: string): boolean {
  return FOR_NOW.test(fold(name.slice(0, NAME_LENGTH)));
}

/** Whether a title or heading, or one part of it, says that the page or product is gone. */
export function isNotFoundName(name: string): boolean {
  if (name.length <= NAME_LENGTH && GONE_UNSPACED.test(name)) return true;
  const parts = partsOf(name);
  return parts.some((part) => NUMBER.test(part)) || (parts.some(saysGone) && !isForNow(name));
}

/** Whether a title or heading says that the page or product is not there for now, or not for this visitor. */
export function isAwayName(name: string): boolean {
  const parts = partsOf(name);
  return (
    parts.some((part) => CLOSED_FOR_NOW.test(part)) || (parts.some(saysGone) && isForNow(name))
  );
}

function saysGone(part: string): boolean {
  return GONE.test(part);
}
