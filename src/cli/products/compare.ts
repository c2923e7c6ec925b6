// openshelf compare: a product at every retailer side by side, with what a seller would earn by it. What
// GET /v1/products/{id}/compare answers, made in this process on the same data.

import { openApp } from '../../app.ts';
import type { SellerCosts } from '../../product/profit.ts';
import { presentComparison, type ComparisonFacts } from '../../wire/compare.ts';
import { answer, type Command, type Values } from '../command.ts';
import { configOf } from '../data-folder.ts';
import {
  amountOption,
  DATA_OPTION,
  IDENTIFIER_HELP,
  onePositional,
  textOption,
} from '../options.ts';
import { usd } from '../dollars.ts';
import { textTable } from '../text-table.ts';

export const compare: Command = {
  name: 'compare',
  summary: 'compare a product over the retailers, with fees and profit',
  synopsis: [
    'IDENTIFIER [--cost USD] [--shipping USD] [--prep USD] [--roi PERCENT] [--format F] [--data DIR] [--json]',
  ],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    cost: { value: 'USD', help: 'what one unit costs you, such as 12.50' },
    shipping: { value: 'USD', help: 'what you pay to ship one unit (default 0)' },
    prep: { value: 'USD', help: 'what you pay to prepare one unit (default 0)' },
    roi: { value: 'PERCENT', help: 'the return that you want: prints the highest cost for it' },
    format: { value: 'F', help: 'UPC, EAN, ISBN, GTIN, ASIN or item_id' },
    data: DATA_OPTION,
    json: { help: 'print the comparison as one JSON object on one line' },
  },
  notes: [
    'Asks retailers only when the product was never looked up here. Not metered: the answer has no token fields.',
  ],
  run: async (input) => {
    const { values, positionals, io } = input;
    const text = onePositional(positionals, 'IDENTIFIER');
    const costs = costsIn(values);
    await using app = await openApp(configOf(input));
    const lookup = app.lookupComparison.parse({
      text,
      format: textOption(values, 'format'),
      forceRefresh: false,
    });
    const found =
      (await app.lookupComparison.held(lookup)) ??
      (await app.lookupComparison.fetched(lookup, app.lookupContext(io.stop)));
    const comparison = presentComparison(found, costs);
    return answer(input, comparison, render(comparison));
  },
};

function costsIn(values: Values): SellerCosts {
  return {
    costCents: amountOption(values, 'cost'),
    shippingCents: amountOption(values, 'shipping') ?? 0,
    prepCents: amountOption(values, 'prep') ?? 0,
    roiBasisPoints: amountOption(values, 'roi'),
  };
}

const percent = (value: number | null): string => (value === null ? '-' : `${value.toFixed(2)}%`);

const HEADS = ['retailer', 'price', 'pack', 'fees', 'profit', 'ROI', 'margin', 'break-even'];

function render({ title, gtin, pack_count: pack, rows, roi }: ComparisonFacts): readonly string[] {
  const withCost = roi === null ? [] : [`cost for ${roi}%`];
  const table = rows.map((row) => [
    row.retailer,
    usd(row.price),
    String(row.pack_count ?? '-'),
    usd(row.fees?.total ?? null),
    usd(row.profit),
    percent(row.roi),
    percent(row.margin),
    usd(row.break_even_price),
    ...(roi === null ? [] : [usd(row.highest_cost)]),
    row.url === null ? row.status : row.warnings.join(', '),
  ]);
  const heads = [...HEADS, ...withCost, ''];
  const head = [title ?? '(no title)', gtin ?? 'no barcode', `pack of ${pack ?? 1}`].join(', ');
  const last = heads.length - 1;
  return [head, ...textTable([heads, ...table], (column) => column > 0 && column < last)];
}
