// openshelf watch: an organization's watches, created and changed directly in the data. A running server checks them.

import { tokensInWords } from '../../../base/call-cost.ts';
import { readFileSync } from 'node:fs';

import { dollars } from '../../../base/dollars.ts';
import { FaultError } from '../../../base/fault.ts';
import { withoutRoutes } from '../../../base/next-steps.ts';
import { readUrlList } from '../../../rules/watches/url-list.ts';
import { MAX_ADDRESSES } from '../../../answer/lookup/watches/manage-watches.ts';
import { allowedBy } from '../../../answer/wire/allowed.ts';
import { presentDelivery } from '../../../answer/wire/watches/channels.ts';
import { presentNotice } from '../../../answer/wire/watches/present-notice.ts';
import {
  changedOf,
  NewWatchBody,
  presentWatch,
  wantedOf,
  type WatchOnWire,
} from '../../../answer/wire/watches/watches.ts';
import {
  answer,
  byAction,
  counted,
  DONE,
  FAILED,
  printJson,
  UsageError,
  type Command,
  type CommandInput,
  type Values,
} from '../command.ts';
import { asOrganization } from './as-organization.ts';
import { moneyOrDash } from '../dollars.ts';
import {
  amountOption,
  DATA_OPTION,
  noPositionals,
  onePositional,
  settingDefault,
  textOption,
} from '../options.ts';

const RULES =
  '[--retailer R] [--interval T] [--currency CODE] [--below AMOUNT] [--down-percent N] [--up-percent N] [--new-low DAYS] [--step-percent N] ' +
  '[--back-in-stock] [--out-of-stock] [--buy-box] [--any-change] [--source handed_in] [--channels IDS]';

export const watch: Command = {
  name: 'watch',
  summary: 'watch prices and stock, and be notified of changes',
  synopsis: [
    `add IDENTIFIER --org NAME ${RULES} [--data DIR] [--json]`,
    `import FILE --org NAME ${RULES} [--data DIR] [--json]`,
    'list --org NAME [--data DIR] [--json]',
    'log ID --org NAME [--data DIR] [--json]',
    'test ID --org NAME [--data DIR] [--json]',
    'pause ID --org NAME [--data DIR] [--json]',
    'resume ID --org NAME [--data DIR] [--json]',
    'remove ID --org NAME [--data DIR] [--json]',
  ],
  positionals: {
    IDENTIFIER:
      'a barcode, ASIN, item identifier or address of a product page; several addresses form one watch',
    FILE: 'a file with one address per line, as exported by changedetection.io, or a JSON export of PriceBuddy',
    ID: 'the identifier of a watch, as printed by "list"',
  },
  options: {
    org: { value: 'NAME', help: 'the organization that owns the watch' },
    retailer: {
      value: 'R',
      help:
        "whose price is watched: anchor (the shop that supplies the record's price; the default), best " +
        '(the lowest price of all shops), any (each shop) or the slug of a retailer',
    },
    interval: {
      value: 'T',
      help: 'the time between two checks, such as 90m, 6h or 1d (default 1d, minimum 1h)',
    },
    currency: {
      value: 'CODE',
      help: `the currency of the prices that are compared, an ISO 4217 code; it cannot be changed later (${settingDefault('currency')})`,
    },
    below: { value: 'AMOUNT', help: 'notify when the price is below this amount' },
    'down-percent': {
      value: 'N',
      help: 'notify when the price fell by N percent since the last notice',
    },
    'up-percent': {
      value: 'N',
      help: 'notify when the price rose by N percent since the last notice',
    },
    'new-low': {
      value: 'DAYS',
      help: 'notify when the price is the lowest of the last 30 or 90 days',
    },
    'step-percent': {
      value: 'N',
      help: 'how many percent the price must fall further before another notice (default 5)',
    },
    'back-in-stock': { help: 'notify when the product is back in stock' },
    'out-of-stock': { help: 'notify when the product is out of stock' },
    'buy-box': { help: 'notify when another seller has the buy box' },
    'any-change': { help: 'notify of every change (the default if no condition is specified)' },
    source: { value: 'handed_in', help: 'judge only pages that are handed in; nothing is fetched' },
    channels: {
      value: 'IDS',
      help: 'the channels to which notices are sent, separated by commas; openshelf channel list prints their identifiers',
    },
    data: DATA_OPTION,
    json: { help: 'print the result as one line of JSON' },
  },
  notes: [
    `Each read that a check causes costs the organization ${tokensInWords({ kind: 'watchedRead' })}.`,
    'The organization needs an API key. Create one with openshelf keys create.',
  ],
  run: byAction({ add, import: importList, list, log, test, pause, resume, remove }),
};

