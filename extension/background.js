// On a click or the keyboard shortcut: reads the tab's page, hands it in, and shows the answer in a card next to the page.

// The key is for this script and the options alone, not for scripts in pages. Firefox has no such setting.
void chrome.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });

chrome.action.onClicked.addListener(({ id }) => readTab(id));

async function readTab(tabId) {
  const { address, key, origins } = await chrome.storage.local.get(['address', 'key', 'origins']);
  const isSetUp = key && (await chrome.permissions.contains({ origins }));
  if (!isSetUp) return chrome.runtime.openOptionsPage();
  const target = { tabId };
  try {
    const [{ result: page }] = await chrome.scripting.executeScript({ target, files: ['card.js'] });
    const state = await handIn(page, address, key);
    // If the user has left the page meanwhile, there is no card.
    await chrome.scripting.executeScript({
      target,
      func: (state) => globalThis.openshelf?.show(JSON.parse(state)),
      // Passed as text, because Chromium drops null members of an object.
      args: [JSON.stringify(state)],
    });
  } catch (error) {
    // The browser's own pages and its extension store can neither be read nor show a card.
    await chrome.action.setBadgeText({ tabId, text: '!' });
    await chrome.action.setTitle({ tabId, title: `This page cannot be read: ${error.message}` });
  }
}

/** Returns what the card shows: the record, or the problem in words. */
async function handIn({ url, html }, address, key) {
  const json = JSON.stringify({ url, html, candidates: true, cross_retailer: true });
  const packed = new Blob([json]).stream().pipeThrough(new CompressionStream('gzip'));
  try {
    const response = await fetch(`${address}/v1/pages`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: await new Response(packed).blob(),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    });
    // A proxy may refuse with a body of its own.
    const body = await response.json().catch(() => ({}));
    if (response.ok) return { address, record: body };
    return { problem: problemOf(response.status, body) };
  } catch {
    return { problem: `${address} does not answer. Is it running, and is the address right?` };
  }
}

function problemOf(status, { detail = '' }) {
  if (status === 401)
    return "The key has expired, or it was revoked. Enter another one in the extension's options.";
  if (status === 403)
    return `This key cannot hand in pages: it needs the scope pages:submit. ${detail}`;
  return detail || `The service could not read the page (status ${status}).`;
}
