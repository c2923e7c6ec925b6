// Recognizes service pages of shops by their headings: the cart, the checkout, saved or viewed products, a comparison, the
// results of a search. There are only these few functions, and each has a few names in a language.

import { lowerWords } from './page-names.ts';

const MY =
  '(?:your|my|ihre?|meine?|deine?|mon|mes|votre|vos|ta|ma|mi|mis|tu|tus|su|sus|il tuo|il mio|la mia|la tua|i miei|i tuoi|o meu|os meus|a minha|meu|meus|minha|seu|seus|' +
  'twój|twoje|mój|moja|moje|váš|můj|můj|môj|din|dine|mine|min|mina|dina|je|mijn|uw|omat|mano|minu|мой|моя|мои|мое|моё|мій|моя|мої|моите|моји|moji|az én)';
/** Words for a list that somebody shared or kept for later. */
const SHARED =
  '(?:shared|saved|geteilter?|gespeicherter?|partagée?|enregistrée?|compartid[oa]s?|guardad[oa]s?|condivis[oa]|salvat[oa]|partilhad[oa]|gedeelde?|opgeslagen|delad|sparad|delt|gemt|udostępniony|sdílený)';

const CART =
  'shopping ?cart|cart|basket|shopping bag|bag|trolley|checkout|secure checkout|order(?: summary| review| confirmation)?|' +
  'warenkorb|einkaufswagen|einkaufskorb|kasse|bestell(?:ung|übersicht)(?: prüfen)?|panier|commande|récapitulatif(?: de commande)?|' +
  'carrito(?: de compras?)?|cesta(?: de (?:la )?compra)?|pedido|resumen del pedido|carrello|riepilogo (?:ordine|dell ordine)|carrinho(?: de compras)?|' +
  'sacola|resumo do pedido|winkel(?:wagen|mand(?:je)?)|koszyk|podsumowanie zamówienia|košík|nákupní košík|kosár|coș(?:ul)?(?: de cumpărături)?|' +
  'varukorg(?:en)?|kundvagn(?:en)?|handlekurv(?:en)?|indkøbskurv(?:en)?|ostoskori|корзина|кошик|оформление заказа|sepet(?:im)?|καλάθι|' +
  'カート|ショッピングカート|购物车|購物車|장바구니|سلة التسوق|עגלת קניות|giỏ hàng|keranjang(?: belanja)?|ตะกร้าสินค้า';

/** Names of the lists of products that a visitor has saved, viewed or compared. */
const LISTS = [
  'wish ?list|favou?rites|saved (?:items|products|for later)|recently viewed(?: (?:items|products))?|(?:compare|comparison of) products|products? comparison(?: list)?',
  'wunsch(?:liste|zettel)|merk(?:liste|zettel)|favoriten|zuletzt (?:angesehen|angesehene (?:artikel|produkte))|(?:produkt|artikel)vergleich|produkte vergleichen',
  'liste (?:d envies?|de souhaits)|favoris|(?:produits )?(?:récemment|derniers) (?:vus|consultés|produits consultés)|comparateur|comparaison (?:de|des) produits|comparer les produits',
  'lista (?:de deseos|de favoritos)|favoritos|(?:productos )?vistos recientemente|(?:comparar|comparación de|comparador de) productos',
  'lista (?:dei )?desideri|preferiti|(?:prodotti )?visti di recente|(?:confronta|confronto) prodotti|lista de desejos|vistos recentemente|comparar produtos',
  'verlanglijst(?:je)?|wensenlijst|favorieten|(?:laatst|recent) bekeken(?: producten)?|producten vergelijken|vergelijk producten',
  'lista życzeń|ulubione|(?:ostatnio )?(?:oglądane|przeglądane)(?: produkty)?|porównanie produktów|porównywarka(?: produktów)?',
  'seznam přání|oblíbené(?: produkty)?|naposledy (?:zobrazené|navštívené)|porovnání (?:produktů|zboží)|zoznam želaní|obľúbené|porovnanie produktov',
  'önskelista|favoriter|senast (?:visade|sedda)|jämför produkter|ønskeliste|favoritter|sist sett|senest (?:sete|viste)|sammenlign (?:produkter|varer)|toivelista|suosikit|viimeksi katsotut',
  'kívánságlista|kedvencek|összehasonlítás|listă de dorințe|comparare produse|lista želja|omiljeni|seznam želja|sooviloend|soovinimekiri|vēlmju saraksts|norų sąrašas',
  'избранное|(?:список )?(?:желаний|желаемого)|закладки|(?:вы )?(?:недавно )?(?:смотрели|просмотренные(?: товары)?)|сравнение(?: товаров)?|обране|порівняння(?: товарів)?|любими|сравняване на продукти',
  'λίστα επιθυμιών|αγαπημένα|σύγκριση προϊόντων|favorilerim|favoriler|istek listem|karşılaştır(?:ma)?|רשימת משאלות|מועדפים|المفضلة|قائمة الأمنيات|علاقه مندی ها',
  'お気に入り(?:一覧|リスト|商品)?|ほしい物リスト|最近チェックした商品|閲覧履歴|收藏夹|我的收藏|收藏清單|心愿单|追蹤清單|商品对比|찜 ?목록|위시리스트|관심상품|최근 본 상품|danh sách yêu thích|daftar keinginan|สินค้าที่ชอบ',
].join('|');

/** What the heading above search results begins with, after the number of results. */
const RESULTS = [
  'search results?|results for|suchergebnis(?:se)?|such(?:e nach|resultate)|(?:treffer|ergebnisse) für|résultats? (?:de (?:la |votre )?recherche|pour)|recherche pour',
  'resultados? (?:de (?:la |tu )?(?:búsqueda|busca|pesquisa)|para)|risultat[io] (?:della |di )?(?:ricerca|per)|zoekresultaten|resultaten voor|(?:gevonden )?producten voor',
  'wyniki wyszukiwania|výsledky (?:vyhledávání|hledání|vyhľadávania)|sökresultat|søkeresultat(?:er)?|søgeresultat(?:er)?|hakutulokset|keresési? (?:eredmény(?:ek)?|találatok)',
  'rezultate(?:le)? căut(?:ării|are)|rezultati pretra(?:ge|živanja)|rezultati iskanja|otsingu(?:tulemused)?|meklēšanas rezultāti|paieškos rezultatai',
  'результаты поиска|результати пошуку|резултати от търсенето|αποτελέσματα αναζήτησης|arama sonuçları|תוצאות חיפוש|نتائج البحث|نتایج جستجو',
  '検索結果|搜索结果|搜尋結果|검색 ?결과|kết quả tìm kiếm|hasil pencarian|ผลการค้นหา',
].join('|');

const SERVICE_NAME = new RegExp(
  `^(?:(?:${MY} )?(?:${SHARED} )?(?:${CART}|${LISTS})(?: ${SHARED})?(?: \\d+)?|(?:\\d+ (?:\\p{L}+ )?)?(?:${RESULTS})(?!\\p{L}).*)$`,
  'iu',
);

/** Whether a heading is that of a service page, whatever the address says. */
export function isServiceName(heading: string): boolean {
  return SERVICE_NAME.test(lowerWords(heading).join(' '));
}
