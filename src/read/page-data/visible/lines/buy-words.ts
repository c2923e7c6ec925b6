// The labels of a button that buys the product of a page, in the languages of shops. A label is these words and no others:
// running text has them too.

const LABELS = [
  // English
  'add (?:this |item |all |both |it |bundle |\\d )?to (?:my |your |the )?(?:shopping )?(?:cart|bag|basket|trolley|tote)',
  'buy (?:it |this )?(?:now)?|buy online|order now|order online|add to order|purchase(?: now)?',
  // German, Dutch
  'in den (?:waren|einkaufs)(?:korb|wagen)(?: legen)?|in den warenkorb|zum warenkorb hinzufügen|jetzt (?:kaufen|bestellen)|sofort[- ]kaufen|kaufen|bestellen|in die einkaufstasche',
  'in (?:de |het |mijn )?winkel(?:wagen|mand(?:je)?|tas)|toevoegen aan (?:de |mijn )?winkel(?:wagen|mand)(?:je)?|aan (?:de |mijn )?winkel(?:wagen|mand)(?:je)? toevoegen|direct bestellen|voeg toe(?: aan winkelwagen)?|bestel(?:len)?(?: nu)?|nu kopen|koop nu',
  // French, Spanish, Portuguese, Italian, Romanian
  '(?:ajouter|mettre) (?:au|à mon|à votre|dans (?:le|mon)) (?:panier|sac)|(?:acheter|j.achète)(?: maintenant| en ligne)?|(?:je )?commander?',
  '(?:añadir|agregar|agrega|añade|meter) (?:al carrito|a (?:la|mi) cesta|a (?:la|mi) bolsa|al carro)(?: de compras?)?|comprar(?: ahora| ya| agora| online)?|(?:adicionar|colocar|pôr) (?:ao|no|à|na) (?:carrinho|saco|cesto|cesta|sacola)(?: de compras)?|adicionar|afeg(?:ir|eix) a la cistella|engadir (?:á cesta|ao carro)',
  'aggiungi al(?:la)? (?:carrello|borsa|shopping bag)|acquista(?: ora| adesso)?|compra(?: ora| ahora)?|metti nel carrello',
  'ad(?:a|ă)ug(?:a|ă) (?:în|in) co(?:s|ș|ş)|cump(?:a|ă)r(?:a|ă)(?: acum)?|comand(?:a|ă)',
  // Slavic languages
  'do koszyka|(?:dodaj|wrzuć) do koszyka|kup(?: teraz)?|(?:přidat |vložit |dát )?do košíku|koupit(?: nyní| ihned)?|(?:pridať |vložiť )?do košíka|kúpiť(?: teraz)?|objednat|objednať',
  'dodaj (?:u|v) ko(?:š|s)aric[ou]|u ko(?:š|s)aricu|v ko(?:š|s)arico|kupi(?: odmah| zdaj)?|naruči|(?:dodaj|stavi) u korpu|stavi u ko(?:š|s)aricu|додај у корпу|додади во кошничка',
  '(?:добавить )?в корзину|купить(?: сейчас| в (?:1|один) клик)?|заказать|(?:додати |покласти )?(?:в|до) кошик[ау]?|купити|замовити|купи(?: сега)?|добав(?:и|яне) в количката|в количката|себетке қосу',
  // Nordic and Baltic languages, Hungarian, Finnish, Estonian
  'köp(?: nu)?|lägg (?:till )?i (?:varukorg(?:en)?|kundvagn(?:en)?|kundkorg(?:en)?|korgen)|legg (?:til )?i handle(?:kurv|vogn)(?:en)?|kjøp(?: nå)?|læg i (?:indkøbs)?kurv(?:en)?|køb(?: nu)?|(?:tilføj|føj) til (?:indkøbs)?kurv(?:en)?|(?:setja|bæta) í körfu|kaupa',
  'lisää (?:ostos)?koriin|ostoskoriin|osta(?: nyt| heti)?|lisa (?:ostu)?korvi|ostukorvi|ielikt grozā|(?:pievienot |likt )?groz(?:am|ā)|pirkt|(?:įdėti )?į krepšelį|pirkti',
  '(?:hozzáadás a )?kosár(?:ba|hoz)(?: teszem| rakom| tesz)?|megveszem|megrendelem',
  // Greek, Turkish, Hebrew, Arabic, Persian
  '(?:προσθήκη )?στο καλάθι|αγορά(?: τώρα)?|sepete (?:ekle|at)|satın al|(?:hemen|şimdi) al|הוסף ל(?:סל|עגלה)|הוספה לסל|הוסיפו לסל|לרכישה|קנה עכשיו|קנו עכשיו|הזמן עכשיו',
  '(?:أضف|اضف|إضافة|اضافة) (?:إلى|الى|للسلة)(?: (?:السلة|سلة التسوق|العربة|عربة التسوق))?|(?:اشتري?|شراء|اطلب) الآن|افزودن به سبد(?: خرید)?',
  // Asian languages
  '(?:商品を)?(?:ショッピング)?(?:カート|バッグ)[にへ](?:入れる|追加(?:する)?)|(?:お?買い?物)?(?:かご|カゴ)に(?:入れる|追加(?:する)?)|ご?購入(?:する|手続きへ)?|今すぐ(?:買う|購入(?:する)?)|注文する|加入购物[车袋]|(?:加入|放入|加到)購物車|(?:立即|马上)购买|立即購買|直接購買|(?:장바구니|쇼핑백|카트)(?:에)? 담기|장바구니(?:에)?|(?:바로 ?)?구매하기|바로 ?구매',
  'thêm vào giỏ(?: hàng)?|mua ngay|chọn mua|đặt (?:mua|hàng)(?: ngay)?|(?:tambah(?:kan)?|masukkan) (?:ke )?(?:keranjang|troli)|beli(?: sekarang| langsung)?|(?:หยิบ|เพิ่ม)(?:ใส่|ลง)?(?:ใน)?(?:ตะกร้า|รถเข็น)(?:สินค้า)?|ซื้อ(?:เลย|สินค้า|ทันที)?',
].join('|');

