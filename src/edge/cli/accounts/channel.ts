// openshelf channel: where an organization's notifications are sent, created and changed directly in the data.

import { readFileSync } from 'node:fs';

import { CHANNEL_KINDS } from '../../../rules/channels/channel.ts';
import { FaultError } from '../../../base/fault.ts';
import { presentChannel, presentDeliveryResult } from '../../../answer/wire/watches/channels.ts';
import {
  answer,
  byAction,
  DONE,
  FAILED,
  UsageError,
  type Command,
  type CommandInput,
  type Values,
} from '../command.ts';
import { asOrganization } from './as-organization.ts';
import { DATA_OPTION, noPositionals, onePositional, textOption } from '../options.ts';

const TARGET =
  '[--url URL] [--secret TEXT] [--token TEXT] [--bot-token TEXT] [--chat-id ID] [--to ADDRESS] ' +
  '[--topic TEXT] [--username TEXT] [--password TEXT]';

export const channel: Command = {
  name: 'channel',
  summary:
    'set where watch notices go: webhook, ntfy, Discord, Slack, Telegram, e-mail, Apprise, MQTT, feed',
  synopsis: [
    `add KIND --org NAME [--name TEXT] ${TARGET} [--data DIR] [--json]`,
    'list --org NAME [--data DIR] [--json]',
    'test ID --org NAME [--data DIR] [--json]',
    'confirm ID --code CODE --org NAME [--data DIR] [--json]',
    'pause ID --org NAME [--data DIR] [--json]',
    'resume ID --org NAME [--data DIR] [--json]',
    'remove ID --org NAME [--data DIR] [--json]',
  ],
  positionals: {
    KIND: CHANNEL_KINDS.join(', '),
    ID: 'the identifier of a channel, as printed by "list"',
  },
  options: {
    org: { value: 'NAME', help: 'the organization that owns the channel' },
    name: { value: 'TEXT', help: 'a name for the channel' },
    url: {
      value: 'URL',
      help: 'for webhook, ntfy (including its topic), discord, slack, apprise and mqtt: the address to send messages to',
    },
    secret: {
      value: 'TEXT',
      help: 'for webhook: the signing secret; one is generated if this option is omitted',
    },
    token: { value: 'TEXT', help: 'for ntfy: an access token' },
    'bot-token': { value: 'TEXT', help: 'for telegram: the token of the bot' },
    'chat-id': { value: 'ID', help: 'for telegram: the identifier of the chat' },
    to: { value: 'ADDRESS', help: 'for email: the address of the recipient' },
    topic: { value: 'TEXT', help: 'for mqtt: the beginning of its topics (default openshelf)' },
    username: { value: 'TEXT', help: 'for mqtt: the user name' },
    password: { value: 'TEXT', help: 'for mqtt: the password' },
    code: { value: 'CODE', help: 'for confirm: the code that was sent to the email address' },
    data: DATA_OPTION,
    json: { help: 'print the result as one line of JSON' },
  },
  notes: [
    'An option value of - is read from standard input, so that a secret does not end up in the shell history.',
    'docs/use/watches.md explains how to set up each kind.',
  ],
  run: byAction({ add, list, test, confirm, pause, resume, remove }),
};

const FIELDS = [
  'url',
  'secret',
  'token',
  'bot-token',
  'chat-id',
  'to',
  'topic',
  'username',
  'password',
] as const;

/** Returns the API's name for the field that the option sets. */
const fieldOf = (name: (typeof FIELDS)[number]): string => name.replace('-', '_');

function fieldsOf(values: Values): Readonly<Record<string, string>> {
  const sent = FIELDS.flatMap((name) => {
    const text = textOption(values, name);
    return text === undefined ? [] : [[fieldOf(name), text] as const];
  });
  if (sent.filter(([, text]) => text === '-').length > 1) {
    throw new UsageError('Only one value can be read from standard input.');
  }
  return Object.fromEntries(
    sent.map(([name, text]) => [name, text === '-' ? readFileSync(0, 'utf8').trim() : text]),
  );
}

