// openshelf history: a product's stored prices, as answered by the service. The operator's calls are not metered, so the
// answer has no token fields.

import { openApp } from '../../app.ts';
import { TIMEFRAMES } from '../../../rules/history/daily-bars.ts';
import { presentHistory } from '../../../answer/wire/history/history.ts';
import { answer, counted, type Command } from '../command.ts';
import { configWithData } from '../data-folder.ts';
import {
  DATA_OPTION,
  IDENTIFIER_HELP,
  onePositional,
  slugOption,
  textOption,
  wordOption,
} from '../options.ts';
import { usdOrDash } from '../dollars.ts';

export const history: Command = {
  name: 'history',
  summary: 'print the stored prices of a product',
  synopsis: ['IDENTIFIER [--timeframe T] [--retailer SLUG] [--cursor TEXT] [--data DIR] [--json]'],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    timeframe: { value: 'T', help: `${TIMEFRAMES.join(', ')} (default 30d)` },
    retailer: {
      value: 'SLUG',
      help: 'the retailer whose prices are printed, or all (default retailer_w; of an address, its own shop)',
    },
    cursor: {
      value: 'TEXT',
      help: '"next" of the previous answer: one answer has at most 10,000 rows',
    },
    data: DATA_OPTION,
    json: { help: 'print the history as one JSON object on one line' },
  },
  notes: ['Fetches nothing. Not metered: the answer has no token fields.'],
  run: async (input) => {
    const { values, positionals } = input;
    const text = onePositional(positionals, 'IDENTIFIER');
    const timeframe = wordOption(values, 'timeframe', TIMEFRAMES) ?? '30d';
    const retailer = slugOption(values, ['all']);
    await using app = await openApp(await configWithData(input));
    const cursor = textOption(values, 'cursor');
    const found = presentHistory(await app.lookupHistory({ text, timeframe, retailer, cursor }));
    return answer(input, found, render(found));
  },
};

const STOCK = new Map([
  [true, 'in stock'],
  [false, 'out of stock'],
]);

/** The newest price may be old, so it is not called the present price. */
function figuresOf(stats: NonNullable<ReturnType<typeof presentHistory>['stats']>): string {
  const { current, lowest_30d: low, highest_30d: high, average_30d: average } = stats;
  const month =
    low === null
      ? 'no price in the last 30 days'
      : `30 days: low ${usdOrDash(low)}, high ${usdOrDash(high)}, average ${usdOrDash(average)}`;
  return `newest ${usdOrDash(current)}; ${month}`;
}

function render(found: ReturnType<typeof presentHistory>): readonly string[] {
  const { identifier, retailer, timeframe, observations, stats, next } = found;
  const head = `${identifier}, ${retailer}, ${timeframe}: ${counted(observations.length, 'observation')}`;
  const figures = stats === null ? 'no prices are stored' : figuresOf(stats);
  const rows = observations.map((row) => {
    const stock = row.in_stock === null ? 'not stated' : (STOCK.get(row.in_stock) ?? '');
    const slug = row.retailer === undefined ? '' : `  ${row.retailer}`;
    const out = row.counted === false ? '  (not counted)' : '';
    return `${row.observed_at}  ${usdOrDash(row.price).padStart(10)}  ${stock}${slug}${out}`;
  });
  return [head, figures, ...rows, ...(next === null ? [] : [`more: --cursor ${next}`])];
}
