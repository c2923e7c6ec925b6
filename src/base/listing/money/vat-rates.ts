// Rates of value added tax on goods by country, in percent: an amount without tax and the same amount with it. Sources: Taxes in
// Europe Database of the European Commission; tax offices of GB, NO, IS, CH, AU, NZ, JP and ZA. As of January 2026, with a rate
// that ended in the two years before.

const RATES: ReadonlyMap<string, readonly number[]> = new Map(
  `at 20 13 10 | be 21 12 6 | cy 19 9 5 | cz 21 12 | de 19 7 | dk 25 | ee 24 22 13 9 | es 21 10 4 | fi 25.5 14 13.5 10
   fr 20 10 5.5 | gr 24 13 6 | hr 25 13 5 | hu 27 18 5 | ie 23 13.5 9 | it 22 10 5 4 | lt 21 12 9 5 | lu 17 14 8
   lv 21 12 5 | mt 18 12 7 5 | nl 21 9 | pl 23 8 5 | pt 23 13 6 | ro 21 19 11 9 | se 25 12 6 | si 22 9.5 5 | sk 23 19 5
   gb 20 5 | uk 20 5 | no 25 15 | is 24 11 | ch 8.1 2.6 | au 10 | nz 15 | jp 10 8 | za 15`
    .split(/\s*[|\n]\s*/)
    .map((line) => line.split(' '))
    .map(([country = '', ...rates]) => [country, rates.map(Number)]),
);

const ALL = [...new Set([...RATES.values()].flat())];

/** Returns the rates of a country; all of them if the country is unknown. */
export const vatRatesOf = (country: string | null): readonly number[] =>
  country === null ? ALL : (RATES.get(country) ?? []);

/**
 * Whether one amount is another plus tax, to the unit in which both are counted: either may have been calculated from the other
 * and rounded.
 */
export function isWithTax(gross: number, net: number, country: string | null): boolean {
  return vatRatesOf(country).some(
    (rate) =>
      Math.round((net * (100 + rate)) / 100) === gross ||
      Math.round((gross * 100) / (100 + rate)) === net,
  );
}
