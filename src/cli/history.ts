// openshelf history <id>: the prices that are held of a product, as the service answers them. The operator's
// own reading is not metered, so the answer has no token fields.

import { openApp } from '../app.ts';
import { TIMEFRAMES } from '../history/daily-bars.ts';
import { isSlug } from '../core/retailer.ts';
import { presentHistory } from '../wire/history.ts';
import {
  DONE,
  onePositional,
  printJson,
  textOption,
  UsageError,
  wordOption,
  type Command,
} from './command.ts';
import { heldConfigOf } from './held-data.ts';

export const history: Command = {
  name: 'history',
  summary: 'print the prices that are held of a product',
  usage: [
    'Usage: openshelf history <id> [--timeframe T] [--retailer SLUG] [--json]',
    '',
    '  <id>              a product-page address, barcode, ASIN, item id, SKU or product id',
    `  --timeframe T     ${TIMEFRAMES.join(', ')} (default 30d)`,
    '  --retailer SLUG   whose prices, or all (default retailer_w)',
    '  --cursor TEXT     `next` of the answer before: an answer has at most 10,000 rows',
    '  --data DIR        the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json            print the history as one JSON object on one line',
    '',
    'Fetches nothing. Not metered: the answer has no token fields.',
  ].join('\n'),
  options: {
    timeframe: { type: 'string' },
    retailer: { type: 'string' },
    cursor: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  takesWords: true,
  run: async (input) => {
    const { values, positionals, io } = input;
    const text = onePositional(positionals, 'identifier');
    const timeframe = wordOption(values, 'timeframe', TIMEFRAMES) ?? '30d';
    const retailer = textOption(values, 'retailer') ?? 'retailer_w';
    if (retailer !== 'all' && !isSlug(retailer)) {
      throw new UsageError('--retailer takes a slug (2 to 30 of a-z and 0-9) or all');
    }
    await using app = await openApp(await heldConfigOf(input));
    const cursor = textOption(values, 'cursor');
    const answer = presentHistory(await app.lookupHistory({ text, timeframe, retailer, cursor }));
    if (values['json'] === true) printJson(io, answer);
    else render(answer).forEach((line) => io.out(line));
    return DONE;
  },
};

const usd = (amount: number | null): string => (amount === null ? '-' : `$${amount.toFixed(2)}`);
const STOCK = new Map([
  [true, 'in stock'],
  [false, 'out of stock'],
]);

function render(answer: ReturnType<typeof presentHistory>): readonly string[] {
  const { identifier, retailer, timeframe, observations, stats, next } = answer;
  const head = `${identifier}, ${retailer}, ${timeframe}: ${observations.length} observations`;
  const figures =
    stats === null
      ? 'nothing is held'
      : `now ${usd(stats.current)}; 30 days: low ${usd(stats.lowest_30d)}, ` +
        `high ${usd(stats.highest_30d)}, average ${usd(stats.average_30d)}`;
  const rows = observations.map((row) => {
    const stock = row.in_stock === null ? 'not stated' : (STOCK.get(row.in_stock) ?? '');
    const slug = row.retailer === undefined ? '' : `  ${row.retailer}`;
    return `${row.observed_at}  ${usd(row.price).padStart(10)}  ${stock}${slug}`;
  });
  return [head, figures, ...rows, ...(next === null ? [] : [`more: --cursor ${next}`])];
}
