// Invented supplier sheets with the answer next to them: headings in several languages, columns that resemble the right ones,
// cells as people leave them. The same seed gives the same sheet.

import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import { integerBelow, pick, randomFrom } from './random.ts';

type Random = () => number;

type SupplierSheet = {
  readonly text: string;
  readonly currency: string;
  /** The heading of the column with the products. */
  readonly codes: string;
  /** The heading of the column whose costs are used; null if no column has the cost of one. */
  readonly costs: string | null;
  /** For each row below the headings: the barcode, null if the cell has none, and the cost in cents. */
  readonly rows: readonly { readonly gtin: string | null; readonly cents: number | null }[];
};

/** Headings of one language by what the column contains. */
type Headings = Readonly<
  Record<
    | 'piece'
    | 'box'
    | 'oldCode'
    | 'cost'
    | 'boxCost'
    | 'pack'
    | 'title'
    | 'price'
    | 'freight'
    | 'oldCost'
    | 'centre'
    | 'phone',
    readonly string[]
  >
>;

const LANGUAGES: Readonly<Record<string, Headings>> = {
  en: {
    piece: ['UPC', 'EAN', 'GTIN', 'Barcode', 'Unit UPC', 'Each Barcode', 'UPC Code', 'Item EAN'],
    box: ['Case UPC', 'Master Carton EAN', 'Inner Pack Barcode', 'Outer GTIN', 'Case GTIN-14'],
    oldCode: ['Old UPC', 'Previous EAN'],
    cost: [
      'Cost',
      'Unit Cost',
      'Wholesale Price',
      'Net Price',
      'Your Cost',
      'Cost Each',
      'Dealer Price',
    ],
    boxCost: ['Case Cost', 'Cost per Case', 'Carton Price', 'Master Cost'],
    pack: ['Case Pack', 'Units per Case', 'Pack Size', 'Qty / Carton', 'Case Qty'],
    title: ['Description', 'Item Name'],
    price: ['MSRP', 'Retail Price', 'List Price', 'RRP'],
    freight: ['Freight Cost', 'Shipping Cost', 'Handling Cost'],
    oldCost: ['Old Cost', 'Previous Cost', 'Last Year Cost'],
    centre: ['Cost Center', 'Cost Code', 'Cost Method', 'Cost Date', 'Cost %', 'Cost Group'],
    phone: ['Phone', 'Vendor Number', 'HS Code'],
  },
  de: {
    piece: ['EAN', 'GTIN', 'EAN Stück', 'Strichcode', 'EAN-Code', 'Artikel-EAN', 'EAN Einzelstück'],
    box: ['EAN Karton', 'EAN VPE', 'Umkarton-EAN', 'GTIN Verpackungseinheit', 'EAN Gebinde'],
    oldCode: ['alte EAN', 'EAN alt'],
    cost: [
      'EK',
      'EK netto',
      'Einkaufspreis',
      'Nettopreis',
      'Händlerpreis',
      'EK-Preis',
      'Stückpreis netto',
    ],
    boxCost: ['EK Karton', 'Kosten pro Karton', 'EK je VPE', 'Einkaufspreis Karton'],
    pack: ['VPE', 'Stück pro Karton', 'Inhalt Karton', 'Menge je VPE'],
    title: ['Bezeichnung', 'Artikel'],
    price: ['UVP', 'VK', 'Listenpreis'],
    freight: ['Frachtkosten', 'Versandkosten'],
    oldCost: ['EK alt', 'Bisheriger EK'],
    centre: ['Kostenstelle', 'Kostenart', 'EK Datum', 'Kosten %'],
    phone: ['Telefon', 'Zolltarifnummer'],
  },
  fr: {
    piece: ['EAN', 'Code-barres', 'GTIN', 'Code EAN unité', 'EAN pièce', 'Gencod EAN'],
    box: ['EAN carton', 'Code-barres colis', 'GTIN palette', 'EAN caisse'],
    oldCode: ['Ancien EAN'],
    cost: [
      "Prix d'achat",
      'PA HT',
      'Coût',
      'Prix net HT',
      'Coût unitaire',
      "Prix d'achat HT",
      'Prix de revient',
    ],
    boxCost: ['Coût par carton', "Prix d'achat colis"],
    pack: ['Unités par carton', 'PCB', 'Colisage'],
    title: ['Désignation', 'Libellé'],
    price: ['PVC', 'Prix public', 'Prix de vente conseillé'],
    freight: ['Coût de transport', 'Frais de port'],
    oldCost: ['Ancien coût', "Ancien prix d'achat"],
    centre: ['Centre de coûts', 'Code coût', 'Date coût'],
    phone: ['Téléphone', 'Code douanier'],
  },
  es: {
    piece: ['EAN', 'Código de barras', 'EAN unidad', 'GTIN', 'Código EAN'],
    box: ['EAN caja', 'DUN14 caja', 'Código de barras bulto'],
    oldCode: ['EAN anterior'],
    cost: ['Coste', 'Costo unitario', 'Precio de compra', 'Precio neto', 'Precio mayorista'],
    boxCost: ['Coste por caja', 'Costo caja'],
    pack: ['Unidades por caja', 'Uds/caja', 'Cantidad por bulto'],
    title: ['Descripción'],
    price: ['PVP', 'Precio de venta'],
    freight: ['Coste de envío', 'Costo flete'],
    oldCost: ['Coste anterior'],
    centre: ['Centro de coste', 'Código de coste', 'Fecha coste'],
    phone: ['Teléfono'],
  },
  it: {
    piece: ['EAN', 'Codice a barre', 'EAN pezzo', 'Codice EAN'],
    box: ['EAN cartone', 'Codice a barre collo', 'EAN imballo'],
    oldCode: ['Vecchio EAN'],
    cost: ['Costo', 'Prezzo di acquisto', 'Costo unitario', 'Prezzo netto'],
    boxCost: ['Costo cartone', 'Costo per collo'],
    pack: ['Pezzi per cartone', 'Pz x collo'],
    title: ['Descrizione'],
    price: ['Prezzo al pubblico', 'Prezzo di vendita'],
    freight: ['Costo trasporto', 'Costo spedizione'],
    oldCost: ['Vecchio costo', 'Costo precedente'],
    centre: ['Centro di costo', 'Codice costo', 'Data costo'],
    phone: ['Telefono'],
  },
  nl: {
    piece: ['EAN', 'EAN stuk', 'Barcode', 'EAN consumenteneenheid'],
    box: ['EAN doos', 'EAN omdoos', 'Barcode verpakking'],
    oldCode: ['Oude EAN'],
    cost: ['Inkoopprijs', 'Kostprijs', 'Nettoprijs', 'Inkoop'],
    boxCost: ['Inkoopprijs per doos', 'Kostprijs omdoos'],
    pack: ['Aantal per doos', 'Stuks per omdoos'],
    title: ['Omschrijving'],
    price: ['Adviesprijs', 'Verkoopprijs'],
    freight: ['Verzendkosten', 'Transportkosten'],
    oldCost: ['Oude inkoopprijs', 'Vorige kostprijs'],
    centre: ['Kostenplaats', 'Kostprijs datum'],
    phone: ['Telefoon'],
  },
  pl: {
    piece: ['EAN', 'Kod kreskowy', 'EAN sztuka', 'Kod EAN'],
    box: ['EAN karton', 'EAN opakowanie zbiorcze', 'Kod EAN palety'],
    oldCode: ['Stary EAN'],
    cost: ['Cena zakupu', 'Koszt', 'Cena hurtowa', 'Cena zakupu netto'],
    boxCost: ['Koszt kartonu', 'Cena zakupu karton'],
    pack: ['Sztuk w kartonie', 'Ilość w opakowaniu'],
    title: ['Nazwa'],
    price: ['Cena detaliczna', 'Cena sprzedaży'],
    freight: ['Koszt dostawy', 'Koszt transportu'],
    oldCost: ['Poprzedni koszt', 'Stara cena zakupu'],
    centre: ['Kod kosztu', 'Data zakupu'],
    phone: ['Telefon'],
  },
  sv: {
    piece: ['EAN', 'Streckkod', 'EAN styck', 'EAN konsument'],
    box: ['EAN kartong', 'Streckkod kolli', 'EAN förpackning'],
    oldCode: ['Gammal EAN'],
    cost: ['Inköpspris', 'Nettopris', 'Inpris', 'Kostnad'],
    boxCost: ['Inköpspris kartong', 'Kostnad per kolli'],
    pack: ['Antal per kartong', 'St/kolli'],
    title: ['Benämning'],
    price: ['Utpris', 'Rek. utpris'],
    freight: ['Fraktkostnad', 'Kostnad frakt'],
    oldCost: ['Tidigare inköpspris'],
    centre: ['Kostnadsställe', 'Inköpsdatum'],
    phone: ['Telefon'],
  },
  pt: {
    piece: ['EAN', 'Código de barras', 'EAN unidade', 'Código EAN'],
    box: ['EAN caixa', 'DUN-14', 'Código de barras da caixa'],
    oldCode: ['EAN antigo'],
    cost: ['Custo', 'Preço de custo', 'Preço de compra', 'Custo unitário'],
    boxCost: ['Custo por caixa', 'Custo da caixa'],
    pack: ['Unidades por caixa', 'Qtd por caixa'],
    title: ['Descrição'],
    price: ['PVP', 'Preço de venda'],
    freight: ['Custo de frete', 'Custo de envio'],
    oldCost: ['Custo anterior'],
    centre: ['Centro de custo', 'Código de custo', 'Data do custo'],
    phone: ['Telefone'],
  },
  cs: {
    piece: ['EAN', 'Čárový kód', 'EAN kus', 'EAN kód'],
    box: ['EAN karton', 'EAN balení', 'Čárový kód kartonu'],
    oldCode: ['Starý EAN'],
    cost: ['Nákupní cena', 'Nákupní cena bez DPH', 'Velkoobchodní cena'],
    boxCost: ['Nákupní cena kartonu', 'Nákupní cena za karton'],
    pack: ['Kusů v kartonu', 'Počet v balení'],
    title: ['Název'],
    price: ['Prodejní cena', 'Doporučená cena'],
    freight: ['Náklady na dopravu'],
    oldCost: ['Původní nákupní cena'],
    centre: ['Nákladové středisko', 'Datum nákupu'],
    phone: ['Telefon'],
  },
  tr: {
    piece: ['Barkod', 'EAN', 'Adet barkodu', 'Birim barkod'],
    box: ['Koli barkodu', 'Kutu EAN', 'Palet barkodu'],
    oldCode: ['Eski barkod'],
    cost: ['Maliyet', 'Alış fiyatı', 'Toptan fiyat', 'Birim maliyet'],
    boxCost: ['Koli maliyeti', 'Koli alış fiyatı'],
    pack: ['Koli içi adet', 'Koli adedi'],
    title: ['Ürün adı'],
    price: ['Satış fiyatı', 'Perakende fiyat'],
    freight: ['Kargo maliyeti', 'Nakliye maliyeti'],
    oldCost: ['Eski maliyet'],
    centre: ['Maliyet merkezi', 'Maliyet kodu', 'Maliyet tarihi'],
    phone: ['Telefon'],
  },
  zh: {
    piece: ['条码', '条形码', '单品条码', 'EAN码'],
    box: ['外箱条码', '箱码', '整箱条码'],
    oldCode: ['旧条码'],
    cost: ['成本', '进价', '采购价', '批发价', '单位成本'],
    boxCost: ['整箱成本', '箱成本'],
    pack: ['装箱数', '每箱数量'],
    title: ['品名'],
    price: ['零售价', '建议零售价'],
    freight: ['运费成本', '物流成本'],
    oldCost: ['旧成本', '原成本'],
    centre: ['成本中心', '成本代码', '成本日期'],
    phone: ['电话'],
  },
  ja: {
    piece: ['JANコード', 'JAN', 'バーコード', '単品JAN'],
    box: ['箱JAN', 'ケースJANコード', 'ITFコード'],
    oldCode: ['旧JAN'],
    cost: ['仕入価格', '原価', '卸価格', '卸値'],
    boxCost: ['ケース原価', '箱卸値'],
    pack: ['入数', 'ケース入数'],
    title: ['商品名'],
    price: ['小売価格', '上代'],
    freight: ['送料'],
    oldCost: ['旧原価'],
    centre: ['原価センター', '原価率'],
    phone: ['電話番号'],
  },
  ru: {
    piece: ['Штрихкод', 'EAN', 'Штрих-код штуки', 'EAN единицы'],
    box: ['Штрихкод короба', 'EAN упаковки', 'Штрихкод групповой'],
    oldCode: ['Старый штрихкод'],
    cost: ['Закупочная цена', 'Себестоимость', 'Оптовая цена'],
    boxCost: ['Закупочная цена короба', 'Себестоимость упаковки'],
    pack: ['Количество в коробе', 'Штук в упаковке'],
    title: ['Наименование'],
    price: ['Розничная цена', 'РРЦ'],
    freight: ['Стоимость доставки'],
    oldCost: ['Старая закупочная цена'],
    centre: ['Код себестоимости', 'Дата закупки'],
    phone: ['Телефон'],
  },
};

