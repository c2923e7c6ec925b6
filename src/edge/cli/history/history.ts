// openshelf history: a product's stored prices, as answered by the service. The operator's calls are not metered, so the
// answer has no token fields.

import { openApp } from '../../app.ts';
import { TIMEFRAMES } from '../../../rules/history/daily-bars.ts';
import { presentHistory } from '../../../answer/wire/history/history.ts';
import { answer, counted, type Command } from '../command.ts';
import { configWithData } from '../data-folder.ts';
import {
  CURRENCY_OPTION,
  currencyOption,
  DATA_OPTION,
  IDENTIFIER_HELP,
  onePositional,
  slugOption,
  textOption,
  wordOption,
} from '../options.ts';
import { moneyOrDash } from '../dollars.ts';

export const history: Command = {
  name: 'history',
  summary: 'print the stored prices of a product',
  synopsis: [
    'IDENTIFIER [--timeframe T] [--retailer SLUG] [--currency CODE] [--cursor TEXT] [--data DIR] [--json]',
  ],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    timeframe: { value: 'T', help: `the time span: ${TIMEFRAMES.join(', ')} (default 30d)` },
    retailer: {
      value: 'SLUG',
      help: 'the retailer whose prices are printed, or all (default retailer_w; for an address, its own shop)',
    },
    currency: CURRENCY_OPTION,
    cursor: {
      value: 'TEXT',
      help: 'the value of "next" in the previous result: one result has at most 10,000 rows',
    },
    data: DATA_OPTION,
    json: { help: 'print the history as one JSON object on one line' },
  },
  notes: ['Nothing is fetched. The command is not metered: the result has no token fields.'],
  run: async (input) => {
    const { values, positionals } = input;
    const text = onePositional(positionals, 'IDENTIFIER');
    const timeframe = wordOption(values, 'timeframe', TIMEFRAMES) ?? '30d';
    const retailer = slugOption(values, ['all']);
    const currency = currencyOption(values);
    await using app = await openApp(await configWithData(input));
    const cursor = textOption(values, 'cursor');
    const asked = { text, timeframe, retailer, cursor, currency };
    const found = presentHistory(await app.lookupHistory(asked), currency !== undefined);
    return answer(input, found, render(found));
  },
};

const STOCK = new Map([
  [true, 'in stock'],
  [false, 'out of stock'],
]);

/** The newest price may be old, so it is not called the present price. */
type Shown = ReturnType<typeof presentHistory>;

function figuresOf(stats: NonNullable<Shown['stats']>, { currency }: Shown): string {
  const text = (amount: number | null) => moneyOrDash(amount, currency);
  const { current, lowest_30d: low, highest_30d: high, average_30d: average } = stats;
  const month =
    low === null
      ? 'no price in the last 30 days'
      : `30 days: low ${text(low)}, high ${text(high)}, average ${text(average)}`;
  return `newest ${text(current)}; ${month}`;
}

function render(found: Shown): readonly string[] {
  const { identifier, retailer, timeframe, observations, stats, next } = found;
  const head = `${identifier}, ${retailer}, ${timeframe}: ${counted(observations.length, 'observation')}`;
  const figures = stats === null ? 'no prices are stored' : figuresOf(stats, found);
  const rows = observations.map((row) => {
    const stock = row.in_stock === null ? 'not stated' : (STOCK.get(row.in_stock) ?? '');
    const slug = row.retailer === undefined ? '' : `  ${row.retailer}`;
    const out = row.counted === false ? '  (not counted)' : '';
    return `${row.observed_at}  ${moneyOrDash(row.price, found.currency).padStart(10)}  ${stock}${slug}${out}`;
  });
  return [head, figures, ...rows, ...(next === null ? [] : [`more: --cursor ${next}`])];
}
