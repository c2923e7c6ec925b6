// Parses a person's input for a channel into its target. Only the text is checked here; the guard decides whether an
// address may be reached when it is used. No message repeats the input, because it may be a secret. Pure.

import { authorityProblem, rawTextProblem } from '../../base/listing/public-url.ts';
import type { ChannelKind, Target } from './channel.ts';
import { fitted } from './plain-text.ts';
import { isSigningSecret } from './webhook.ts';

type Problem = { readonly problem: string; readonly field: string };
type ParsedTarget = { readonly target: Target } | Problem;
type Input = Readonly<Record<string, unknown>>;
/** The value, or the problem with it. */
type Parsed<T> = { readonly value: T } | Problem;

/** The fields of each kind, required ones first. */
const FIELDS: Readonly<Record<ChannelKind, readonly string[]>> = {
  webhook: ['url', 'secret'],
  ntfy: ['url', 'server', 'topic', 'token'],
  discord: ['url'],
  slack: ['url'],
  telegram: ['bot_token', 'chat_id'],
  email: ['to'],
  apprise: ['url'],
  mqtt: ['url', 'username', 'password', 'topic'],
  feed: [],
};

const MAX_URL = 2_048;

/**
 * Parses the fields of one kind of channel (docs/use/watches.md). `newSecret` generates the secret of a webhook if none is
 * sent: `whsec_` and base64 (see `signingSecretOf`).
 */
export function parseTarget(
  kind: ChannelKind,
  input: Input,
  newSecret: () => string,
): ParsedTarget {
  const unknown = Object.keys(input).find((name) => !FIELDS[kind].includes(name));
  if (unknown !== undefined) {
    const field = fitted(unknown, { most: 64 });
    return {
      field,
      problem: `Unknown field "${field}". A ${kind} channel accepts ${FIELDS[kind].join(', ') || 'no field'}.`,
    };
  }
  switch (kind) {
    case 'webhook':
      return webhookTarget(input, newSecret);
    case 'ntfy':
      return ntfyTarget(input);
    case 'discord':
      return discordTarget(input);
    case 'slack':
    case 'apprise':
      return targetWith(addressIn(input, 'url'), ({ href }) => ({ kind, url: href }));
    case 'telegram':
      return telegramTarget(input);
    case 'email':
      return targetWith(mailAddressIn(input), (to) => ({ kind, to }));
    case 'mqtt':
      return mqttTarget(input);
    case 'feed':
      // The same bytes in characters that an address does not escape.
      return {
        target: {
          kind,
          token: newSecret()
            .replace(/^whsec_/, '')
            .replaceAll(/[^\w]/g, '-'),
        },
      };
  }
}

function targetWith<T>(parsed: Parsed<T>, make: (value: T) => Target): ParsedTarget {
  return 'problem' in parsed ? parsed : { target: make(parsed.value) };
}

function webhookTarget(input: Input, newSecret: () => string): ParsedTarget {
  const secret = input['secret'] ?? null;
  if (secret !== null && (typeof secret !== 'string' || !isSigningSecret(secret))) {
    const problem =
      'A secret is whsec_ and the base64 of 24 to 64 bytes. Omit it to have one generated.';
    return { field: 'secret', problem };
  }
  return targetWith(addressIn(input, 'url'), ({ href }) => ({
    kind: 'webhook',
    url: href,
    signingSecret: secret ?? newSecret(),
  }));
}

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const TOPIC_RULE = 'A topic has 1 to 64 letters, digits, dashes and underscores.';

/** Either `url` with the topic after the server, or `server` and `topic`. */
function ntfyTarget(input: Input): ParsedTarget {
  const isWhole = input['url'] !== undefined;
  if (isWhole && (input['server'] !== undefined || input['topic'] !== undefined)) {
    return { field: 'url', problem: 'Send either url, or server and topic.' };
  }
  const field = isWhole ? 'url' : 'server';
  const address = addressIn(input, field);
  if ('problem' in address) return address;
  const { origin, pathname, search } = address.value;
  const rest = pathname.slice(1);
  if (search !== '' || (!isWhole && rest !== '')) {
    return { field, problem: 'A server address has no path and no query.' };
  }
  const topic = isWhole ? rest : input['topic'];
  if (typeof topic !== 'string' || !TOPIC.test(topic)) {
    const example = isWhole ? ' Send the address as https://ntfy.sh/topic.' : '';
    return { field: isWhole ? 'url' : 'topic', problem: TOPIC_RULE + example };
  }
  const token = input['token'] ?? null;
  if (token !== null && (typeof token !== 'string' || !/^[\u0021-\u007e]{1,256}$/.test(token))) {
    return { field: 'token', problem: 'A token has 1 to 256 visible ASCII characters.' };
  }
  return { target: { kind: 'ntfy', server: origin, topic, token } };
}

const DISCORD_PATH = /^\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/[\w-]{1,200}$/;

