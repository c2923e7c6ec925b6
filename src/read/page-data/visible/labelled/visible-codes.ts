// The numbers that a page prints beside their labels: the shop's own ("Art.-Nr.: 4711") and the maker's ("Manufacturer part number:
// AB-12").

import { labelOfWords, valuesBeside } from './labelled-values.ts';
import type { Label, LabelledLine } from './labelled-values.ts';

const OF_SHOP = labelOfWords(
  'sku|(?:item|product|article|catalog(?:ue)?|stock) ?(?:no\\.?|nr\\.?|number|code|#)|' +
    'art(?:ikel)?\\.?[ -]?(?:nr\\.?|nummer|no\\.?|code)|(?:bestell|produkt|product)[ -]?(?:nr\\.?|nummer|code)|' +
    'r[ée]f(?:\\.|érence)?(?: (?:produit|article))?|refer[eê]ncia|(?:código|cód\\.)(?: (?:del|do))? (?:producto|produto|artículo|artigo)|' +
    '(?:codice|cod\\.) (?:articolo|prodotto)|cod (?:produs|articol)|varenr\\.?|varenummer|tuote(?:numero|koodi)|tootekood|preces kods|prekės kodas|' +
    'kod produktu|indeks|kód (?:produktu|zboží|tovaru)|číslo (?:produktu|zboží)|cikkszám|termékkód|šifra(?: (?:proizvoda|artikla|izdelka))?|' +
    'артикул|код (?:товара|товару|продукта|на продукта)|κωδικός(?: προϊόντος)?|(?:ürün|stok) kodu|מק["״\']?ט|رمز المنتج|کد (?:محصول|کالا)|شناسه (?:محصول|کالا)|' +
    '商品(?:コード|番号|編號|编号)|品番|货号|貨號|상품 ?(?:코드|번호)|품번|mã (?:sản phẩm|sp|hàng)|kode produk|รหัสสินค้า',
);

const OF_MAKER = labelOfWords(
  "mpn|(?:manufacturers?|manufacturer['’]s|mfr\\.?|mfg\\.?) ?(?:part|product|item|model)? ?(?:no\\.?|nr\\.?|number|code|#|sku)|" +
    'hersteller[ -]?(?:artikel|teile)?[ -]?(?:nr\\.?|nummer)|(?:artikel|teile)nummer des herstellers|(?:fabrikant|fabrikants?)(?:code|nummer)|' +
    '(?:artikel|onderdeel)nummer (?:van de )?fabrikant|r[ée]f(?:\\.|érence)? (?:du )?fabri[cq]ant|' +
    '(?:referencia|ref\\.|código|cód\\.)(?: (?:del|do))? fabricante|(?:codice|cod\\.)(?: del)? produttore|cod (?:producător|producator)|' +
    'kod producenta|kód výrobc[eu]|gyártói (?:cikkszám|kód)|tillverkarens (?:artikelnummer|art\\.?nr\\.?)|' +
    '(?:артикул|код|номер) (?:производителя|виробника)|メーカー(?:型番|品番)',
);

/** One word with a digit, or in capitals: "in stock" beside a label is no number. */
const CODE = /^(?=.*\d|[^\p{Ll}]{2,}$)[\p{L}\d][\p{L}\d._/#+-]{0,39}$/u;

function codeBeside(lines: readonly LabelledLine[], label: Label): string | null {
  const codes = valuesBeside(lines, label, (text) => {
    const code = text.replace(/^#\s?/, '');
    return CODE.test(code) ? code : null;
  });
  return new Set(codes).size === 1 ? (codes[0] ?? null) : null;
}

/** The shop's and the maker's number of the product; null where the page shows none, or several. */
export function visibleCodes(lines: readonly LabelledLine[]): {
  sku: string | null;
  mpn: string | null;
} {
  return { sku: codeBeside(lines, OF_SHOP), mpn: codeBeside(lines, OF_MAKER) };
}
