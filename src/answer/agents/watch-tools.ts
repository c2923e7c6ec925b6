// The tools for watches: what the routes of watches do, with the arguments that an agent needs.

import { z } from 'zod';

import { tokensInWords } from '../../base/call-cost.ts';
import { intervalOf } from '../../rules/watches/schedule.ts';
import { INTERVAL_RULE } from '../wire/watches/watches.ts';
import { amountArgument, currency, identifier, retailer } from './arguments.ts';
import { answerTool, given, priced, tool } from './tool-answer.ts';
import { removalDigest, watchDigest, watchesDigest, WATCHES_SHOWN } from './watch-digest.ts';

const CONDITIONS = {
  below: amountArgument('Notifies when the price is below this amount', 0.01),
  down_percent: z.number().min(0.01).max(1_000).optional().meta({
    description: 'Notifies when the price has fallen by this many percent',
  }),
  new_low: z
    .number()
    .refine((days) => days === 30 || days === 90, { params: { allowed: ['30', '90'] } })
    .optional()
    .meta({ description: 'Notifies when the price is the lowest in this many days: 30 or 90' }),
  back_in_stock: z.boolean().optional(),
  interval: z
    .string()
    .refine((text) => intervalOf(text) !== null, { params: { allowed: [INTERVAL_RULE] } })
    .optional()
    .meta({ description: `The time between two checks: ${INTERVAL_RULE}` }),
};

const watchId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'The id of a watch, as watches lists it' });

const SUBJECT = { argument: 'watch', ifNotFound: 'Call watches for the ids of the watches.' };

const checkPrice = tokensInWords({ kind: 'watchedRead' });

const watch = tool({
  name: 'watch',
  title: 'Watch a product',
  description:
    'Creates a watch that checks daily, or at another interval, and sends a notification when a condition is met, or on ' +
    `any change. Creating it is free; each check costs the key ${checkPrice}, so ask the user first.`,
  input: z.strictObject({
    identifier,
    retailer: retailer('Whose price: anchor (default), any, best, or a slug'),
    currency: currency.meta({
      description: 'The currency of the watch, which cannot be changed later: an ISO 4217 code',
    }),
    source: z.enum(['handed_in']).optional().meta({
      description: 'Uses only pages that the user supplies; nothing is fetched or charged',
    }),
    ...CONDITIONS,
  }),
  example: { identifier: '614141000005', below: 20 },
  effect: 'adds',
  run: (parts, input) =>
    answerTool(parts, 'watch', {
      reply: () => parts.shelf.watch(given(input)),
      digest: watchDigest,
    }),
});

const watches = tool({
  name: 'watches',
  title: 'List watches',
  description: `Lists the watches of the organization, newest first, ${WATCHES_SHOWN} at a time. ${priced('watches')}`,
  input: z.strictObject({
    cursor: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'The cursor in the previous answer, to get the following watches' }),
  }),
  example: {},
  effect: 'reads',
  run: (parts, { cursor }) =>
    answerTool(parts, 'watches', {
      reply: () => parts.shelf.watches({ limit: WATCHES_SHOWN, cursor }),
      digest: watchesDigest,
    }),
});

const REMOVABLE = { below: null, down_percent: null, new_low: null, back_in_stock: false } as const;
type Removable = keyof typeof REMOVABLE;

const changeWatch = tool({
  name: 'change_watch',
  title: 'Change a watch',
  description:
    'Changes, pauses or resumes a watch. Fields that are not sent stay unchanged; without ' +
    'removes conditions. ' +
    `${priced('change_watch')} Each check costs the key ${checkPrice}.`,
  input: z.strictObject({
    watch: watchId,
    retailer: retailer('Whose price: anchor, any, best, or a slug'),
    ...CONDITIONS,
    without: z
      .array(z.enum(Object.keys(REMOVABLE) as [Removable, ...Removable[]]))
      .max(4)
      .optional()
      .meta({ description: 'Conditions to remove' }),
    paused: z.boolean().optional().meta({ description: 'Whether checks are paused' }),
  }),
  example: { watch: 'wat_2mQ9xkz0', below: 15 },
  effect: 'changes',
  run: (parts, { watch: id, without = [], ...changes }) => {
    const removed = Object.fromEntries(without.map((name) => [name, REMOVABLE[name]]));
    return answerTool(parts, 'change_watch', {
      reply: () => parts.shelf.changeWatch(id, given({ ...changes, ...removed })),
      digest: watchDigest,
      subject: SUBJECT,
    });
  },
});

const removeWatch = tool({
  name: 'remove_watch',
  title: 'Remove a watch',
  description: `Deletes a watch for good; change_watch can pause it instead. Ask the user first. ${priced('remove_watch')}`,
  input: z.strictObject({ watch: watchId }),
  example: { watch: 'wat_2mQ9xkz0' },
  effect: 'changes',
  run: (parts, { watch: id }) =>
    answerTool(parts, 'remove_watch', {
      reply: () => parts.shelf.removeWatch(id),
      digest: removalDigest,
      subject: SUBJECT,
    }),
});

export const WATCH_TOOLS = {
  watch,
  watches,
  change_watch: changeWatch,
  remove_watch: removeWatch,
} as const;
