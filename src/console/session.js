// The key of this tab. It is moved from the address into `sessionStorage` and sent with every call. No cookies are used.

const STORED = 'openshelf.key';
const SHAPE = /^osk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

/**
 * Takes the key out of the address (`#key=…`), so that it is not in the history, in a screenshot or in a shared link. Returns
 * whether there was one.
 */
export function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (isKey(given.trim())) keepKey(given.trim());
  return true;
}

/** Whether a text has the form of a key. @param {string} text */
export function isKey(text) {
  return SHAPE.test(text);
}

/** @param {string} key */
export function keepKey(key) {
  sessionStorage.setItem(STORED, key);
}

export function key() {
  return sessionStorage.getItem(STORED);
}

/** The part of the key that is no secret. */
export function keyId() {
  return key()?.split('_')[2] ?? '';
}

export function forgetKey() {
  sessionStorage.removeItem(STORED);
}
