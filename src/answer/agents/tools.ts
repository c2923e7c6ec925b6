// The tools that agents call. Those for watches have a file of their own.

import { z } from 'zod';

import { amountArgument, currency, detail, identifier, retailer } from './arguments.ts';
import {
  candidatesDigest,
  comparisonDetail,
  comparisonDigest,
  historyDigest,
  offersDigest,
  productDetail,
  productDigest,
} from './digest.ts';
import { answerTool, given, priced, tool } from './tool-answer.ts';
import { WATCH_TOOLS } from './watch-tools.ts';

const onlyRetailer = retailer('The slug or name of the only retailer to use: retailer_w, walmart');

const lookup = tool({
  name: 'lookup',
  title: 'Look up a product',
  description:
    'Looks up what a product is and what it costs: identity, best price, age of the facts, doubts. ' +
    priced('lookup'),
  input: z.strictObject({ identifier, retailer: onlyRetailer, currency, detail }),
  example: { identifier: '614141000005' },
  effect: 'reads',
  run: (parts, { detail: isLong, ...ask }) =>
    answerTool(parts, 'lookup', {
      reply: () => parts.shelf.product({ ...ask, withOffers: false }),
      digest: isLong === true ? productDetail : productDigest,
      detail: isLong,
    }),
});

const compare = tool({
  name: 'compare',
  title: 'Compare retailers',
  description:
    'Compares one product at every retailer: price, fees and, if cost is sent, profit, ROI and the ' +
    `highest cost. Uses stored data. ${priced('compare')}`,
  input: z.strictObject({
    identifier,
    currency,
    cost: amountArgument('What you pay for one unit: the whole set if the identifier names a set'),
    shipping: amountArgument('What you pay to ship one unit'),
    prep: amountArgument('What you pay to prepare one unit'),
    cost_per: z
      .enum(['code', 'piece'])
      .optional()
      .meta({ description: 'The unit of the costs: code (default), or piece, one piece of a set' }),
    roi: amountArgument('The desired return in percent; fills highest_cost'),
    detail,
  }),
  example: { identifier: '614141000005', cost: 12.5 },
  effect: 'reads',
  run: (parts, { identifier: wanted, currency: money, detail: isLong, ...costs }) =>
    answerTool(parts, 'compare', {
      reply: () =>
        parts.shelf.comparison({ identifier: wanted, currency: money, costs: given(costs) }),
      digest: isLong === true ? comparisonDetail : comparisonDigest,
      detail: isLong,
    }),
});

const find = tool({
  name: 'find',
  title: 'Find candidates by words',
  description: `Finds product pages with a search engine; look one up to check it. ${priced('find')}`,
  input: z.strictObject({
    words: z
      .string()
      .min(2)
      .max(300)
      .meta({ description: 'Brand, model and size, as in a search' }),
  }),
  example: { words: 'Cobbleton brass letter tray' },
  effect: 'reads',
  run: (parts, { words }) =>
    answerTool(parts, 'find', { reply: () => parts.shelf.find(words), digest: candidatesDigest }),
});

const history = tool({
  name: 'history',
  title: 'Price history',
  description:
    'Returns the stored prices of a product: current, lowest, highest, average, newest rows. ' +
    priced('history'),
  input: z.strictObject({
    identifier,
    retailer: retailer('The slug or name of a retailer, or all; the default is retailer_w'),
    timeframe: z
      .enum(['7d', '30d', '60d', '90d', '180d', '1y', 'all'])
      .optional()
      .meta({ description: 'The default is 30d' }),
    currency,
    detail,
  }),
  example: { identifier: '614141000005', timeframe: '90d' },
  effect: 'reads',
  run: (parts, { detail: isLong, ...ask }) =>
    answerTool(parts, 'history', {
      reply: () => parts.shelf.history(ask),
      digest: historyDigest,
      detail: isLong,
    }),
});

const offers = tool({
  name: 'offers',
  title: 'Live offers',
  description:
    'Returns the current sellers of a product, cheapest first, fetched during the call. ' +
    priced('offers'),
  input: z.strictObject({ identifier, retailer: onlyRetailer, currency, detail }),
  example: { identifier: '614141000005' },
  effect: 'reads',
  run: (parts, { detail: isLong, ...ask }) =>
    answerTool(parts, 'offers', {
      reply: () => parts.shelf.product({ ...ask, withOffers: true }),
      digest: offersDigest,
      detail: isLong,
    }),
});

export const TOOLS = { lookup, compare, find, history, offers, ...WATCH_TOOLS } as const;
