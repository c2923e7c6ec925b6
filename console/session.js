// The sign-in of this browser, and the currency that its pages ask for. A session has two halves: a cookie that no script
// reads, and a token that only pages of this origin read, from `localStorage`. Over plain http there is no cookie, and a tab
// holds the whole session until it is closed. No key is stored.

/**
 * `id`: of the session; `key`: the public part of its key; `token`: what calls send.
 * @typedef {{ id: string, key: string, token: string }} Session
 */
/** What signs in: a one-time code, or a key. @typedef {{ code: string } | { key: string }} Offer */

const STORED = 'openshelf.session';
const KEY = /^osk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;
/** Twelve letters and digits, as people type them. */
const CODE = /^[0-9A-Za-z](?:[\s-]?[0-9A-Za-z]){11}$/;

/**
 * Read once: if another tab signs in as somebody else, this page must not go on with their session. If the browser allows no
 * storage, the session lasts until the next page.
 */
let mine = /** @type {Session | null | undefined} */ (undefined);

/**
 * Removes the code or key from the address (`#code=…`), so that it is not in the history, in a screenshot or in a shared
 * link. Null without one. The returned text need not have the form of either, and signs nobody in yet.
 */
export function takeOffer() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const given = hash.get('code') ?? hash.get('key');
  if (given === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return given.trim();
}

/** Reads a text that may sign in; null if it has the form of neither. @param {string} text @returns {Offer | null} */
export function offerIn(text) {
  if (KEY.test(text)) return { key: text };
  return CODE.test(text) ? { code: text } : null;
}

/**
 * Returns whether the session outlives this page.
 * @param {Session} session
 * @param {boolean} lasts whether it outlives this tab
 */
export function keepSession(session, lasts) {
  mine = session;
  try {
    (lasts ? localStorage : sessionStorage).setItem(STORED, JSON.stringify(session));
    return true;
  } catch {
    return false;
  }
}

/** @returns {Session | null} */
export function session() {
  mine ??= read(() => localStorage) ?? read(() => sessionStorage);
  return mine;
}

/** Returns the public part of the key. */
export function keyId() {
  return session()?.key ?? '';
}

/** Forgets this page's session. One that another tab has begun meanwhile stays. */
export function forgetSession() {
  const id = mine?.id;
  mine = null;
  for (const open of [() => localStorage, () => sessionStorage]) {
    try {
      if (read(open)?.id === id) open().removeItem(STORED);
    } catch {
      // Nothing was stored.
    }
  }
}

/** Calls back when another tab has signed in or out. @param {() => void} changed */
export function watchOtherTabs(changed) {
  addEventListener('storage', ({ key, storageArea }) => {
    if (key === STORED && storageArea === localStorage) changed();
  });
}

/** @param {() => Storage} open @returns {Session | null} */
function read(open) {
  try {
    return JSON.parse(open().getItem(STORED) ?? 'null');
  } catch {
    return null;
  }
}

const CURRENCY = 'openshelf.currency';
/** Like the session, the choice lasts until the next page if the browser allows no storage. */
let unstoredCurrency = '';

/** Returns a code or `native`; empty for the service's currency. */
export function chosenCurrency() {
  try {
    return sessionStorage.getItem(CURRENCY) ?? unstoredCurrency;
  } catch {
    return unstoredCurrency;
  }
}

/** @param {string} currency */
export function keepCurrency(currency) {
  unstoredCurrency = currency;
  try {
    sessionStorage.setItem(CURRENCY, currency);
  } catch {
    // It is kept for this page.
  }
}
