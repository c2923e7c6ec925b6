// The options of `openshelf lookup --file`. They are separate from its code, so that a lookup of one product loads no sheet
// reader.

import { TABLE_FORMATS } from '../../sheets/table-format.ts';
import type { Option } from '../command.ts';
import { COST_PER_OPTION } from '../options.ts';
import { WHO_IS_ASKED } from './service-there.ts';

export const FILE_OPTIONS: Readonly<Record<string, Option>> = {
  file: { value: 'FILE', help: 'look up every product of a sheet; - reads standard input' },
  out: {
    value: 'FILE',
    help: `with --file: the table to write; its ending determines the format: ${TABLE_FORMATS.join(', ')}`,
  },
  column: {
    value: 'NAME',
    help: 'the column of the identifiers, by heading or number (default: found by content)',
  },
  'cost-column': {
    value: 'NAME',
    help: 'the column of your costs (default: found by heading)',
  },
  sheet: { value: 'NAME', help: 'the sheet of a workbook (default: the first that is not hidden)' },
  shipping: { value: 'AMOUNT', help: 'what you pay to ship one unit (default 0)' },
  prep: { value: 'AMOUNT', help: 'what you pay to prepare one unit (default 0)' },
  'cost-per': COST_PER_OPTION,
  roi: { value: 'PERCENT', help: 'the desired return in percent; fills the column highest_cost' },
  wait: {
    value: 'T',
    help: 'the longest time to wait for retailers that were not queried yet, such as 90s, 15m or 2h (default 15m)',
  },
  preview: { help: 'print how the first ten rows are read, and exit' },
  sort: {
    value: 'COLUMN',
    help: 'the order of the rows: a column of the output, with :desc for the largest first (default: as in the sheet)',
  },
  profits: { help: 'add a column for each marketplace: the profit of a sale there' },
  changes: {
    help: 'add a column with what changed since the last run with --changes, kept next to the output',
  },
  'token-limit': {
    value: 'N',
    help: 'maximum tokens that the run may spend; the remaining products are marked as skipped',
  },
  estimate: { help: 'print the expected cost and time, and exit' },
  ...WHO_IS_ASKED,
  watch: {
    help: 'watch every product that is found: locally with --org, or on the service of --url',
  },
  org: { value: 'NAME', help: 'with --watch: the organization that owns the watches' },
};