/** Builds the API's fields from the options. */
function bodyOf(values: Values): NewWatchBody {
  const number = (name: string) => {
    const hundredths = amountOption(values, name);
    return hundredths === null ? {} : { [name.replaceAll('-', '_')]: dollars(hundredths) };
  };
  const text = (name: string) => {
    const value = textOption(values, name);
    return value === undefined ? {} : { [name]: value };
  };
  const flag = (name: string) =>
    values[name] === true ? { [name.replaceAll('-', '_')]: true } : {};
  const sent = {
    ...text('retailer'),
    ...text('interval'),
    ...text('currency'),
    ...number('below'),
    ...number('down-percent'),
    ...number('up-percent'),
    ...number('new-low'),
    ...number('step-percent'),
    ...flag('back-in-stock'),
    ...flag('out-of-stock'),
    ...flag('buy-box'),
    ...flag('any-change'),
    ...text('source'),
    ...channelsOf(textOption(values, 'channels')),
  };
  const parsed = NewWatchBody.safeParse(sent);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = String(issue?.path[0] ?? '').replaceAll('_', '-');
  const allowed = issue === undefined ? [] : allowedBy(issue);
  throw new UsageError(
    `--${option} takes ${allowed.join(' or ')}, not "${textOption(values, option)}".`,
  );
}

function channelsOf(text: string | undefined) {
  if (text === undefined) return {};
  const ids = text.split(',').map((each) => each.trim());
  return { channels: ids.filter((each) => each !== '') };
}

async function add(input: CommandInput): Promise<number> {
  const { positionals, values } = input;
  if (positionals.length === 0) throw new UsageError('IDENTIFIER is missing.');
  const [identifier = '', ...more] = positionals;
  const about = more.length === 0 ? { identifier } : { addresses: [...positionals] };
  const body = { ...bodyOf(values), ...about };
  return asOrganization(input, async ({ manageWatches, owner, usualCurrency }) => {
    const wanted = wantedOf(body, usualCurrency);
    const added = await manageWatches.add(owner, wanted, null);
    const made = presentWatch(added);
    const line = added.isExisting
      ? `${made.id}  asks for the same already`
      : `${made.id}  is checked as soon as a server runs, then every ${made.interval}`;
    return answer(input, made, [line, ...noChannelRemark(made, input)]);
  });
}

/** Returns a remark on a watch without a channel: nothing is sent, so its changes must be looked up. */
function noChannelRemark(
  { id, channels }: WatchOnWire,
  { asCalled }: CommandInput,
): readonly string[] {
  if (channels.length > 0) return [];
  return [
    `No channel is set, so nothing is sent. ${asCalled(`openshelf watch log ${id}`)} shows its ` +
      `notifications; ${asCalled('openshelf channel add')} creates a channel.`,
  ];
}

const WATCHED_OTHERWISE =
  'the watch was imported before with other settings, or was changed since; it is left unchanged. Remove ' +
  'it to import it again.';

/** Creates one watch for each line or product. What cannot be watched is reported, and the rest is created. */
async function importList(input: CommandInput): Promise<number> {
  const { positionals, values, io } = input;
  const file = onePositional(positionals, 'FILE');
  const body = bodyOf(values);
  const list = readUrlList(readFileSync(file, 'utf8'));
  return asOrganization(input, async ({ manageWatches, owner, usualCurrency }) => {
    let made = 0;
    const refused = list.unread.map(({ line, why }) => `entry ${line}: ${why}`);
    for (const { identifiers, belowCents } of list.watches) {
      const [identifier = ''] = identifiers;
      const about =
        identifiers.length === 1
          ? { identifier }
          : { addresses: identifiers.slice(0, MAX_ADDRESSES) };
      const line =
        belowCents === null || body.below !== undefined ? {} : { below: dollars(belowCents) };
      // Importing the same file twice creates no watch twice.
      const once = `import ${identifiers.join(' ')}`;
      try {
        const wanted = wantedOf({ ...body, ...line, ...about }, usualCurrency);
        await manageWatches.add(owner, wanted, once);
        made += 1;
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        const isConflict = error.fault.code === 'idempotency_conflict';
        refused.push(
          `${identifier}: ${isConflict ? WATCHED_OTHERWISE : withoutRoutes(error.fault.detail, 'command')}`,
        );
      }
    }
    if (values['json'] === true) printJson(io, { watches: made, refused });
    else {
      refused.forEach((line) => io.err(line));
      io.out(
        `${counted(made, 'watch', 'watches')}; ${counted(refused.length, 'entry', 'entries')} could not be watched`,
      );
    }
    return made === 0 && refused.length > 0 ? FAILED : DONE;
  });
}

