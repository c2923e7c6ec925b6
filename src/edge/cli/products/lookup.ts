// openshelf lookup: the same record as the service's answer, made in this process on the same data. The operator's lookups are
// not metered, so the record has no token fields.

import { openApp } from '../../app.ts';
import { presentProduct } from '../../../answer/wire/record/present.ts';
import { renderCard } from './card.ts';
import { answer, onlyOptionsOf, UsageError, type Command } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { FILE_OPTIONS } from './lookup-file-options.ts';
import {
  CURRENCY_OPTION,
  currencyOption,
  DATA_OPTION,
  IDENTIFIER_HELP,
  noPositionals,
  onePositional,
  textOption,
} from '../options.ts';

export const lookup: Command = {
  name: 'lookup',
  summary: 'look up a product and print its record',
  synopsis: [
    'IDENTIFIER [--format F] [--retailer SLUG] [--currency CODE] [--force-refresh] [--data DIR] [--json]',
    '--file FILE --out FILE [--currency CODE] [--column NAME] [--cost-column NAME] [--sheet NAME] [--shipping AMOUNT] [--prep AMOUNT] ' +
      '[--cost-per code|piece] [--roi PERCENT] [--sort COLUMN[:desc]] [--profits] [--changes] [--token-limit N] [--wait T] [--preview | --estimate] [--url URL | --sandbox [--seed N] [--products N] | --data DIR] [--watch [--org NAME]] [--json]',
  ],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    format: { value: 'F', help: 'the format of IDENTIFIER: UPC, EAN, ISBN, GTIN, ASIN or item_id' },
    retailer: { value: 'SLUG', help: 'fill the record from this retailer alone' },
    currency: CURRENCY_OPTION,
    'force-refresh': { help: 'fetch now instead of using stored data; requires --retailer' },
    ...FILE_OPTIONS,
    data: DATA_OPTION,
    json: { help: 'print the record, or with --file the counts, as one line of JSON' },
  },
  notes: [
    'A local lookup is free, and its record has no token fields. With --url, the service charges the API key.',
    'With --file: reads CSV, TSV, XLSX, JSON lines and plain lists (docs/use/sheets.md). After a stop, the same command',
    'continues where it stopped and charges nothing twice; FILE.progress next to the output stores the answers so far.',
  ],
  run: async (input) => {
    const { values, positionals, io } = input;
    if (values['file'] !== undefined) {
      noPositionals(positionals);
      onlyOptionsOf(lookup, '--file', values);
      const { lookUpFile } = await import('./lookup-file.ts');
      return await lookUpFile(input);
    }
    const lone = Object.keys(FILE_OPTIONS).find((name) => values[name] !== undefined);
    if (lone !== undefined) throw new UsageError(`--${lone} requires --file FILE.`);
    const text = onePositional(positionals, 'IDENTIFIER');
    const retailer = textOption(values, 'retailer');
    const currency = currencyOption(values);
    if (values['force-refresh'] === true && retailer === undefined) {
      throw new UsageError(
        '--force-refresh fetches from one retailer. Specify it with --retailer SLUG.',
      );
    }
    await using app = await openApp(configOf({ values, io }));
    const prepared = app.lookupProduct.parse({
      text,
      format: textOption(values, 'format'),
      retailer,
      forceRefresh: values['force-refresh'] === true,
      currency,
    });
    const product =
      (await app.lookupProduct.fromStore(prepared)) ??
      (await app.lookupProduct.fromShops(prepared, app.lookupContext(io.stop)));
    const record = presentProduct(product, {
      includeHistory: true,
      includeStats: true,
      isCurrencyAsked: currency !== undefined,
    });
    return answer(input, record, renderCard(record));
  },
};
