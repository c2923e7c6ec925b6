// The channels page: where the organization receives notices, whether they get through, and what each receiver answered.

import { call } from './api.js';
import { KINDS, newChannelForm } from './channel-form.js';
import { confirmButton, el, fill, keepFocus, oneAtATime, problemLine } from './dom.js';
import { age, counted, plain, seen } from './format.js';
import { schedulePart } from './channel-schedule.js';
import { forgetChannels, cachedChannels } from './cached-channels.js';

/** @typedef {import('../src/answer/wire/watches/channels.ts').ChannelOnWire} Channel */
/** @typedef {import('../src/answer/wire/watches/channels.ts').ChannelTest} DeliveryResult */

const STATES = /** @type {const} */ ({
  active: ['good', 'Active'],
  paused: ['quiet', 'Paused'],
  failing: ['warn', 'Failing'],
  unconfirmed: ['warn', 'Not confirmed'],
});

const OUTCOMES = /** @type {const} */ ({
  delivered: ['good', 'The test was delivered'],
  retry: ['warn', 'The test was not delivered; a notice would be retried'],
  refused: ['bad', 'The test was refused; a notice would not be retried'],
});

/** @param {HTMLElement} page */
export function show(page) {
  const said = el('div', { role: 'status' });
  const list = el('div', {});
  const reload = () => {
    forgetChannels();
    void load();
  };
  const form = newChannelForm({ said, reload });
  fill(
    page,
    el('h1', {}, 'Channels'),
    el(
      'p',
      { class: 'soft' },
      'A channel is where your watches send notifications. Its target is stored encrypted and never shown again.',
    ),
    form,
    said,
    list,
  );
  void load();

  async function load() {
    const answer = await cachedChannels();
    if (!answer.ok) {
      fill(list, problemLine(answer.problem.detail));
      return;
    }
    const { channels } = answer.body;
    if (channels.length === 0) {
      form.open = true;
      fill(
        list,
        el(
          'p',
          { class: 'empty' },
          'There is no channel yet: choose a kind above, then send a test. Until then notices are listed on the watches page only.',
        ),
      );
      return;
    }
    keepFocus(list, 'data-channel', () =>
      fill(
        list,
        channels.map((channel) => channelCard(channel, said, reload)),
      ),
    );
  }
}

/**
 * @param {Channel} channel
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
function channelCard(channel, said, reload) {
  const { channel_id: id, kind, name, hint, state, last_detail: detail } = channel;
  const [tone, label] =
    state === 'active' && isFailing(channel) ? ['warn', 'Not delivered'] : STATES[state];
  const shown = plain(name, 100) || hint;
  const tested = el('div', { class: 'tested', role: 'status' });
  return el(
    'section',
    { class: 'panel channel', 'data-channel': id, 'aria-label': `Channel ${shown}` },
    el(
      'div',
      { class: 'section-head' },
      el('h2', {}, el('bdi', {}, shown)),
      el('span', { class: `state ${tone}` }, label),
    ),
    el(
      'p',
      { class: 'soft small' },
      [KINDS[kind].label, el('bdi', {}, plain(hint, 120)), whenOf(channel)].flatMap((part, at) =>
        at === 0 ? [part] : [' · ', part],
      ),
    ),
    isFailing(channel) && detail !== null
      ? el('p', { class: 'watch-reason' }, el('bdi', {}, plain(detail, 300)))
      : null,
    state === 'unconfirmed' ? codeForm(id, { said, reload }) : null,
    schedulePart(channel, { said, reload }),
    tested,
    buttonsOf(channel, shown, { said, reload, tested }),
  );
}

/**
 * Asks for the code that the address was sent.
 * @param {string} id
 * @param {{ said: HTMLElement, reload: () => void }} parts
 */
