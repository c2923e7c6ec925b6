// Starts every page: signs in if the address offers it, shows who is signed in, and then shows the page.

import { call, listenToCalls } from './api.js';
import { byId, el, fill, problemLine } from './dom.js';
import { knowShops, plain, whole } from './format.js';
import { decideOn } from './offered-key.js';
import { answerOtherTabs } from './other-tabs.js';
import {
  forgetSession,
  keepSession,
  offerIn,
  session,
  takeOffer,
  watchOtherTabs,
} from './session.js';

/** @typedef {{ organization: string, tokens_remaining: number }} Usage */

const PAGES = {
  look: () => import('./look.js'),
  watches: () => import('./watches.js'),
  channels: () => import('./channels.js'),
  devices: () => import('./devices.js'),
  operator: () => import('./operator.js'),
};

const content = byId('content');
const who = byId('session');
/** The sign-in form, which the server sends with the page and which is shown to whoever is not signed in. */
const signInSection = byId('sign-in');
/** The title of the tab before a card adds its product's name. */
const { title } = document;
let organization = '';
/** Stops the work of the shown page, so that none of it continues under another key. */
let shown = new AbortController();
/** Cancels the question about what the address offers. */
let offering = new AbortController();
let isStarted = false;

// Pasting an address that differs only in its fragment does not reload the page.
addEventListener('hashchange', () => void decideOffer());
answerOtherTabs(() => (session() === null ? '' : organization));
watchOtherTabs(() => location.reload());
knowShops(JSON.parse(document.body.dataset['shops'] ?? '{}'));
listenToCalls({ tokens: showSession, signedOut: () => signOut(ENDED) });
wireForm();
void decideOffer();

const ENDED =
  'Your sign-in has ended: it has expired, or it was revoked. Print a new address with “openshelf console” on the ' +
  'machine that runs the service, or make a code in a browser that is signed in.';

const NO_OFFER =
  'A code has 12 letters and digits; a key is osk_live_, 8 letters or digits, another _ and 38 more.';

/** Starts the page once an offer in the address has been decided on. A page that is already shown keeps running meanwhile. */
async function decideOffer() {
  const given = takeOffer();
  if (given === null) {
    if (!isStarted) void start();
    return;
  }
  offering.abort();
  offering = new AbortController();
  const { signal } = offering;
  const waiting = isStarted ? () => undefined : say;
  if (!isStarted) waiting('Checking the code in the address…');
  const decision = await decideOn(given, { signal, waiting });
  if (signal.aborted) return;
  if ('keep' in decision) await enter(decision.keep);
  else if ('refused' in decision) signOut(decision.refused);
  else if (!isStarted) void start();
}

/**
 * Signs in, and ends the sign-in before. A reload discards what the page holds of that one.
 * @param {import('./session.js').Offer} offer
 */
async function enter(offer) {
  if (session() !== null) await endSession();
  const answer =
    /** @type {import('./api.js').Answer<{ session_id: string, key_id: string, token: string, lasts: boolean }>} */ (
      await call('/console/session', {
        method: 'POST',
        body: { ...('code' in offer ? offer : {}), lasts: navigator.cookieEnabled },
        as: 'key' in offer ? `Bearer ${offer.key}` : '',
      })
    );
  if (!answer.ok) {
    signOut(answer.problem.detail);
    return;
  }
  const { session_id: id, key_id: key, token, lasts } = answer.body;
  if (keepSession({ id, key, token }, lasts) && organization !== '') location.reload();
  else void start();
}

/** Ends the session in the service too. Without an answer it ends at its time. */
async function endSession() {
  const { id, token } = session() ?? { id: '', token: '' };
  const as = `Session ${token}`;
  if (id !== '') await call(`/v1/sessions/${id}`, { method: 'DELETE', as });
}

async function start() {
  isStarted = true;
  if (session() === null) {
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
 * Shows a message while nothing is known about the sign-in, with a way back for a visitor who waits in vain.
 * @param {string | null} words
 */
function say(words) {
  fill(who, signOutButton());
  fill(content, el('p', { class: 'soft', role: 'status' }, words ?? ''));
}

function signOutButton() {
  const onclick = () => {
    offering.abort();
    void endSession();
    signOut('');
  };
  return el('button', { class: 'plain', type: 'button', onclick }, 'Sign out');
}

/** @param {number} remaining */
function showSession(remaining) {
  if (organization === '' || session() === null) return;
  fill(
    who,
    el(
      'span',
      { class: 'who' },
      el(
        'a',
        { href: '/console/devices', title: 'Devices that are signed in' },
        el('b', {}, plain(organization, 60)),
      ),
      el('span', { class: 'soft' }, ` ${whole(remaining)} tokens left`),
    ),
    signOutButton(),
  );
}

/** Ends the sign-in here. What the address offers meanwhile is still decided on. @param {string} why */
function signOut(why) {
  isStarted = true;
  shown.abort();
  document.title = title;
  forgetSession();
  fill(who);
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
    const offer = offerIn(given);
    if (offer === null) {
      byId('key-problem').textContent =
        given === '' ? NO_OFFER : `That is not a code or a key, or not a complete one. ${NO_OFFER}`;
      return;
    }
    input.value = '';
    void enter(offer);
  });
}
