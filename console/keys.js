// The keys of all organizations: create, rotate, revoke.

import { call } from './api.js';
import { confirmButton, el, fill, keepFocus, oneAtATime, problemLine, table } from './dom.js';
import { age, counted, day, NONE, plain } from './format.js';
import { keyId } from './session.js';

/** @typedef {import('../src/answer/wire/installation/operation.ts').OperatorKeys['keys'][number]} Key */
/** @typedef {import('../src/answer/wire/installation/operation.ts').NewOperatorKey} MadeKey */

const LIVES = /** @type {const} */ ([
  ['', 'never'],
  ['12', 'in 12 hours'],
  ['720', 'in 30 days'],
  ['8760', 'in a year'],
]);

/** What a key may do. */
const USES = /** @type {const} */ ([
  ['products:read,products:refresh', 'look up and watch'],
  ['pages:submit', 'only hand in pages'],
]);

/** The number of keys shown at first, so that the page fits a phone. */
const SHOWN = 12;
/** The note on the keys with which `openshelf console` signs in. */
const SIGN_IN_NOTE = 'console';

/** The kinds of keys to filter the list by. */
const KINDS = /** @type {const} */ ([
  ['keys', 'Keys'],
  ['sign-ins', 'Sign-ins of the console'],
  ['ended', 'Ended'],
]);
/** @typedef {(typeof KINDS)[number][0]} Kind */

export function keysPanel() {
  const said = el('div', { role: 'status' });
  const list = el('div', {});
  const reload = () => void showKeys(list, said, reload);
  reload();
  return el(
    'section',
    { class: 'panel', id: 'keys', 'aria-label': 'Keys' },
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
  const use = el(
    'select',
    { id: 'key-use' },
    USES.map(([value, label]) => el('option', { value }, label)),
  );
  const admin = el('input', { type: 'checkbox', id: 'key-admin' });
  const submit = oneAtATime(async () => {
    const scopes = [use.value, ...(admin.checked ? ['admin'] : [])];
    const query = new URLSearchParams({
      organization: organization.value.trim(),
      scopes: scopes.join(','),
    });
    if (note.value.trim() !== '') query.set('note', note.value.trim());
    if (life.value !== '') query.set('expires_in_hours', life.value);
    await made(`/v1/admin/keys?${query}`, said, reload);
  });
  return el(
    'form',
    { class: 'fields', onsubmit: submit },
    el('p', {}, el('label', { for: 'key-org' }, 'Organization'), organization),
    el('p', {}, el('label', { for: 'key-note' }, 'Purpose'), note),
    el('p', {}, el('label', { for: 'key-life' }, 'Ends'), life),
    el('p', {}, el('label', { for: 'key-use' }, 'May'), use),
    el('label', { class: 'check' }, admin, ' may see this page'),
    el('button', { type: 'submit' }, 'Create a key'),
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
    fill(said, problemLine(answer.problem.detail));
    return;
  }
  const { key: text, organization, expires_at: ends, replaces } = answer.body;
  fill(
    said,
    el(
      'p',
      {},
      `The key of ${plain(organization, 100)}${ends === null ? '' : `, until ${day(ends)}`}. It is shown once: copy it now.`,
    ),
    el('code', { class: 'secret', tabindex: 0 }, text),
    replaces === null
      ? null
      : el('p', { class: 'soft' }, `The old key ${replaces} remains valid for 24 more hours.`),
  );
  reload();
}

/** @param {Key} each */
function kindOf({ state, note }) {
  if (state !== 'active') return /** @type {Kind} */ ('ended');
  return /** @type {Kind} */ (note === SIGN_IN_NOTE ? 'sign-ins' : 'keys');
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
    fill(list, problemLine(answer.problem.detail));
    return;
  }
  const { keys } = answer.body;
  const kind = /** @type {Kind} */ (list.dataset['kind'] ?? 'keys');
  keepFocus(list, 'data-key', () => show(kind));

  /**
   * @param {Kind} wanted
   * @param {number} [most]
   */
  function show(wanted, most = SHOWN) {
    list.dataset['kind'] = wanted;
    const some = keys.filter((each) => kindOf(each) === wanted);
    fill(
      list,
      el(
        'div',
        { class: 'ranges', role: 'group', 'aria-label': 'Which keys' },
        KINDS.map(([value, label]) =>
          el(
            'button',
            {
              type: 'button',
              'data-kind': value,
              'aria-pressed': String(value === wanted),
              onclick: () => {
                show(value);
                list.querySelector(`[data-kind="${value}"]`)?.closest('button')?.focus();
              },
            },
            `${label} ${keys.filter((each) => kindOf(each) === value).length}`,
          ),
        ),
      ),
      some.length === 0
        ? el('p', { class: 'soft' }, 'None.')
        : table(
            'List of keys',
            ['Key', 'Organization', 'For', 'May', 'State', 'Last used', ''],
            some.slice(0, most).map((each) => row(each, said, reload)),
            'blocks',
          ),
      some.length <= most
        ? null
        : el(
            'button',
            { type: 'button', onclick: () => show(wanted, some.length) },
            `Show all ${counted(some.length, 'key')}`,
          ),
    );
  }
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
  const isMine = keyId() === id;
  return el(
    'tr',
    { 'data-key': id },
    el(
      'th',
      { scope: 'row' },
      el('code', {}, id),
      isMine ? el('span', { class: 'mark' }, 'yours') : null,
    ),
    el('td', {}, el('bdi', {}, plain(organization, 100))),
    el('td', {}, el('bdi', {}, plain(note, 100) || NONE)),
    el(
      'td',
      { class: 'soft' },
      scopes.map((scope) => scope.replace(/^products:|:submit$/, '')).join(', '),
    ),
    el(
      'td',
      {},
      el(
        'span',
        { class: `state ${isActive ? 'good' : 'quiet'}` },
        isActive && ends !== null ? `until ${day(ends)}` : state,
      ),
      ' ',
      el('span', { class: 'soft small' }, `made ${age(created)}`),
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
                onclick: oneAtATime(() => made(`/v1/admin/keys/${id}/rotate`, said, reload)),
              },
              'Rotate',
            ),
            confirmButton({
              label: 'Revoke',
              about: isMine ? `${id}, which you are signed in with` : id,
              act: () => revoke(id, said, reload),
            }),
          ]
        : '',
    ),
  );
}

/**
 * @param {string} id
 * @param {HTMLElement} said
 * @param {() => void} reload
 */
async function revoke(id, said, reload) {
  const answer = /** @type {import('./api.js').Answer<{ id: string }>} */ (
    await call(`/v1/admin/keys/${id}/revoke`, { method: 'POST' })
  );
  fill(
    said,
    answer.ok ? el('p', {}, `The key ${id} is now revoked.`) : problemLine(answer.problem.detail),
  );
  reload();
}
