// The key of this tab, and the currency that it asks for. The key is moved from the address into `sessionStorage` and sent with every call. No cookies are used.

const STORED = 'openshelf.key';
const SHAPE = /^osk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

/** If the browser allows no storage, the key lasts until the next page. */
let unstored = /** @type {string | null} */ (null);

/**
 * Removes the key from the address (`#key=…`), so that it is not in the history, in a screenshot or in a shared link. Null
 * without one. The returned text need not have the form of a key, and signs nobody in yet.
 */
export function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return given.trim();
}

/** Returns whether a text has the form of a key. @param {string} text */
export function isKey(text) {
  return SHAPE.test(text);
}

/** Returns whether the key outlives this page. @param {string} key */
export function keepKey(key) {
  try {
    sessionStorage.setItem(STORED, key);
    return true;
  } catch {
    unstored = key;
    return false;
  }
}

export function key() {
  try {
    return sessionStorage.getItem(STORED) ?? unstored;
  } catch {
    return unstored;
  }
}

/** Returns the public part of the key. */
export function keyId() {
  return key()?.split('_')[2] ?? '';
}

export function forgetKey() {
  unstored = null;
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Nothing was stored.
  }
}

const CURRENCY = 'openshelf.currency';
/** Like the key, the choice lasts until the next page if the browser allows no storage. */
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
