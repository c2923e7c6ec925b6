// Amounts of US dollars of answers, as the commands print them.

import { hundredths, usdText } from '../core/dollars.ts';

/** `$1,234.50`, `-$0.10`; a dash where there is none. */
export function usdOrDash(amount: number | null): string {
  return amount === null ? '-' : usdText(hundredths(amount));
}

/** What one piece costs, with up to four decimals: `$0.50`, `$0.0833`. */
export function unitUsd(amount: number): string {
  const tenThousandths = Math.round(amount * 10_000);
  const finer = tenThousandths % 100;
  const cents = usdText((tenThousandths - finer) / 100);
  return finer === 0 ? cents : cents + String(finer).padStart(2, '0');
}