function codeForm(id, { said, reload }) {
  const field = el('input', {
    name: 'code',
    autocomplete: 'one-time-code',
    size: 12,
    required: '',
  });
  const confirm = oneAtATime(async () => {
    const path = `/v1/channels/${encodeURIComponent(id)}/confirm`;
    const answer = await call(path, { method: 'POST', body: { code: field.value } });
    fill(
      said,
      answer.ok ? el('p', {}, 'The address is confirmed.') : problemLine(answer.problem.detail),
    );
    if (answer.ok) reload();
  });
  return el(
    'form',
    { onsubmit: confirm },
    el('p', { class: 'soft' }, 'The address was sent a code. Nothing else is sent there before.'),
    el('p', { class: 'actions' }, el('label', {}, 'Code ', field), el('button', {}, 'Confirm')),
  );
}

/** Returns whether the last attempt, which may be a test, failed. @param {Channel} channel */
function isFailing({ state, last_attempt_at: tried, last_delivery_at: delivered }) {
  return state === 'failing' || (tried !== null && (delivered === null || delivered < tried));
}

/** @param {Channel} channel */
function whenOf({ last_delivery_at: delivered, last_attempt_at: tried, created_at: made }) {
  if (delivered !== null) return `last delivered ${age(delivered)}`;
  return tried === null ? `created ${age(made)}, nothing sent yet` : 'nothing delivered yet';
}

/**
 * @param {Channel} channel
 * @param {string} shown
 * @param {{ said: HTMLElement, reload: () => void, tested: HTMLElement }} parts
 */
function buttonsOf({ channel_id: id, state }, shown, { said, reload, tested }) {
  const path = `/v1/channels/${encodeURIComponent(id)}`;
  const isPaused = state === 'paused';
  /**
   * @param {import('./api.js').Options} options
   * @param {string} done
   */
  const change = async (options, done) => {
    const answer = await call(path, options);
    fill(said, answer.ok ? el('p', {}, done) : problemLine(answer.problem.detail));
    reload();
  };
  const test = el(
    'button',
    {
      type: 'button',
      onclick: async () => {
        test.disabled = true;
        fill(tested, el('p', { class: 'soft busy' }, 'Sending a test…'));
        const answer = /** @type {import('./api.js').Answer<DeliveryResult>} */ (
          await call(`${path}/test`, { method: 'POST' })
        );
        test.disabled = false;
        fill(
          tested,
          answer.ok ? deliveryResultOf(answer.body) : problemLine(answer.problem.detail),
        );
        forgetChannels();
      },
    },
    state === 'unconfirmed' ? 'Send the code again' : 'Send a test',
  );
  return el(
    'p',
    { class: 'actions' },
    test,
    el(
      'button',
      {
        type: 'button',
        'data-act': 'pause',
        onclick: oneAtATime(() =>
          change(
            { method: 'PATCH', body: { paused: !isPaused } },
            isPaused
              ? `${shown} is active again.`
              : `${shown} is paused: nothing is sent through it.`,
          ),
        ),
      },
      isPaused ? 'Resume' : 'Pause',
    ),
    confirmButton({
      label: 'Remove',
      about: `the channel ${shown}`,
      act: () =>
        change(
          { method: 'DELETE' },
          `${shown} is removed, and no notification is sent through it.`,
        ),
    }),
  );
}

/**
 * Describes the result of a test in words, including the receiver's own answer.
 * @param {DeliveryResult} result
 */
function deliveryResultOf({ outcome, status, detail, excerpt }) {
  const [tone, label] = OUTCOMES[outcome];
  return [
    el(
      'p',
      {},
      el('span', { class: `state ${tone}` }, label),
      status === null ? null : el('span', { class: 'soft' }, ` HTTP ${status}`),
    ),
    el('p', { class: 'soft' }, el('bdi', {}, plain(detail, 300))),
    excerpt === null
      ? el('p', { class: 'soft small' }, "The receiver's response has no text.")
      : [
          el(
            'p',
            { class: 'soft small' },
            `The receiver answered (${counted(excerpt.length, 'character')} shown):`,
          ),
          el('pre', { tabindex: 0 }, seen(excerpt)),
        ],
  ].flat();
}
