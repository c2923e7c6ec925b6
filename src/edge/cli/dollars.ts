// US dollar amounts in answers, as printed by commands.

import { hundredths, usdText } from '../../base/dollars.ts';

/** Formats `$1,234.50`, `-$0.10`; a dash without an amount. */
export function usdOrDash(amount: number | null): string {
  return amount === null ? '-' : usdText(hundredths(amount));
}

/** Formats the price of one piece with up to four decimals: `$0.50`, `$0.0833`. */
export function unitUsd(amount: number): string {
  const tenThousandths = Math.round(amount * 10_000);
  const finer = tenThousandths % 100;
  const cents = usdText((tenThousandths - finer) / 100);
  return finer === 0 ? cents : cents + String(finer).padStart(2, '0');
}