function discordTarget(input: Input): ParsedTarget {
  const address = addressIn(input, 'url');
  if ('problem' in address) return address;
  const { protocol, pathname, href } = address.value;
  if (protocol !== 'https:' || !DISCORD_PATH.test(pathname)) {
    const problem =
      'Send the address that Discord shows for the webhook: https://discord.com/api/webhooks/id/token.';
    return { field: 'url', problem };
  }
  return { target: { kind: 'discord', url: href } };
}

function telegramTarget(input: Input): ParsedTarget {
  const { bot_token: botToken, chat_id: chat } = input;
  if (typeof botToken !== 'string' || !/^\d{1,20}:[\w-]{20,100}$/.test(botToken)) {
    const problem = 'Send the token from @BotFather: digits, a colon, letters and digits.';
    return { field: 'bot_token', problem };
  }
  const chatId = typeof chat === 'number' && Number.isSafeInteger(chat) ? String(chat) : chat;
  if (typeof chatId !== 'string' || !/^(?:-?\d{1,20}|@[A-Za-z]\w{3,63})$/.test(chatId)) {
    return { field: 'chat_id', problem: 'A chat is a number such as -1001234567890, or @channel.' };
  }
  return { target: { kind: 'telegram', botToken, chatId } };
}

const BROKER = /^(mqtts?):\/\/([^/?#]+)\/?$/i;
const BROKER_RULE =
  'Send the address of a broker: mqtt://host:1883, or mqtts://host:8883 with TLS.';
/** Without the wildcards of subscriptions; Home Assistant reads its own topics below `homeassistant`. */
const BROKER_TOPIC = /^[\w-]+(?:\/[\w-]+)*$/;

function mqttTarget(input: Input): ParsedTarget {
  const { url, username, password = '', topic = 'openshelf' } = input;
  const [, scheme = '', place = ''] = BROKER.exec(typeof url === 'string' ? url : '') ?? [];
  const isTls = /^mqtts$/i.test(scheme);
  const port = /:\d+$/.test(place) ? '' : isTls ? ':8883' : ':1883';
  const address = addressIn({ url: `${isTls ? 'https' : 'http'}://${place}${port}` }, 'url');
  if (place === '' || 'problem' in address) return { field: 'url', problem: BROKER_RULE };
  if (typeof topic !== 'string' || topic.length > 100 || !BROKER_TOPIC.test(topic)) {
    const problem =
      'A topic has letters, digits, dashes and underscores, in parts separated by slashes.';
    return { field: 'topic', problem };
  }
  const login = username === undefined && password === '' ? null : { user: username, password };
  if (login !== null && !(isLoginPart(login.user) && isLoginPart(login.password))) {
    const problem = 'A user name and its password have 1 to 200 visible characters each.';
    return { field: 'username', problem };
  }
  const { hostname, port: own } = address.value;
  const whole = `${isTls ? 'mqtts' : 'mqtt'}://${hostname}:${own || (isTls ? '443' : '80')}`;
  return { target: { kind: 'mqtt', url: whole, login: login as LoginParts | null, topic } };
}

type LoginParts = { readonly user: string; readonly password: string };

const isLoginPart = (text: unknown): text is string =>
  typeof text === 'string' && /^[^\p{C}]{1,200}$/u.test(text);

const ADDRESS_RULE = 'Send an absolute address that begins with https:// or http://.';

/** A web address without its fragment. */
function addressIn(input: Input, field: string): Parsed<URL> {
  const text = input[field];
  const refused = (problem: string): Problem => ({ field, problem });
  if (typeof text !== 'string') return refused(ADDRESS_RULE);
  if (text.length > MAX_URL) return refused(`An address has at most ${MAX_URL} characters.`);
  if (rawTextProblem(text) !== null) {
    return refused('An address has no spaces, control characters or backslashes.');
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority !== undefined && authorityProblem(authority) !== null) {
    return refused(
      'An address has no user name or password before its host, and the host has at most 253 characters.',
    );
  }
  const url = authority === undefined ? null : URL.parse(text);
  if (url === null) {
    return refused(ADDRESS_RULE);
  }
  url.hash = '';
  if (url.href.length > MAX_URL) return refused(`An address has at most ${MAX_URL} characters.`);
  return { value: url };
}

/**
 * RFC 5321: 64 octets before the at sign, 254 in total. Quoted local parts are refused, because they are not used in
 * practice.
 */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

function mailAddressIn(input: Input): Parsed<string> {
  const to = input['to'];
  const refused = (problem: string): Problem => ({ field: 'to', problem });
  const at = typeof to === 'string' && to.length <= 254 ? to.lastIndexOf('@') : -1;
  if (typeof to !== 'string' || at < 1 || at > 64) {
    return refused('Send one mail address such as name@shop.example.');
  }
  if (!LOCAL_PART.test(to.slice(0, at)) || !DOMAIN.test(to.slice(at + 1))) {
    return refused('Send one mail address such as name@shop.example.');
  }
  return { value: to };
}