/** How a sheet writes its amounts. `cents` are never zero. */
const STYLES: Readonly<Record<string, (cents: number) => string>> = {
  point: (cents) => (cents / 100).toFixed(2),
  comma: (cents) => (cents / 100).toFixed(2).replace('.', ','),
  sign: (cents) => (cents < 100 ? `.${String(cents).padStart(2, '0')}` : (cents / 100).toFixed(2)),
  dash: (cents) =>
    cents % 100 === 0 ? `${cents / 100},-` : (cents / 100).toFixed(2).replace('.', ','),
  swiss: (cents) => grouped(cents, '\u2019', '.'),
  thin: (cents) => grouped(cents, '\u00a0', ','),
};

function grouped(cents: number, between: string, mark: string): string {
  const whole = String(Math.floor(cents / 100)).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, between);
  return `${whole}${mark}${String(cents % 100).padStart(2, '0')}`;
}

const UNITS: Readonly<Record<string, readonly string[]>> = {
  en: ['', '', ' each', '/ea'],
  de: ['', '', ' / Stk', ' pro Stück'],
  fr: ['', ' HT', ' / pièce'],
  pl: ['', ' / szt.'],
  nl: ['', ' per stuk'],
  sv: ['', '/st'],
};

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };
const PREFIXES = ['4006381', '614141', '501234', '36000', '7501031', '9780306'];

