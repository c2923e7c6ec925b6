// Headings of languages that the generated sheets do not have: the code and the cost of one piece, and what a package contains.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { costIn } from '../../../src/edge/sheets/cost-column.ts';
import { chooseColumns } from '../../../src/edge/sheets/identifier-column.ts';
import { readRow } from '../../../src/edge/sheets/sheet-row.ts';

const [PEN, LAMP, DESK] = ['4006381333931', '5012345678900', '7501031311309'];

/** Code of a piece and of a package, cost of both, contents, retail price, freight. */
const HEADINGS: Readonly<
  Record<string, readonly [string, string, string, string, string, string, string]>
> = {
  hr: [
    'EAN komad',
    'EAN karton',
    'Nabavna cijena',
    'Nabavna cijena karton',
    'Količina u kartonu',
    'Maloprodajna cijena',
    'Trošak prijevoza',
  ],
  sl: [
    'EAN kos',
    'EAN karton',
    'Nabavna cena',
    'Nabavna cena karton',
    'Količina v kartonu',
    'Prodajna cena',
    'Strošek dostave',
  ],
  bg: [
    'Баркод',
    'Баркод кашон',
    'Доставна цена',
    'Доставна цена кашон',
    'Брой в кашон',
    'Продажна цена',
    'Транспорт',
  ],
  lt: [
    'EAN vnt',
    'EAN dėžė',
    'Pirkimo kaina',
    'Pirkimo kaina dėžė',
    'Kiekis dėžėje',
    'Pardavimo kaina',
    'Transporto kaštai',
  ],
  lv: [
    'EAN gab.',
    'EAN kaste',
    'Iepirkuma cena',
    'Iepirkuma cena kaste',
    'Daudzums kastē',
    'Pārdošanas cena',
    'Transporta izmaksas',
  ],
  et: [
    'Ribakood',
    'Ribakood kast',
    'Ostuhind',
    'Ostuhind kast',
    'Kogus kastis',
    'Müügihind',
    'Transpordikulu',
  ],
  vi: [
    'Mã vạch',
    'Mã vạch thùng',
    'Giá nhập',
    'Giá nhập thùng',
    'Số lượng thùng',
    'Giá bán',
    'Chi phí vận chuyển',
  ],
  id: [
    'Barcode satuan',
    'Barcode karton',
    'Harga beli',
    'Harga beli karton',
    'Isi karton',
    'Harga jual',
    'Ongkir',
  ],
  th: ['บาร์โค้ด', 'บาร์โค้ดลัง', 'ราคาทุน', 'ราคาทุนลัง', 'จำนวนต่อลัง', 'ราคาขาย', 'ค่าขนส่ง'],
  ko: ['단품 바코드', '박스 바코드', '매입가', '박스 매입가', '박스 입수', '판매가', '배송비'],
  uk: [
    'Штрихкод',
    'Штрихкод ящика',
    'Закупівельна ціна',
    'Закупівельна ціна ящика',
    'Кількість в ящику',
    'Роздрібна ціна',
    'Вартість доставки',
  ],
  ro: [
    'EAN bucată',
    'EAN bax',
    'Preț de achiziție',
    'Preț de achiziție bax',
    'Bucăți pe bax',
    'Preț de vânzare',
    'Cost transport',
  ],
  hu: [
    'EAN darab',
    'EAN karton',
    'Beszerzési ár',
    'Beszerzési ár karton',
    'Darab kartononként',
    'Eladási ár',
    'Szállítási költség',
  ],
  el: [
    'Barcode τεμάχιο',
    'Barcode κιβώτιο',
    'Τιμή κόστους',
    'Τιμή κόστους κιβώτιο',
    'Τεμάχια κιβωτίου',
    'Λιανική τιμή',
    'Κόστος αποστολής',
  ],
  sk: [
    'EAN kus',
    'EAN kartón',
    'Nákupná cena',
    'Nákupná cena kartón',
    'Počet v kartóne',
    'Predajná cena',
    'Náklady na dopravu',
  ],
  da: [
    'EAN stk',
    'EAN kolli',
    'Indkøbspris',
    'Indkøbspris kolli',
    'Antal pr. kolli',
    'Vejl. pris',
    'Fragtomkostning',
  ],
  nb: [
    'EAN stk',
    'EAN kartong',
    'Innkjøpspris',
    'Innkjøpspris kartong',
    'Antall per kartong',
    'Veil. pris',
    'Fraktkostnad',
  ],
  fi: [
    'EAN kpl',
    'EAN laatikko',
    'Ostohinta',
    'Ostohinta laatikko',
    'Kpl laatikossa',
    'Ohjehinta',
    'Rahtikustannus',
  ],
  ca: [
    'Codi de barres unitat',
    'Codi de barres caixa',
    'Preu de compra',
    'Preu de compra caixa',
    'Unitats per caixa',
    'Preu de venda',
    'Cost enviament',
  ],
  he: [
    'ברקוד יחידה',
    'ברקוד קרטון',
    'מחיר קנייה',
    'מחיר קנייה קרטון',
    'כמות בקרטון',
    'מחיר מכירה',
    'עלות משלוח',
  ],
  ar: [
    'باركود القطعة',
    'باركود كرتون',
    'سعر الشراء',
    'سعر الشراء كرتون',
    'الكمية في كرتون',
    'سعر البيع',
    'تكلفة الشحن',
  ],
  fa: [
    'بارکد واحد',
    'بارکد کارتن',
    'قیمت خرید',
    'قیمت خرید کارتن',
    'تعداد در کارتن',
    'قیمت فروش',
    'هزینه حمل',
  ],
};

for (const [language, [piece, box, cost, boxCost, contents, price, freight]] of Object.entries(
  HEADINGS,
)) {
  test(`the code and the cost of one piece are found in a sheet in ${language}`, () => {
    const read = (...cells: readonly (readonly string[])[]) => {
      const rows = cells.map((each, at) => readRow(at + 1, each));
      const found = chooseColumns(rows, { identifier: null, cost: null }, 'EUR');
      const { names, identifier, cost: column } = found;
      const cents = column === null ? null : costIn(cells[1] ?? [], column)?.cents;
      return [names[identifier], column === null ? null : names[column.at], cents];
    };
    const plain = read(
      [box, price, piece, freight, cost],
      [LAMP, '9,00', PEN, '1,00', '4,10'],
      [DESK, '9,00', `EAN ${LAMP}`, '1,00', '5,00'],
    );
    assert.deepEqual(plain, [piece, cost, 410]);
    const packed = read(
      [box, boxCost, freight, piece, contents],
      [LAMP, '49,20', '1,00', PEN, '12'],
      [DESK, '60,00', '1,00', `EAN ${LAMP}`, '12'],
    );
    assert.deepEqual(packed, [piece, boxCost, 410]);
  });
}
