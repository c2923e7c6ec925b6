// The form for a new channel: the fields of each kind, and where people find their values.

import { call } from './api.js';
import { cachedChannels } from './cached-channels.js';
import { el, fill, oneAtATime, problemLine } from './dom.js';
import { plain } from './format.js';

/** @typedef {import('../src/answer/wire/watches/channels.ts').ChannelOnWire} Channel */
/** @typedef {{ name: string, label: string, example: string, isOptional?: boolean, isSecret?: boolean }} Field */
/** @typedef {{ label: string, help: string, fields: readonly Field[] }} Kind */

/** @type {Readonly<Record<Channel['kind'], Kind>>} */
export const KINDS = {
  ntfy: {
    label: 'ntfy (phone)',
    help:
      'Install the ntfy app, subscribe to a long topic that cannot be guessed, and enter its address here. ' +
      'Anyone who knows the topic can read it. A protected topic needs an access token.',
    fields: [
      { name: 'url', label: 'Address of the topic', example: 'https://ntfy.sh/prices-k3v9q2' },
      {
        name: 'token',
        label: 'Access token',
        example: 'tk_…',
        isOptional: true,
        isSecret: true,
      },
    ],
  },
  discord: {
    label: 'Discord',
    help: 'In Discord: open the channel settings, Integrations, Webhooks; choose New webhook, then Copy webhook URL.',
    fields: [
      {
        name: 'url',
        label: 'Webhook URL',
        example: 'https://discord.com/api/webhooks/…',
        isSecret: true,
      },
    ],
  },
  slack: {
    label: 'Slack',
    help: 'In Slack: create an app with incoming webhooks, choose Add new webhook, and copy its URL.',
    fields: [
      {
        name: 'url',
        label: 'Webhook URL',
        example: 'https://hooks.slack.com/services/…',
        isSecret: true,
      },
    ],
  },
  telegram: {
    label: 'Telegram',
    help: 'Create a bot with @BotFather, send it one message, and enter the number of that chat.',
    fields: [
      { name: 'bot_token', label: 'Token of the bot', example: '123456:ABC…', isSecret: true },
      { name: 'chat_id', label: 'Chat', example: 'a number, or @channel' },
    ],
  },
  email: {
    label: 'Mail',
    help: 'The address first gets a code, which confirms it here.',
    fields: [{ name: 'to', label: 'Mail address', example: 'you@example.com' }],
  },
  mqtt: {
    label: 'Home Assistant (MQTT)',
    help:
      'The broker that Home Assistant uses; the operator has to list its host and port. Each watch appears as a sensor with ' +
      'its first notice.',
    fields: [
      { name: 'url', label: 'Address of the broker', example: 'mqtt://homeassistant.local:1883' },
      { name: 'username', label: 'User name', example: 'openshelf', isOptional: true },
      { name: 'password', label: 'Password', example: '', isOptional: true, isSecret: true },
    ],
  },
  apprise: {
    label: 'Apprise',
    help: 'The address of an Apprise API with its key. It passes notices on to any service that it knows.',
    fields: [
      {
        name: 'url',
        label: 'Address',
        example: 'https://apprise.example.com/notify/key',
        isSecret: true,
      },
    ],
  },
  feed: {
    label: 'Feed (Atom)',
    help: 'For a feed reader. The address is shown once; whoever has it can read the feed. Remove the channel to end it.',
    fields: [],
  },
  webhook: {
    label: 'Webhook of your own',
    help:
      'Your own program that accepts POST requests, signed according to Standard Webhooks. Without a secret, ' +
      'one is generated and shown once.',
    fields: [
      { name: 'url', label: 'Address', example: 'https://hooks.example.com/openshelf' },
      {
        name: 'secret',
        label: 'Signing secret',
        example: 'whsec_…',
        isOptional: true,
        isSecret: true,
      },
    ],
  },
};

/**
 * @param {{ said: HTMLElement, reload: () => void }} feedback
 */
export function newChannelForm({ said, reload }) {
  const kind = el(
    'select',
    { id: 'channel-kind', onchange: () => showFields() },
    Object.entries(KINDS).map(([value, { label }]) => el('option', { value }, label)),
  );
  void cachedChannels().then((answer) => {
    if (!answer.ok) return;
    const { kinds } = answer.body;
    for (const [value] of Object.entries(KINDS))
      if (!kinds.includes(value)) kind.querySelector(`[value="${value}"]`)?.remove();
  });
  const name = el('input', {
    id: 'channel-name',
    maxlength: 100,
    autocomplete: 'off',
    placeholder: 'my phone',
  });
  const fields = el('div', { class: 'fields' });
  const help = el('p', { class: 'soft small' });
  const chosen = () => /** @type {Channel['kind']} */ (kind.value);
  const showFields = () => {
    const { fields: wanted, help: words } = KINDS[chosen()];
    help.textContent = words;
    fill(fields, wanted.map(fieldOf));
  };
  showFields();
  const submit = oneAtATime(async () => {
    const sent = [...fields.querySelectorAll('input')]
      .map((input) => /** @type {const} */ ([input.name, input.value.trim()]))
      .filter(([, value]) => value !== '');
    const body = {
      kind: chosen(),
      ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
      ...Object.fromEntries(sent),
    };
    if (!(await addChannel(body, said))) return;
    name.value = '';
    showFields();
    form.open = false;
    reload();
  });
  const form = el(
    'details',
    { class: 'panel watch-form', id: 'new-channel' },
    el('summary', {}, 'New channel'),
    el(
      'form',
      { onsubmit: submit },
      el(
        'div',
        { class: 'fields' },
        el('p', {}, el('label', { for: 'channel-kind' }, 'Kind'), kind),
        el('p', {}, el('label', { for: 'channel-name' }, 'Name'), name),
      ),
      fields,
      help,
      el('button', { class: 'primary', type: 'submit' }, 'Add'),
    ),
  );
  return form;
}

/**
 * Creates the channel and confirms it, with the signing secret that is shown only once.
 * @param {object} body
 * @param {HTMLElement} said
 */
async function addChannel(body, said) {
  const answer =
    /** @type {import('./api.js').Answer<{ channel: Channel, signing_secret: string | null, feed_url: string | null }>} */ (
      await call('/v1/channels', { method: 'POST', body })
    );
  if (!answer.ok) {
    fill(said, problemLine(answer.problem.detail));
    return false;
  }
  const { channel, signing_secret: secret, feed_url: feed } = answer.body;
  const shownOnce = secret ?? (feed === null ? null : new URL(feed, location.origin).href);
  fill(
    said,
    el(
      'p',
      {},
      `“${plain(channel.name, 100)}” was added. Send a test to check that notices are delivered.`,
    ),
    shownOnce === null
      ? null
      : [
          el(
            'p',
            {},
            `Its ${secret === null ? 'address' : 'signing secret'} is shown once: copy it now.`,
          ),
          el('code', { class: 'secret', tabindex: 0 }, shownOnce),
        ],
  );
  return true;
}

/** @param {Field} field */
function fieldOf({ name, label, example, isOptional = false, isSecret = false }) {
  const id = `channel-${name}`;
  return el(
    'p',
    { class: 'grow' },
    el('label', { for: id }, isOptional ? `${label} (optional)` : label),
    el('input', {
      id,
      name,
      required: !isOptional,
      type: isSecret ? 'password' : 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      maxlength: 2_048,
      placeholder: example,
    }),
  );
}
