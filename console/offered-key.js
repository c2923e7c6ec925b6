// An address with a code or a key offers a sign-in. Anybody can send one, so it never replaces the sign-in to another
// organization without a question that names both: anyone who overlooked the change would record their costs and watches in
// the sender's account.

import { call } from './api.js';
import { el } from './dom.js';
import { plain } from './format.js';
import { organizationsOfOtherTabs } from './other-tabs.js';
import { offerIn, session } from './session.js';

/** @typedef {import('./session.js').Offer} Offer */
/** @typedef {import('./api.js').Answer<{ organization: string }>} Usage */
/** @typedef {{ keep: Offer } | { refused: string } | { stay: true }} Decision */
/** @typedef {{ signal: AbortSignal, waiting: (words: string | null) => void }} Options */

/** The longest name that an organization may have. */
const NAME_LENGTH = 100;
const USED = 'The code in the address that you opened has expired, or it was used before.';
const ENDED = 'The key in the address that you opened has expired, or it was revoked.';
const NO_OFFER = 'The address that you opened does not contain a complete code.';

/**
 * Decides about what the address offers: it is kept; it is refused, with a message for someone who is not signed in; or
 * nothing changes, which the person has already been told. Stores or replaces nothing here.
 * @param {string} given
 * @param {Options} options
 * @returns {Promise<Decision>}
 */
export async function decideOn(given, options) {
  const offer = offerIn(given);
  const mine = session();
  const [offered, own, elsewhere] = await Promise.all([
    offer === null ? null : usageOf(offer, options),
    mine === null
      ? null
      : /** @type {Promise<Usage>} */ (
          call('/v1/usage', { ...options, as: `Session ${mine.token}` })
        ),
    mine === null ? organizationsOfOtherTabs() : [],
  ]);
  if (options.signal.aborted) return { stay: true };
  // A sign-in that has ended does not count.
  if (offer === null || offered === null) {
    if (own === null || (!own.ok && own.problem.status === 401)) return { refused: NO_OFFER };
    await tell(NO_OFFER, own.ok ? own.body.organization : null, options.signal);
    return { stay: true };
  }
  if (own === null || (!own.ok && own.problem.status === 401)) {
    return await withoutSignIn(offer, offered, elsewhere, options.signal);
  }
  const present = own.ok ? own.body.organization : null;
  if (offered.ok && present === offered.body.organization) return { keep: offer };
  if (offered.ok && present !== null) {
    const isSwitched = await ask(present, offered.body.organization, {
      ...options,
      where: 'You are signed in as ',
    });
    return isSwitched ? { keep: offer } : { stay: true };
  }
  await tell(why(offer, offered, own), present, options.signal);
  return { stay: true };
}

/**
 * @param {Offer} offer
 * @param {Usage} offered
 * @param {readonly string[]} elsewhere
 * @param {AbortSignal} signal
 * @returns {Promise<Decision>}
 */
async function withoutSignIn(offer, offered, elsewhere, signal) {
  // If the service does not answer, the page says so, and there is nothing to lose.
  if (!offered.ok)
    return offered.problem.status === 401 ? { refused: endOf(offer) } : { keep: offer };
  const { organization } = offered.body;
  const [other] = elsewhere;
  if (other === undefined || elsewhere.includes(organization)) return { keep: offer };
  const where = 'Another tab of this browser is signed in as ';
  if (await ask(other, organization, { signal, where })) return { keep: offer };
  return { refused: 'This tab is not signed in; the other tab is unchanged.' };
}

/**
 * Asks whom an offer signs in as; a code stays valid.
 * @param {Offer} offer
 * @param {Options} options
 * @returns {Promise<Usage>}
 */
function usageOf(offer, options) {
  if ('key' in offer) return call('/v1/usage', { ...options, as: `Bearer ${offer.key}` });
  const body = { code: offer.code, look: true };
  return call('/console/session', { ...options, method: 'POST', body, as: '' });
}

/** @param {Offer} offer */
const endOf = (offer) => ('key' in offer ? ENDED : USED);

/** @param {Offer} offer @param {Usage} offered @param {Usage} own */
function why(offer, offered, own) {
  if (offered.ok) return own.ok ? '' : own.problem.detail;
  return offered.problem.status === 401 ? endOf(offer) : offered.problem.detail;
}

/**
 * Asks whether to switch. Escape means no, and so does opening another address meanwhile.
 * @param {string} present
 * @param {string} offered
 * @param {{ signal: AbortSignal, where: string }} about
 */
async function ask(present, offered, { signal, where }) {
  const answer = await shown(
    'Switch to another organization?',
    [
      el(
        'p',
        {},
        where,
        name(present),
        '. The address that you opened signs in as ',
        name(offered),
        '.',
      ),
      el(
        'p',
        { class: 'soft' },
        'What you look up and watch after switching counts for that organization, and its members can see it. If ' +
          'somebody sent you the address unexpectedly, stay.',
      ),
    ],
    [
      ['stay', 'Stay with ', present],
      ['switch', 'Switch to ', offered],
    ],
    signal,
  );
  return answer === 'switch';
}

/**
 * @param {string} reason
 * @param {string | null} present
 * @param {AbortSignal} signal
 */
async function tell(reason, present, signal) {
  const still =
    present === null
      ? 'Nothing has changed: your sign-in is still the same.'
      : ['Nothing has changed: you are signed in as ', name(present), '.'];
  await shown(
    'The address did not sign you in',
    [el('p', {}, reason), el('p', {}, ...[still].flat())],
    [['stay', present === null ? 'Continue' : 'Continue as ', present ?? '']],
    signal,
  );
}

/** @param {string} organization */
function name(organization) {
  return el('b', {}, el('bdi', {}, plain(organization, NAME_LENGTH)));
}

/**
 * Shows a dialog and returns the value of the pressed button. The first button has the focus, and Escape is equivalent to
 * it.
 * @param {string} title
 * @param {readonly HTMLElement[]} body
 * @param {readonly (readonly [value: string, words: string, organization: string])[]} choices
 * @param {AbortSignal} signal
 * @returns {Promise<string>}
 */
function shown(title, body, choices, signal) {
  const buttons = choices.map(([value, words, organization], at) =>
    el(
      'button',
      {
        type: 'button',
        class: at === 0 ? 'primary' : null,
        autofocus: at === 0,
        'data-act': value,
        onclick: () => dialog.close(value),
      },
      words,
      el('bdi', {}, plain(organization, NAME_LENGTH)),
    ),
  );
  const dialog = el(
    'dialog',
    { class: 'question', 'aria-labelledby': 'question', 'aria-describedby': 'question-body' },
    el('h2', { id: 'question' }, title),
    el('div', { id: 'question-body' }, body),
    el('p', { class: 'actions' }, buttons),
  );
  document.body.append(dialog);
  dialog.showModal();
  signal.addEventListener('abort', () => dialog.close(), { once: true });
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
