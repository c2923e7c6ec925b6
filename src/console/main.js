// Starts every page: takes the key, shows who is signed in, and then shows the page.

import { call, listenToCalls } from './api.js';
import { byId, el, fill, problemLine } from './dom.js';
import { knowShops, plain, whole } from './format.js';
import { forgetKey, isKey, keepKey, key, takeKey } from './session.js';

/** @typedef {{ organization: string, tokens_remaining: number }} Usage */

const PAGES = {
  look: () => import('./look.js'),
  watches: () => import('./watches.js'),
  channels: () => import('./channels.js'),
  operator: () => import('./operator.js'),
};

const content = byId('content');
const session = byId('session');
/** The sign-in form, which the server sends with the page and which is shown without a key. */
const signInSection = byId('sign-in');
/** The title of the tab before a card puts the name of its product there. */
const { title } = document;
let organization = '';
/** Ends the work of the shown page, so that nothing of it goes on under another key. */
let shown = new AbortController();

takeKey();
// Pasting an address that differs only in its fragment loads nothing, so the page reloads itself.
addEventListener('hashchange', () => takeKey() && location.reload());
knowShops(JSON.parse(document.body.dataset['shops'] ?? '{}'));
listenToCalls({ tokens: showSession, signedOut: () => signOut(ENDED) });
wireForm();
void start();

const ENDED =
  'This key has ended, or it was revoked. Print a new address with “openshelf console” on the machine of the service, or enter another key.';

const NO_KEY = 'A key is osk_live_, 8 letters or digits, another _ and 38 more.';

async function start() {
  if (key() === null) {
    showSignIn('');
    return;
  }
  // Removed before the page is shown, so that the form does not flicker.
  signInSection.remove();
  shown = new AbortController();
  const { signal } = shown;
  const usage = /** @type {import('./api.js').Answer<Usage>} */ (
    await call('/v1/usage', { signal, waiting: say })
  );
  if (signal.aborted) return;
  if (!usage.ok) {
    say(null);
    fill(content, problemLine(usage.problem.detail));
    return;
  }
  ({ organization } = usage.body);
  showSession(usage.body.tokens_remaining);
  const name = /** @type {keyof typeof PAGES} */ (document.body.dataset['page'] ?? 'look');
  const { show } = await PAGES[name]();
  if (signal.aborted) return;
  fill(content);
  show(content, signal);
}

/**
 * Shows a message while nothing is known of the key, with a way back for a visitor who waits in vain.
 * @param {string | null} words
 */
function say(words) {
  fill(session, signOutButton());
  fill(content, el('p', { class: 'soft', role: 'status' }, words ?? ''));
}

function signOutButton() {
  return el('button', { class: 'plain', type: 'button', onclick: () => signOut('') }, 'Sign out');
}

/** @param {number} remaining */
function showSession(remaining) {
  if (organization === '' || key() === null) return;
  fill(
    session,
    el(
      'span',
      { class: 'who' },
      el('b', {}, plain(organization, 60)),
      el('span', { class: 'soft' }, ` ${whole(remaining)} tokens left`),
    ),
    signOutButton(),
  );
}

/** @param {string} why */
function signOut(why) {
  shown.abort();
  document.title = title;
  forgetKey();
  fill(session);
  showSignIn(why);
}

/** @param {string} problem */
function showSignIn(problem) {
  fill(content, signInSection);
  byId('key-form').hidden = false;
  byId('key-problem').textContent = problem;
  byId('key').focus();
}

function wireForm() {
  const form = /** @type {HTMLFormElement} */ (signInSection.querySelector('form'));
  const input = /** @type {HTMLInputElement} */ (signInSection.querySelector('input'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = input.value.trim();
    if (!isKey(given)) {
      byId('key-problem').textContent =
        given === '' ? NO_KEY : `That is not a key, or not a whole one. ${NO_KEY}`;
      return;
    }
    input.value = '';
    keepKey(given);
    void start();
  });
}
