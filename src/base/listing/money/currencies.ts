// ISO 4217 as data: the codes in use, a few recent ones that recorded pages still contain (HRK, ANG), and the number of
// minor-unit digits of each currency (D87). Metals and test codes have no minor unit and are not currencies of prices.

const TWO_DIGITS = `
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA
MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR
RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD
TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
`;
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND';
/** Units of account. In texts their codes are more often something else, so they count only where a field is of a currency. */
const FUNDS: readonly (readonly [codes: string, digits: number])[] = [
  ['BOV CHE CHW COU MXV USN XAD', 2],
  ['UYI', 0],
  ['CLF UYW', 4],
];

function withDigits(codes: string, digits: number): readonly [string, number][] {
  return codes
    .trim()
    .split(/\s+/)
    .map((code): [string, number] => [code, digits]);
}

const FUND_DIGITS: ReadonlyMap<string, number> = new Map(
  FUNDS.flatMap(([codes, digits]) => withDigits(codes, digits)),
);

/** ISO 4217 code to the number of digits of its minor unit. */
export const MINOR_DIGITS: ReadonlyMap<string, number> = new Map([
  ...withDigits(TWO_DIGITS, 2),
  ...withDigits(NO_DIGITS, 0),
  ...withDigits(THREE_DIGITS, 3),
  ...FUND_DIGITS,
]);

/** Codes that are also English words or product terms: they count only in capitals next to a number. */
export const WORD_CODES: ReadonlySet<string> = new Set(
  `ALL AMD ANG BAM BOB CAD COP CUP DOP GEL GIP LAK MAD MOP MUR NAD PEN RON SAR SHP SOS STN TOP
   TRY`.split(/\s+/),
);

/** Codes that shops still use and that correspond one to one to a current currency. */
const FORMER_CODES: ReadonlyMap<string, string> = new Map([
  ['RUR', 'RUB'],
  ['RMB', 'CNY'],
  ['NTD', 'TWD'],
  ['YTL', 'TRY'],
  ['UKP', 'GBP'],
  ['SFR', 'CHF'],
]);

/** Returns the current ISO 4217 code for a code in capitals; null if there is none. */
export function currencyCodeOf(code: string): string | null {
  return MINOR_DIGITS.has(code) ? code : (FORMER_CODES.get(code) ?? null);
}

/** Checks for the ISO 4217 code, in capitals, of a currency that prices in a text may have. */
export function isCurrencyCode(code: string): boolean {
  return MINOR_DIGITS.has(code) && !FUND_DIGITS.has(code);
}
