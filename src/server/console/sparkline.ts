// A small chart as a picture: each day's price as a stepped line, and the target price of a watch. It is drawn here and not
// in the page, so that fifty of them cost a page nothing. It has no styles, so that it is readable in both light and dark
// mode.

import { DAY_MS } from '../../base/clock.ts';
import { moneyText } from '../../base/money-text.ts';
import { html } from '../reference/markup.ts';

type Drawn = {
  /** Prices, the oldest first; `day` is YYYY-MM-DD. */
  readonly prices: readonly { readonly day: string; readonly cents: number }[];
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly targetCents: number | null;
};

const WIDTH = 240;
const HEIGHT = 48;
/** Space at the edge for the line width and the dot at its end. */
const EDGE = 4;
/** A price is extended to the next observation. A longer silence is a gap, as in the chart of a card. */
const LONGEST_STEP_DAYS = 7;
/** Both colours have a contrast of at least 3 to 1 on the pages' backgrounds, light and dark. */
const LINE = '#4d86e0';
const TARGET = '#7d8896';

/** Draws the SVG. A target too far from the prices to be seen is left out. */
export function sparkline({ prices, from, to, currency, targetCents }: Drawn): string {
  const cents = prices.map((each) => each.cents);
  const [low, high] = [Math.min(...cents), Math.max(...cents)];
  const isNear =
    targetCents !== null && cents.length > 0 && targetCents >= low / 2 && targetCents <= high * 2;
  const [bottom, top] = isNear
    ? [Math.min(low, targetCents), Math.max(high, targetCents)]
    : [low, high];
  const days = Math.max(1, dayNumber(to) - dayNumber(from));
  const x = (day: string) =>
    rounded(EDGE + ((dayNumber(day) - dayNumber(from)) / days) * (WIDTH - 2 * EDGE));
  const y = (value: number) =>
    rounded(
      top === bottom
        ? HEIGHT / 2
        : HEIGHT - EDGE - ((value - bottom) / (top - bottom)) * (HEIGHT - 2 * EDGE),
    );
  const last = prices.at(-1);
  const text = (amount: number) => moneyText(amount, currency);
  const words =
    last === undefined
      ? 'No price yet'
      : `Lowest ${text(low)}, highest ${text(high)}, last ${text(last.cents)}`;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${WIDTH}"
    height="${HEIGHT}"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    fill="none"
  >
    <title>${words}</title>
    ${
      isNear
        ? html`<path
            d="M${EDGE} ${y(targetCents)}H${WIDTH - EDGE}"
            stroke="${TARGET}"
            stroke-dasharray="3 3"
          />`
        : null
    }
    <path
      d="${stepsOf(prices, { x, y })}"
      stroke="${LINE}"
      stroke-width="1.75"
      stroke-linejoin="round"
      stroke-linecap="round"
    />
    ${
      last === undefined
        ? html`<text
            x="${EDGE}"
            y="${HEIGHT / 2 + EDGE}"
            fill="${TARGET}"
            font-family="sans-serif"
            font-size="13"
            >No price seen</text
          >`
        : html`<circle cx="${x(last.day)}" cy="${y(last.cents)}" r="2.75" fill="${LINE}" />`
    }
  </svg>`.markup;
}

type Scale = {
  readonly x: (day: string) => number;
  readonly y: (cents: number) => number;
};

function stepsOf(prices: Drawn['prices'], { x, y }: Scale): string {
  return prices
    .map(({ day, cents }, at) => {
      const before = prices[at - 1];
      const isStep =
        before !== undefined && dayNumber(day) - dayNumber(before.day) <= LONGEST_STEP_DAYS;
      // A price with none shortly before it starts a new line. A line of no length with round ends is shown as a dot.
      return isStep ? `H${x(day)}V${y(cents)}` : `M${x(day)} ${y(cents)}h0`;
    })
    .join('');
}

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
const rounded = (value: number): number => Math.round(value * 10) / 10;