const LISTED = 500;

async function list(input: CommandInput): Promise<number> {
  noPositionals(input.positionals);
  return asOrganization(input, async ({ manageWatches, owner }) => {
    const watches = await manageWatches.list(owner.organizationId, LISTED, null);
    const shown = watches.map(presentWatch);
    return answer(input, shown, shown.length === 0 ? ['no watches'] : shown.map(watchText));
  });
}

function watchText(shown: ReturnType<typeof presentWatch>): string {
  const { id, identifier, addresses, state, interval, listings, reason, currency } = shown;
  const price = listings[0]?.price ?? null;
  const what = identifier ?? addresses.join(' ');
  return `${id}  ${state}  ${interval}  ${moneyOrDash(price, currency)}  ${what}${reason === null ? '' : `  (${reason})`}`;
}

const LOGGED = 200;

/** Prints the notices and, below each one, its delivery result in each channel. */
async function log(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(
    input,
    async ({ manageChannels, manageWatches, owner: { organizationId } }) => {
      await manageWatches.find(organizationId, id);
      const page = { limit: LOGGED, after: null };
      const sent = await manageChannels.deliveriesOf(organizationId, id, page);
      const names = await manageChannels.list(organizationId);
      const nameOf = (channel: string) =>
        names.find((each) => each.id === channel)?.name ?? channel;
      const notices = (await manageWatches.noticesOf(organizationId, id)).map((notice) => {
        const own = sent.filter(({ delivery }) => delivery.noticeId === notice.id);
        return {
          ...presentNotice(notice),
          deliveries: own.map(({ delivery, title }) => presentDelivery(delivery, title)),
        };
      });
      const lines = notices.flatMap(({ at, kind, title, text, deliveries }) => [
        `${at}  ${kind}  ${title}. ${text}`,
        ...deliveries.map((each) => `  ${nameOf(each.channel_id)}: ${deliveryText(each)}`),
      ]);
      return answer(input, notices, lines.length === 0 ? ['no notification yet'] : lines);
    },
  );
}

type Shown = Pick<
  ReturnType<typeof presentDelivery>,
  'state' | 'attempts' | 'delivered_at' | 'next_attempt_at' | 'detail'
>;

function deliveryText({ state, attempts, delivered_at: at, next_attempt_at: next, detail }: Shown) {
  if (state === 'delivered') return `delivered ${at ?? ''}`;
  const tries = counted(attempts, 'attempt');
  const why = detail === null ? '' : ` (${detail})`;
  if (state === 'given_up') return `given up after ${tries}${why}`;
  if (attempts === 0) return 'waiting to be sent by a running server';
  return `${tries}${why}; next attempt ${next === null ? 'at once' : `at ${next}`}`;
}

async function test(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(input, async ({ manageWatches, owner }) => {
    const notice = presentNotice(await manageWatches.test(owner.organizationId, id));
    return answer(input, notice, [`${notice.title}. ${notice.text}`]);
  });
}

function pause(input: CommandInput): Promise<number> {
  return setPaused(input, true);
}

function resume(input: CommandInput): Promise<number> {
  return setPaused(input, false);
}

async function setPaused(input: CommandInput, paused: boolean): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(input, async ({ manageWatches, owner: { organizationId } }) => {
    const changed = await manageWatches.change(organizationId, id, changedOf({ paused }));
    const shown = presentWatch(changed);
    return answer(input, shown, [`${id}  ${shown.state}`]);
  });
}

async function remove(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(input, async ({ manageWatches, owner }) => {
    await manageWatches.remove(owner.organizationId, id);
    return answer(input, { deleted: true, id }, [`${id}  deleted`]);
  });
}