const WHOLE = new RegExp(`^(?:${LABELS})$`, 'iu');
/** What stands beside the words on a button: an amount, an icon, a mark. */
const TRIMMED = /^[\s\p{P}\p{S}\d]+|[\s\p{P}\p{S}\d]+$/gu;
/** A price on the button: "Add to cart · $29.99", "Buy for 12 EUR". */
const AMOUNT =
  /\s*(?:[-–—·|:]|for|für)?\s*(?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,\s]*\s?(?:\p{Sc}|[A-Z]{3})?$/u;

/** Blanks that are not one. Most labels have none: putting in one for each took longer than comparing the words. */
const BLANKS = /\s\s|[^\S ]/;

/** Whether a label says that the button buys. */
export function isBuyLabel(label: string): boolean {
  if (label.length > 80) return false;
  const words = /\d/.test(label) ? label.replace(AMOUNT, '') : label;
  const isTrim = /^[a-z](?:.*[a-z])?$/is.test(words);
  const trimmed = isTrim ? words : words.replaceAll(TRIMMED, '');
  const bare = BLANKS.test(trimmed) ? trimmed.replaceAll(/\s+/g, ' ') : trimmed;
  return bare !== '' && WHOLE.test(bare);
}

/** What a button may say that in a link leads to all that is sold: "Buy", beside "Rent". */
const BARE_LABEL = /^buy$/i;

/** Whether the label of a button, which is no link to another page, says that it buys. */
export function isBuyButtonLabel(label: string): boolean {
  return isBuyLabel(label) || BARE_LABEL.test(label.trim());
}

/** Classes and ids of buttons that buy. */
const BUY_CLASS =
  /(?:^|[\s_-])(?:add-?_?(?:to-?_?)?(?:cart|bag|basket)|buy-?now|btn-?buy|buy-?(?:btn|button)|single_add_to_cart_button|product-form__submit)(?:$|[\s_-])/i;

/** What each of them has; few other names do. */
const BUY_PART = /add|buy|submit/i;

/** Whether the class or id of an element says that it buys. */
export function isBuyClass(words: string): boolean {
  return BUY_PART.test(words) && BUY_CLASS.test(words);
}
