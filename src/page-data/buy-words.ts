// The labels of a button that buys the product of a page, in the languages of shops. A label is these words and no others:
// running text has them too.

const LABELS = [
  // English
  'add (?:this |item |all |both |it |bundle )?to (?:my |your |the )?(?:shopping )?(?:cart|bag|basket|trolley|tote)',
  'buy (?:it |this )?(?:now)?|buy online|order now|order online|add to order|purchase(?: now)?',
  // German, Dutch
  'in den (?:waren|einkaufs)(?:korb|wagen)(?: legen)?|in den warenkorb|zum warenkorb hinzufügen|jetzt (?:kaufen|bestellen)|kaufen|bestellen|in die einkaufstasche',
  'in (?:de |het |mijn )?winkel(?:wagen|mand(?:je)?|tas)|(?:toevoegen )?aan winkel(?:wagen|mand)(?:je)? toevoegen|voeg toe(?: aan winkelwagen)?|bestel(?:len)?(?: nu)?|nu kopen|koop nu',
  // French, Spanish, Portuguese, Italian, Romanian
  'ajouter (?:au|à mon|à votre|dans le) (?:panier|sac)|acheter(?: maintenant| en ligne)?|commander',
  '(?:añadir|agregar|agrega|añade|meter) (?:al carrito|a la cesta|a la bolsa|al carro|a mi bolsa)(?: de compras?)?|comprar(?: ahora| ya| agora| online)?|(?:adicionar|colocar|pôr) (?:ao|no) (?:carrinho|saco|cesto)(?: de compras)?|adicionar à sacola|adicionar',
  'aggiungi al(?:la)? (?:carrello|borsa|shopping bag)|acquista(?: ora| adesso)?|compra(?: ora| ahora)?|metti nel carrello',
  'ad(?:a|ă)ug(?:a|ă) (?:în|in) co(?:s|ș|ş)|cump(?:a|ă)r(?:a|ă)(?: acum)?|comand(?:a|ă)',
  // Slavic languages
  'do koszyka|dodaj do koszyka|kup(?: teraz)?|(?:přidat |vložit |dát )?do košíku|koupit|(?:pridať |vložiť )?do košíka|kúpiť|objednat|objednať',
  'dodaj (?:u|v) ko(?:š|s)aric[ou]|u ko(?:š|s)aricu|v ko(?:š|s)arico|kupi(?: odmah| zdaj)?|naruči|dodaj u korpu|stavi u korpu',
  '(?:добавить )?в корзину|купить(?: сейчас)?|заказать|(?:додати |покласти )?(?:в|до) кошик[ау]?|купити|замовити|купи|добави в количката|в количката',
  // Nordic and Baltic languages, Hungarian, Finnish, Estonian
  'köp(?: nu)?|lägg i (?:varukorgen|kundvagn(?:en)?|korgen)|legg i handlekurv(?:en)?|kjøp(?: nå)?|læg i (?:indkøbs)?kurv(?:en)?|køb(?: nu)?|tilføj til kurv',
  'lisää (?:ostos)?koriin|ostoskoriin|osta(?: nyt)?|lisa (?:ostu)?korvi|ostukorvi|ielikt grozā|(?:pievienot |likt )?groz(?:am|ā)|pirkt|(?:įdėti )?į krepšelį|pirkti',
  '(?:hozzáadás a )?kosár(?:ba|hoz)(?: teszem| rakom| tesz)?|megveszem|megrendelem',
  // Greek, Turkish, Hebrew, Arabic, Persian
  '(?:προσθήκη )?στο καλάθι|αγορά(?: τώρα)?|sepete ekle|satın al|hemen al|הוסף לסל|הוספה לסל|הוסיפו לסל|לרכישה|קנה עכשיו|קנו עכשיו|הזמן עכשיו',
  'أضف (?:إلى|الى|للسلة)(?: (?:السلة|سلة التسوق|العربة|عربة التسوق))?|إضافة (?:إلى|الى) (?:السلة|العربة)|اشتر(?:ي)? الآن|افزودن به سبد(?: خرید)?',
  // Asian languages
  'カートに(?:入れる|追加)|買い物かごに入れる|購入(?:する|手続きへ)?|今すぐ買う|加入购物车|加入購物車|放入購物車|立即购买|立即購買|直接購買|장바구니(?: 담기)?|구매하기|바로구매',
  'thêm vào giỏ(?: hàng)?|mua ngay|đặt (?:mua|hàng)(?: ngay)?|tambah(?:kan)? ke (?:keranjang|troli)|beli(?: sekarang)?|(?:หยิบ|เพิ่ม)(?:ใส่|ลง)?(?:ใน)?(?:ตะกร้า|รถเข็น)(?:สินค้า)?|ซื้อ(?:เลย|สินค้า|ทันที)?',
].join('|');

const WHOLE = new RegExp(`^(?:${LABELS})$`, 'iu');
/** What stands beside the words on a button: an amount, an icon, a mark. */
const TRIMMED = /^[\s\p{P}\p{S}\d]+|[\s\p{P}\p{S}\d]+$/gu;
/** A price on the button: "Add to cart · $29.99", "Buy for 12 EUR". */
const AMOUNT =
  /\s*(?:[-–—·|:]|for|für)?\s*(?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,\s]*\s?(?:\p{Sc}|[A-Z]{3})?$/u;

/** Whether a label says that the button buys. */
export function isBuyLabel(label: string): boolean {
  if (label.length > 80) return false;
  const words = /\d/.test(label) ? label.replace(AMOUNT, '') : label;
  const isTrim = /^[a-z](?:.*[a-z])?$/is.test(words);
  const bare = (isTrim ? words : words.replaceAll(TRIMMED, '')).replaceAll(/\s+/g, ' ');
  return bare !== '' && WHOLE.test(bare);
}

/** Classes and ids of buttons that buy. */
const BUY_CLASS =
  /(?:^|[\s_-])(?:add-?_?to-?_?(?:cart|bag|basket)|addto(?:cart|bag|basket)|buy-?now|btn-?buy|buy-?(?:btn|button)|single_add_to_cart_button|product-form__submit)(?:$|[\s_-])/i;

/** What each of them has; few other names do. */
const BUY_PART = /add|buy|submit/i;

/** Whether the class or id of an element says that it buys. */
export function isBuyClass(words: string): boolean {
  return BUY_PART.test(words) && BUY_CLASS.test(words);
}
