// Signs, abbreviations and names of currencies in price texts. Data, one line each: the currencies a spelling may mean,
// then the spellings.

/** Currencies whose own sign is `$`, at home and abroad. */
const DOLLARS = `USD CAD AUD NZD SGD HKD TWD MXN ARS CLP COP UYU BBD BMD BND BSD BZD CUP DOP FJD GYD
  JMD KYD LRD NAD SBD SRD TTD XCD BRL`.split(/\s+/);

/**
 * Spellings next to an amount, case-sensitive. If a line begins with several currencies, only a hint decides (`$` alone is
 * not USD, D26). The toman has no code of its own (currency-marker.ts).
 */
const SIGN_LINES = `
USD: US$ | US $ | U$S
AUD: A$ | AU$ | AU $
CAD: C$ | CA$ | C $ | CDN$ | CAN$
NZD: NZ$ | NZ $
HKD: HK$
SGD: S$ | SG$
TWD: NT$
BRL: R$
MXN: MX$
ARS: AR$
CLP: CL$
COP: COL$
DOP: RD$
TTD: TT$
BBD: Bds$
XCD: EC$
NAD: N$
JMD: J$
UYU: $U
EUR: € | euro | euros | Euro | Euros | EURO | EUROS | eura | eur. | ευρώ | ευρω | євро | евро
GBP: £ | ￡
EGP: E£ | £E | ج.م | ج.م. | جنيه | جنيهًا | LE | L.E.
JPY CNY: ¥ | ￥
JPY: JP¥ | 円 | yen | Yen | YEN | 엔
CNY: CN¥ | 元 | 圆 | RMB | CN￥
INR: ₹
INR PKR LKR NPR MUR SCR: Rs | Rs. | rs | rs. | RS | RS. | ₨
INR NPR: रु | रु. | रू | र
LKR: රු | රු.
BDT: ৳ | Tk | Tk. | টাকা
SEK NOK DKK ISK: kr | kr. | Kr | Kr. | KR
DKK: DKr
CZK: Kč | kč | KČ
PLN: zł | ZŁ | Zł | zł. | zl | złotych
HUF: Ft | Ft.
RON: lei | Lei | LEI
BGN: лв | лв.
MKD: ден | ден.
HRK: kn | Kn | KN
RSD: дин | дин. | Дин | Дин. | din | din. | Din | Din. | динара | dinara | Dinara
UAH: грн | грн. | ГРН | Грн | гривень | ₴
RUB: ₽
RUB BYN: руб | руб. | Руб | Руб. | РУБ | рублей | рубля | рубль | р. | р | Р
KZT: ₸ | тг | тг. | тенге
UZS: сум | сўм | so'm | soʻm
KGS: сом
GEL: ₾
AZN: ₼
AMD: ֏
TRY: ₺ | TL | tl | Tl
ILS: ₪ | ש"ח | ש״ח
CHF: CHF | SFr | SFr. | sFr.
CHF XOF XAF XPF RWF BIF DJF GNF KMF: Fr. | Fr
XOF XAF: FCFA | F CFA | CFA
MYR: RM
IDR: Rp | Rp.
PHP: ₱ | Php
VND: ₫ | đ | Đ | VNĐ | vnđ | đồng
THB: ฿ | บาท
KRW: ₩ | ￦ | 원
LAK: ₭
KHR: ៛
MNT: ₮
PEN: S/ | S/.
PAB: B/.
BOB VES: Bs | Bs.
BZD: BZ$
CRC: ₡
PYG: ₲ | Gs.
AOA: Kz
ZAR: R
NGN: ₦
GHS: ₵ | GH₵ | GH¢
KES: KSh | Ksh | KSh.
TZS: TSh
UGX: USh
AED MAD: Dhs | Dhs. | dhs | DH | Dh | dh | درهم
AED: د.إ | د.إ.
MAD: د.م. | د.م
SAR: ر.س | ر.س. | SR | ⃁
IRR SAR YER OMR QAR: ريال | ﷼
IRR: ریال
IRT: تومان | تومن | IRT | Toman | TOMAN | toman
KWD: د.ك | د.ك. | KD
QAR: ر.ق | ر.ق. | QR
OMR: ر.ع. | ر.ع
BHD: د.ب | د.ب. | BD
JOD: د.أ | د.ا | JD
TND: د.ت | DT
DZD: د.ج | دج | DA
IQD: د.ع
LBP: ل.ل
`;