async function add(input: CommandInput): Promise<number> {
  const { values, positionals } = input;
  const text = onePositional(positionals, 'KIND');
  const kind = CHANNEL_KINDS.find((each) => each === text);
  if (kind === undefined) {
    throw new UsageError(`"${text}" is not a kind of channel. Use ${CHANNEL_KINDS.join(', ')}.`);
  }
  const name = textOption(values, 'name') ?? null;
  const fields = fieldsOf(values);
  return asOrganization(input, async ({ manageChannels, owner: { organizationId } }) => {
    const wanted = { kind, name, fields };
    const made = await manageChannels.add(organizationId, wanted, null).catch(namingOption(fields));
    const { signingSecret: signing_secret, feedUrl: feed_url } = made;
    const shown = { ...presentChannel(made.channel), signing_secret, feed_url };
    const lines = [`${shown.channel_id}  ${shown.kind}  ${shown.name}`];
    if (made.signingSecret !== null) {
      lines.push(`signing secret (it is not shown again): ${made.signingSecret}`);
    }
    if (feed_url !== null) lines.push(`address of the feed (it is not shown again): ${feed_url}`);
    if (shown.state === 'unconfirmed') lines.push(`unconfirmed: ${shown.last_detail ?? ''}`);
    return answer(input, shown, lines);
  });
}

/** A missing or wrong value is reported with the name of its option. */
const namingOption =
  (given: Readonly<Record<string, string>>) =>
  (error: unknown): never => {
    if (!(error instanceof FaultError)) throw error;
    const { parameter = '', detail } = error.fault;
    const option = FIELDS.find((name) => fieldOf(name) === parameter);
    if (option === undefined) throw error;
    const wrong = parameter in given ? `Option --${option}:` : `Option --${option} is missing.`;
    throw new FaultError({ ...error.fault, detail: `${wrong} ${detail}` });
  };

async function list(input: CommandInput): Promise<number> {
  noPositionals(input.positionals);
  return asOrganization(input, async ({ manageChannels, owner }) => {
    const shown = (await manageChannels.list(owner.organizationId)).map(presentChannel);
    const lines = shown.map(({ channel_id: id, kind, name, state, last_detail: detail }) =>
      [id, kind, state, name, ...(detail === null ? [] : [`(${detail})`])].join('  '),
    );
    return answer(input, shown, lines.length === 0 ? ['no channels'] : lines);
  });
}

async function test(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(input, async ({ manageChannels, owner }) => {
    const came = presentDeliveryResult(await manageChannels.test(owner.organizationId, id));
    answer(input, came, [came.detail, ...(came.excerpt === null ? [] : [came.excerpt])]);
    return came.outcome === 'delivered' ? DONE : FAILED;
  });
}

async function confirm(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  const code = textOption(input.values, 'code');
  if (code === undefined) throw new UsageError('Option --code is missing.');
  return asOrganization(input, async ({ manageChannels, owner: { organizationId } }) => {
    const shown = presentChannel(await manageChannels.confirm(organizationId, id, code));
    return answer(input, shown, [`${id}  ${shown.state}`]);
  });
}

function pause(input: CommandInput): Promise<number> {
  return setPaused(input, true);
}

function resume(input: CommandInput): Promise<number> {
  return setPaused(input, false);
}

async function setPaused(input: CommandInput, isPaused: boolean): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(input, async ({ manageChannels, owner: { organizationId } }) => {
    const changed = { isPaused, fields: {} };
    const shown = presentChannel(await manageChannels.change(organizationId, id, changed));
    return answer(input, shown, [`${id}  ${shown.state}`]);
  });
}

async function remove(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  return asOrganization(input, async ({ manageChannels, owner }) => {
    await manageChannels.remove(owner.organizationId, id);
    return answer(input, { deleted: true, channel_id: id }, [`${id}  deleted`]);
  });
}
