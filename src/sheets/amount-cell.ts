// An amount of money as a cell of a sheet writes it -> cents. Pure.

const PLAIN = /^\d{1,7}(?:\.\d+)?$/;
const DECIMAL_COMMA = /^\d{1,7},\d{1,2}$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const MOST_CENTS = 100_000_000;

/** `$1,234.50`, `12.5`, `12,50`: cents, rounded. Null: it is no amount in dollars from 0 to a million. */
export function amountCents(cell: string): number | null {
  const text = cell.replace(/^(?:us)?\$|usd$/gi, '').replaceAll(/[\s\u00a0]/g, '');
  const plain = PLAIN.test(text)
    ? text
    : THOUSANDS.test(text)
      ? text.replaceAll(',', '')
      : DECIMAL_COMMA.test(text)
        ? text.replace(',', '.')
        : null;
  if (plain === null) return null;
  const cents = Math.round(Number(plain) * 100);
  return cents > MOST_CENTS ? null : cents;
}
