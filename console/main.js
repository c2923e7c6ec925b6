// Starts every page: gets the key, shows who is signed in, and then shows the page.

import { call, listenToCalls } from './api.js';
import { byId, el, fill, problemLine } from './dom.js';
import { knowShops, plain, whole } from './format.js';
import { decideOn } from './offered-key.js';
import { answerOtherTabs } from './other-tabs.js';
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
/** The title of the tab before a card adds its product's name. */
const { title } = document;
let organization = '';
/** Stops the work of the shown page, so that none of it continues under another key. */
let shown = new AbortController();
/** Cancels the question about a key from the address. */
let offering = new AbortController();
let isStarted = false;

// Pasting an address that differs only in its fragment does not reload the page.
addEventListener('hashchange', () => void takeOffer());
answerOtherTabs(() => (key() === null ? '' : organization));
knowShops(JSON.parse(document.body.dataset['shops'] ?? '{}'));
listenToCalls({ tokens: showSession, signedOut: () => signOut(ENDED) });
wireForm();
void takeOffer();

const ENDED =
  'This key has expired, or it was revoked. Print a new address with “openshelf console” on the machine ' +
  'that runs the service, or enter another key.';

const NO_KEY = 'A key consists of osk_live_, 8 letters or digits, another _ and 38 more.';

/** Starts the page once a key in the address has been decided on. A page that is already shown keeps running meanwhile. */
async function takeOffer() {
  const given = takeKey();
  if (given === null) {
    if (!isStarted) void start();
    return;
  }
  offering.abort();
  offering = new AbortController();
  const { signal } = offering;
  const waiting = isStarted ? () => undefined : say;
  if (!isStarted) waiting('Checking the key in the address…');
  const decision = await decideOn(given, { signal, waiting });
  if (signal.aborted) return;
  if ('keep' in decision) enter(decision.keep);
  else if ('refused' in decision) signOut(decision.refused);
  else if (!isStarted) void start();
}

/** Signs in. A reload discards what the page holds of another sign-in. @param {string} given */
function enter(given) {
  if (keepKey(given) && organization !== '') location.reload();
  else void start();
}

async function start() {
  isStarted = true;
  if (key() === null) {
    showSignIn('');
    return;
  }
  // Removed before the page is shown, so that the form does not flicker.
  signInSection.remove();
  shown.abort();
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
 * Shows a message while nothing is known about the key, with a way back for a visitor who waits in vain.
 * @param {string | null} words
 */
function say(words) {
  fill(session, signOutButton());
  fill(content, el('p', { class: 'soft', role: 'status' }, words ?? ''));
}

function signOutButton() {
  const onclick = () => {
    offering.abort();
    signOut('');
  };
  return el('button', { class: 'plain', type: 'button', onclick }, 'Sign out');
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

/** Ends the sign-in. A key that the address offers meanwhile is still decided on. @param {string} why */
function signOut(why) {
  isStarted = true;
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
        given === '' ? NO_KEY : `That is not a key, or not a complete one. ${NO_KEY}`;
      return;
    }
    input.value = '';
    enter(given);
  });
}
