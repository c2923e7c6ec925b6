// openshelf lookup: the record that the service answers with, made in this process on the same data. Lookups of the
// operator are not metered, so the record has no token fields.

import { openApp } from '../app.ts';
import { presentProduct } from '../wire/present.ts';
import { renderCard } from './card.ts';
import { DONE, printJson, UsageError, type Command } from './command.ts';
import { configOf } from './data-folder.ts';
import { DATA_OPTION, IDENTIFIER_HELP, onePositional, textOption } from './options.ts';

export const lookup: Command = {
  name: 'lookup',
  summary: 'look a product up and print its record',
  synopsis: ['IDENTIFIER [--format F] [--retailer SLUG] [--force-refresh] [--data DIR] [--json]'],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    format: { value: 'F', help: 'UPC, EAN, ISBN, GTIN, ASIN or item_id' },
    retailer: { value: 'SLUG', help: 'anchor the record to this retailer' },
    'force-refresh': { help: 'fetch now; requires --retailer' },
    data: DATA_OPTION,
    json: { help: 'print the record as one JSON object on one line' },
  },
  notes: ['Not metered: the record has no token fields.'],
  run: async ({ values, positionals, io }) => {
    const text = onePositional(positionals, 'IDENTIFIER');
    const retailer = textOption(values, 'retailer');
    if (values['force-refresh'] === true && retailer === undefined) {
      throw new UsageError(
        '--force-refresh fetches from one retailer. Name it with --retailer SLUG.',
      );
    }
    await using app = await openApp(configOf({ values, io }));
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
