// The keys of all organizations: make, rotate, revoke.

import { call } from './api.js';
import { el, fill, table } from './dom.js';
import { age, day, NONE, plain } from './format.js';

/** @typedef {import('../wire/operation.ts').OperatorKeys['keys'][number]} Key */
/** @typedef {import('../wire/operation.ts').NewOperatorKey} MadeKey */

const LIVES = /** @type {const} */ ([
  ['', 'never'],
  ['12', 'in 12 hours'],
  ['720', 'in 30 days'],
  ['8760', 'in a year'],
]);

export function keysPanel() {
  const said = el('div', { role: 'status' });
  const list = el('div', {});
  const reload = () => void showKeys(list, said, reload);
  reload();
  return el(
    'section',
    { class: 'panel', 'aria-label': 'Keys' },
    el('h2', {}, 'Keys'),
    newKeyForm(said, reload),
    said,
    list,
  );
}

/**
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
function newKeyForm(said, reload) {
  const organization = el('input', {
    id: 'key-org',
    required: true,
    maxlength: 100,
    autocomplete: 'off',
  });
  const note = el('input', { id: 'key-note', maxlength: 200, autocomplete: 'off' });
  const life = el(
    'select',
    { id: 'key-life' },
    LIVES.map(([value, label]) => el('option', { value }, label)),
  );
  const admin = el('input', { type: 'checkbox', id: 'key-admin' });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const scopes = ['products:read', 'products:refresh', ...(admin.checked ? ['admin'] : [])];
    const query = new URLSearchParams({
      organization: organization.value.trim(),
      scopes: scopes.join(','),
    });
    if (note.value.trim() !== '') query.set('note', note.value.trim());
    if (life.value !== '') query.set('expires_in_hours', life.value);
    await made(`/v1/admin/keys?${query}`, said, reload);
  };
  return el(
    'form',
    { class: 'fields', onsubmit: submit },
    el('p', {}, el('label', { for: 'key-org' }, 'Organization'), organization),
    el('p', {}, el('label', { for: 'key-note' }, 'What it is for'), note),
    el('p', {}, el('label', { for: 'key-life' }, 'Ends'), life),
    el('label', { class: 'check' }, admin, ' may see this page'),
    el('button', { type: 'submit' }, 'Make a key'),
  );
}

/**
 * @param {string} path
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
async function made(path, said, reload) {
  const answer = /** @type {import('./api.js').Answer<MadeKey>} */ (
    await call(path, { method: 'POST' })
  );
  if (!answer.ok) {
    fill(said, el('p', { class: 'problem', role: 'alert' }, answer.problem.detail));
    return;
  }
  const { key, organization, expires_at: ends, replaces } = answer.body;
  fill(
    said,
    el(
      'p',
      {},
      `The key of ${plain(organization, 100)}${ends === null ? '' : `, until ${day(ends)}`}. It is shown once: copy it now.`,
    ),
    el('code', { class: 'secret', tabindex: 0 }, key),
    replaces === null
      ? null
      : el('p', { class: 'soft' }, `The old key ${replaces} is accepted for 24 hours more.`),
  );
  reload();
}

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
async function showKeys(list, said, reload) {
  const answer = /** @type {import('./api.js').Answer<{ keys: readonly Key[] }>} */ (
    await call('/v1/admin/keys')
  );
  if (!answer.ok) {
    fill(list, el('p', { class: 'problem', role: 'alert' }, answer.problem.detail));
    return;
  }
  const heads = ['Key', 'Organization', 'For', 'May', 'State', 'Last used', ''];
  fill(
    list,
    table(
      'List of keys',
      heads,
      answer.body.keys.map((key) => row(key, said, reload)),
    ),
  );
}

/**
 * @param {Key} key
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
function row(
  { id, organization, note, scopes, state, expires_at: ends, created_at: created, last_used: used },
  said,
  reload,
) {
  const isActive = state === 'active';
  return el(
    'tr',
    { 'data-key': id },
    el('th', { scope: 'row' }, el('code', {}, id)),
    el('td', {}, el('bdi', {}, plain(organization, 100))),
    el('td', {}, el('bdi', {}, plain(note, 100) || NONE)),
    el('td', { class: 'soft' }, scopes.map((scope) => scope.replace('products:', '')).join(', ')),
    el(
      'td',
      {},
      el(
        'span',
        { class: `state ${isActive ? 'good' : 'quiet'}` },
        isActive && ends !== null ? `until ${day(ends)}` : state,
      ),
      el('p', { class: 'soft small' }, `made ${age(created)}`),
    ),
    el('td', { class: 'soft nowrap' }, used ?? 'never'),
    el(
      'td',
      { class: 'nowrap' },
      isActive
        ? [
            el(
              'button',
              {
                type: 'button',
                class: 'plain',
                'aria-label': `Rotate ${id}`,
                onclick: () => void made(`/v1/admin/keys/${id}/rotate`, said, reload),
              },
              'Rotate',
            ),
            revokeButton(id, said, reload),
          ]
        : '',
    ),
  );
}

/**
 * Asks once more on the button itself: it cannot be undone.
 * @param {string} id
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
function revokeButton(id, said, reload) {
  let isAsked = false;
  const button = el(
    'button',
    {
      type: 'button',
      class: 'plain danger',
      'aria-label': `Revoke ${id}`,
      onclick: async () => {
        if (!isAsked) {
          isAsked = true;
          button.textContent = 'Really revoke?';
          button.setAttribute('aria-label', `Really revoke ${id}?`);
          return;
        }
        const answer = /** @type {import('./api.js').Answer<{ id: string }>} */ (
          await call(`/v1/admin/keys/${id}/revoke`, { method: 'POST' })
        );
        fill(
          said,
          answer.ok
            ? el('p', {}, `The key ${id} is refused from now on.`)
            : el('p', { class: 'problem', role: 'alert' }, answer.problem.detail),
        );
        reload();
      },
    },
    'Revoke',
  );
  return button;
}
