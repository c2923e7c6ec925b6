// openshelf lookup <id>: the same record that the service answers with, made here on the same data. The
// operator's own look-ups are not metered, so the record has no token fields.

import { openApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { presentProduct } from '../wire/present.ts';
import { renderCard } from './card.ts';
import { DONE, onePositional, printJson, textOption, UsageError, type Command } from './command.ts';

export const lookup: Command = {
  name: 'lookup',
  summary: 'look a product up and print its record',
  usage: [
    'Usage: openshelf lookup <id> [--format F] [--retailer SLUG] [--force-refresh] [--json]',
    '',
    '  <id>              a product-page address, barcode, ASIN, item id, SKU or product id',
    '  --format F        UPC, EAN, ISBN, GTIN, ASIN or item_id',
    '  --retailer SLUG   anchor the record to one retailer',
    '  --force-refresh   fetch now; needs --retailer',
    '  --data DIR        the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json            print the record as one JSON object on one line',
    '',
    'Not metered: the record has no token fields.',
  ].join('\n'),
  options: {
    format: { type: 'string' },
    retailer: { type: 'string' },
    'force-refresh': { type: 'boolean' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  takesWords: true,
  run: async ({ values, positionals, io }) => {
    const text = onePositional(positionals, 'identifier');
    const retailer = textOption(values, 'retailer');
    if (values['force-refresh'] === true && retailer === undefined) {
      throw new UsageError(
        '--force-refresh fetches from one retailer: name it with --retailer SLUG',
      );
    }
    const dataDir = textOption(values, 'data');
    await using app = await openApp(readConfig(io.env, dataDir === undefined ? {} : { dataDir }));
    const prepared = app.lookupProduct.parse({
      text,
      format: textOption(values, 'format'),
      retailer,
      forceRefresh: values['force-refresh'] === true,
    });
    const product =
      (await app.lookupProduct.held(prepared)) ??
      (await app.lookupProduct.fetched(prepared, app.lookupContext(io.stop)));
    const record = presentProduct(product, { includeHistory: true, includeStats: true });
    if (values['json'] === true) printJson(io, record);
    else renderCard(record).forEach((line) => io.out(line));
    return DONE;
  },
};