/** Names that make up a whole text, in lower case. */
const NAME_LINES = `
USD: us dollar | us dollars | u.s. dollar | u.s. dollars | united states dollar
USD: united states dollars | american dollar
CAD: canadian dollar | canadian dollars
AUD: australian dollar | australian dollars
NZD: new zealand dollar | new zealand dollars
HKD: hong kong dollar
SGD: singapore dollar | singapore dollars
TWD: taiwan dollar | new taiwan dollar
GBP: british pound | british pounds | pound sterling | pounds sterling | sterling
JPY: japanese yen | yen
CNY: chinese yuan | yuan | renminbi
CHF: swiss franc | swiss francs | schweizer franken | franken
SEK: swedish krona | swedish kronor | svenska kronor
NOK: norwegian krone | norwegian kroner | norske kroner
DKK: danish krone | danish kroner | danske kroner
ISK: icelandic krona
INR: indian rupee | indian rupees
PKR: pakistani rupee
RUB: russian ruble | russian rouble
PLN: polish zloty | zloty | złoty
CZK: czech koruna | koruna česká
HUF: hungarian forint | forint
RON: romanian leu
BGN: bulgarian lev
TRY: turkish lira | türk lirası
BRL: brazilian real | reais
MXN: mexican peso | pesos mexicanos
ARS: argentine peso
CLP: chilean peso
COP: colombian peso
ZAR: south african rand | rand
AED: uae dirham
SAR: saudi riyal
EGP: egyptian pound
KWD: kuwaiti dinar
KRW: south korean won | korean won | won
THB: thai baht | baht
IDR: indonesian rupiah | rupiah
MYR: malaysian ringgit | ringgit
PHP: philippine peso
VND: vietnamese dong
ILS: israeli shekel | new israeli shekel | shekel
UAH: ukrainian hryvnia | hryvnia
`;

function spellings(lines: string): Map<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  for (const line of lines.trim().split('\n')) {
    const colon = line.indexOf(': ');
    const codes = line.slice(0, colon).split(' ');
    for (const spelling of line.slice(colon + 2).split(' | ')) table.set(spelling, codes);
  }
  return table;
}

/** Spelling next to an amount to the currencies it may mean. */
export const SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  ...spellings(SIGN_LINES),
  ...DOLLARS.flatMap((code) => [`${code}$`, `${code} $`].map((each) => [each, [code]] as const)),
  ['$', DOLLARS],
  ['＄', DOLLARS],
]);

/** Lower-case name to its only currency. */
export const NAMES: ReadonlyMap<string, readonly string[]> = spellings(NAME_LINES);

/** Longest spelling above, in UTF-16 units. */
export const LONGEST_SIGN = 8;

/** Spellings that appear on only one side of the amount: `R 299`, `1 299 Ft`. */
export const BEFORE_ONLY: ReadonlySet<string> = new Set(['R', 'N$', 'J$', 'S/', 'S/.']);
export const AFTER_ONLY: ReadonlySet<string> = new Set([
  'Ft',
  'Ft.',
  'kn',
  'Kn',
  'KN',
  'DA',
  'zl',
  'tl',
  'Tl',
  'din',
  'din.',
  'Din',
  'Din.',
  'yen',
  'Yen',
  'YEN',
  'eura',
  'eur.',
  'сум',
  'сом',
  'р.',
  'р',
  'Р',
  'Đ',
  'đ',
  'Toman',
  'TOMAN',
  'toman',
]);
