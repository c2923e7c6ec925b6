// The prices of a watch's last days as one line of text, for messages that show no chart. Pure.

import { moneyText } from '../../base/money-text.ts';

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const MOST_BARS = 30;

/** Returns such as `█▆▆▁ $9.99 to $12.49`; null for fewer than two prices. `cents`: minor units, a day each, oldest first. */
export function priceLine(cents: readonly number[], currency: string): string | null {
  if (cents.length < 2) return null;
  const [low, high] = [Math.min(...cents), Math.max(...cents)];
  const days = Math.ceil(cents.length / MOST_BARS);
  const bars: string[] = [];
  for (let at = 0; at < cents.length; at += days) {
    const share = high === low ? 0 : (Math.min(...cents.slice(at, at + days)) - low) / (high - low);
    bars.push(BARS[Math.round(share * (BARS.length - 1))] ?? '');
  }
  const range = low === high ? '' : ` to ${moneyText(high, currency)}`;
  return `${bars.join('')} ${moneyText(low, currency)}${range}`;
}