function codeOf(random: Random): string {
  const prefix = pick(random, PREFIXES);
  const length = prefix.length === 7 || prefix.length === 6 ? 12 : 11;
  const short = prefix === '614141' ? 11 : length;
  const body = prefix + digits(random, short - prefix.length);
  const padded = prefix === '36000' ? `0${body}`.slice(0, 11) : body;
  return padded + gs1CheckDigit(padded);
}

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => String(integerBelow(random, 10))).join('');
}

/** Damages a code in a way that keeps it, or, rarely, loses it. */
function dirty(random: Random, code: string): { readonly cell: string; readonly isLost: boolean } {
  const kept = (cell: string) => ({ cell, isLost: false });
  switch (integerBelow(random, 14)) {
    case 0:
      return kept(`${code.slice(0, 1)} ${code.slice(1, 7)} ${code.slice(7)}`);
    case 1:
      return kept(`${code.slice(0, 3)}\u2013${code.slice(3, 8)}\u2013${code.slice(8)}`);
    case 2:
      return kept(`\u200b${code}\u00a0`);
    case 3:
      return kept(`EAN: ${code}`);
    case 4:
      return kept(`="${code}"`);
    case 5:
      return kept(code.replace(/^0/, ''));
    case 6:
      return { cell: pick(random, ['', 'n/a', 'tbd']), isLost: true };
    case 7:
      return kept(`${code} 05`);
    default:
      return kept(code);
  }
}

