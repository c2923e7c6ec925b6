// openshelf compare: a product at every retailer side by side, with what a seller would earn. It prints the answer of GET
// /v1/products/{id}/compare, made in this process on the same data.

import { openApp } from '../../app.ts';
import type { CellStatus } from '../../../rules/product/cell.ts';
import { COSTS_PER } from '../../../rules/product/cost-factor.ts';
import { WARNING_WORDS } from '../../../rules/product/warnings.ts';
import type { SellerCosts } from '../../../rules/product/profit.ts';
import { presentComparison, type ComparisonFacts } from '../../../answer/wire/compare.ts';
import { answer, type Command, type Values } from '../command.ts';
import { configOf } from '../data-folder.ts';
import {
  amountOption,
  COST_PER_OPTION,
  CURRENCY_OPTION,
  currencyOption,
  DATA_OPTION,
  IDENTIFIER_HELP,
  onePositional,
  textOption,
  wordOption,
} from '../options.ts';
import { moneyOrDash } from '../dollars.ts';
import { textTable } from '../text-table.ts';

export const compare: Command = {
  name: 'compare',
  summary: 'compare a product across retailers, with fees and profit',
  synopsis: [
    'IDENTIFIER [--currency CODE] [--cost AMOUNT] [--shipping AMOUNT] [--prep AMOUNT] [--cost-per code|piece] [--roi PERCENT] ' +
      '[--format F] [--data DIR] [--json]',
  ],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    currency: CURRENCY_OPTION,
    cost: { value: 'AMOUNT', help: 'your cost of one unit, such as 12.50' },
    shipping: { value: 'AMOUNT', help: 'what you pay to ship one unit (default 0)' },
    prep: { value: 'AMOUNT', help: 'what you pay to prepare one unit (default 0)' },
    'cost-per': COST_PER_OPTION,
    roi: {
      value: 'PERCENT',
      help: 'the desired return in percent; prints the highest cost that reaches it',
    },
    format: { value: 'F', help: 'the format of IDENTIFIER: UPC, EAN, ISBN, GTIN, ASIN or item_id' },
    data: DATA_OPTION,
    json: { help: 'print the comparison as one JSON object on one line' },
  },
  notes: [
    'Retailers are queried only if the product was never looked up on this installation.',
    'The command is not metered: the result has no token fields.',
  ],
  run: async (input) => {
    const { values, positionals, io } = input;
    const text = onePositional(positionals, 'IDENTIFIER');
    const costs = costsIn(values);
    const currency = currencyOption(values);
    await using app = await openApp(configOf(input));
    const lookup = app.lookupComparison.parse({
      text,
      format: textOption(values, 'format'),
      forceRefresh: false,
      currency,
    });
    const found =
      (await app.lookupComparison.fromStore(lookup)) ??
      (await app.lookupComparison.fromShops(lookup, app.lookupContext(io.stop)));
    const comparison = presentComparison(found, costs, currency !== undefined);
    return answer(input, comparison, render(comparison).map(input.asCalled));
  },
};

function costsIn(values: Values): SellerCosts {
  return {
    costCents: amountOption(values, 'cost'),
    shippingCents: amountOption(values, 'shipping') ?? 0,
    prepCents: amountOption(values, 'prep') ?? 0,
    costPer: wordOption(values, 'cost-per', COSTS_PER) ?? 'code',
    roiBasisPoints: amountOption(values, 'roi'),
  };
}

const percent = (value: number | null): string => (value === null ? '-' : `${value.toFixed(2)}%`);

const WHAT_THEY_NEED =
  'openshelf doctor shows which settings are missing for the retailers that cannot be queried.';
const HEADS = ['retailer', 'price', 'pack', 'fees', 'profit', 'ROI', 'margin', 'break-even'];

function render(comparison: ComparisonFacts): readonly string[] {
  const { title, gtin, pack_count: pack, rows, roi, currency } = comparison;
  const text = (amount: number | null) => moneyOrDash(amount, currency);
  const withCost = roi === null ? [] : [`cost for ${roi}%`];
  const table = rows.map((row) => [
    row.retailer,
    text(row.price),
    String(row.pack_count ?? '-'),
    text(row.fees?.total ?? null),
    text(row.profit),
    percent(row.roi),
    percent(row.margin),
    text(row.break_even_price),
    ...(roi === null ? [] : [text(row.highest_cost)]),
    noteOf(row),
  ]);
  const heads = [...HEADS, ...withCost, ''];
  const head = [title ?? '(no title)', gtin ?? 'no barcode', `pack of ${pack ?? 1}`].join(', ');
  const last = heads.length - 1;
  const lines = textTable([heads, ...table], (column) => column > 0 && column < last);
  const more = rows.some(isNeverAsked) ? ['', WHAT_THEY_NEED] : [];
  return [head, ...lines, ...more];
}

/** Why a row has no listing. */
const WITHOUT_LISTING: Readonly<Record<CellStatus, string>> = {
  ok: 'its page states another barcode',
  stale: 'its page states another barcode',
  indexing: 'not queried yet',
  not_found: 'has no product with this barcode',
  blocked: 'refuses automated requests',
  error: 'the last request failed',
};
const NEVER_ASKED = 'cannot be queried by barcode';

type ComparedRow = ComparisonFacts['rows'][number];

/** Checks whether none of the retailer's configured sources takes a barcode. */
const isNeverAsked = ({ status, refreshed_at: at }: ComparedRow): boolean =>
  status === 'error' && at === null;

function noteOf(row: ComparedRow): string {
  if (row.url !== null) {
    const { cost_factor: factor } = row;
    const costs = factor === undefined ? [] : [`${Number(factor.toPrecision(4))} times the cost`];
    return [...row.warnings.map((each) => WARNING_WORDS[each]), ...costs].join(', ');
  }
  return isNeverAsked(row) ? NEVER_ASKED : WITHOUT_LISTING[row.status];
}