function boxCode(code: string, random: Random): string {
  const base = code.padStart(13, '0').slice(0, 12);
  const body = `${1 + integerBelow(random, 8)}${base}`;
  return body + gs1CheckDigit(body);
}

type Product = { readonly code: string; readonly cents: number; readonly pack: number };
type Column = { readonly heading: string; readonly cell: (product: Product, at: number) => string };

/** Makes the sheet of a seed. */
export function supplierSheet(seed: number): SupplierSheet {
  const random = randomFrom(seed);
  const chance = (share: number): boolean => random() < share;
  const language = pick(random, Object.keys(LANGUAGES));
  const words = LANGUAGES[language] ?? LANGUAGES['en'];
  if (words === undefined) throw new Error(language);
  const currency = pick(random, ['USD', 'EUR', 'GBP']);
  const foreign = pick(
    random,
    Object.keys(SIGNS).filter((each) => each !== currency),
  );
  const style = STYLES[pick(random, Object.keys(STYLES))] ?? String;
  const unit = pick(random, UNITS[language] ?? ['']);
  const sign = pick(random, ['', '', `${SIGNS[currency]}`, `${currency} `]);
  const money = (cents: number): string => `${sign}${style(cents)}${unit}`;
  const case_ = pick(random, [
    (text: string) => text,
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.replaceAll(' ', '_'),
  ]);
  const heading = (names: readonly string[]): string => case_(pick(random, names));

  const products = Array.from({ length: 8 + integerBelow(random, 12) }, (): Product => {
    const pack = pick(random, [6, 10, 12, 24]);
    const cents = pick(random, [
      40 + integerBelow(random, 5_000),
      100 * (1 + integerBelow(random, 90)),
    ]);
    return { code: codeOf(random), cents, pack };
  });
  const cells = products.map(({ code }) => dirty(random, code));
  const notAmounts = products.map(() =>
    chance(0.06) ? pick(random, ['tbd', 'n/a', 'call']) : null,
  );

  const codes = heading(words.piece);
  const columns: Column[] = [{ heading: codes, cell: (_, at) => cells[at]?.cell ?? '' }];
  const add = (names: readonly string[], cell: Column['cell']): string => {
    const name = heading(names);
    columns.push({ heading: name, cell });
    return name;
  };
  add(words.title, (_, at) => `Lamp ${at + 1}, 12 pack`);
  if (chance(0.6)) {
    const isLong = chance(0.6);
    add(words.box, ({ code }) => (isLong ? boxCode(code, random) : codeOf(random)));
  }
  if (chance(0.2)) add(words.oldCode, () => codeOf(random));
  if (chance(0.3)) add(words.phone, () => digits(random, 10));
  if (chance(0.4)) add(words.freight, ({ cents }) => money(Math.ceil(cents / 9)));
  if (chance(0.4)) add(words.price, ({ cents }) => money(cents * 2));
  if (chance(0.3)) add(words.oldCost, ({ cents }) => money(cents + 25));
  if (chance(0.4)) add(words.centre, () => pick(random, ['FIFO', '2026-01-15', '4711', '12 %']));

  const kind = pick(random, [
    'one',
    'one',
    'one',
    'both',
    'both',
    'box',
    'box',
    'boxAlone',
    'foreign',
    'twoCurrencies',
  ] as const);
  let costs: string | null = null;
  const own: Column['cell'] = ({ cents }, at) => notAmounts[at] ?? money(cents);
  const boxed: Column['cell'] = ({ cents, pack }, at) => notAmounts[at] ?? money(cents * pack);
  if (kind === 'one' || kind === 'both') costs = add(words.cost, own);
  if (kind === 'both' || kind === 'boxAlone')
    add(words.boxCost, ({ cents, pack }) => money(cents * pack));
  if (kind === 'box') costs = add(words.boxCost, boxed);
  if (kind === 'box' || (kind === 'both' && chance(0.7)))
    add(words.pack, ({ pack }) => String(pack));
  if (kind === 'foreign' || kind === 'twoCurrencies') {
    const name = pick(random, words.cost);
    columns.push({ heading: `${name} (${foreign})`, cell: ({ cents }) => style(cents + 7) });
    if (kind === 'twoCurrencies') {
      costs = `${name} ${currency}`;
      columns.push({
        heading: costs,
        cell: (product, at) => notAmounts[at] ?? style(product.cents),
      });
    }
  }

  const order = columns.map((column) => ({ column, at: random() })).toSorted((a, b) => a.at - b.at);
  const table = order.map(({ column }) => column);
  const titles = chance(0.3) ? [['Price list 2026'], ['Lantern Works Ltd.']] : [];
  const lines = [
    ...titles,
    table.map((column) => column.heading),
    ...products.map((product, at) => table.map(({ cell }) => cell(product, at))),
  ];
  const text = lines.map((line) => line.map(quoted).join(';')).join('\r\n');
  return {
    text,
    currency,
    codes,
    costs,
    rows: products.map(({ code, cents }, at) => ({
      gtin: cells[at]?.isLost === true ? null : code.padStart(14, '0'),
      cents: costs === null || notAmounts[at] !== null ? null : cents,
    })),
  };
}

function quoted(cell: string): string {
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
