// On a click or the keyboard shortcut: reads the tab's page, hands it in, and shows the answer in a card beside the page.

// The key is for this script and the options alone, not for scripts in pages. Firefox has no such setting.
void chrome.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });

chrome.action.onClicked.addListener(({ id }) => readTab(id));

async function readTab(tabId) {
  const { address, key } = await chrome.storage.local.get(['address', 'key']);
  if (!address || !key || !(await mayContact(new URL(address)))) {
    await chrome.runtime.openOptionsPage();
    return;
  }
  const target = { tabId };
  try {
    await chrome.scripting.executeScript({ target, files: ['card.js'] });
    const [{ result: page }] = await chrome.scripting.executeScript({
      target,
      func: () => globalThis.openshelf.read(),
    });
    const state = await handIn(page, address, key);
    // A page that was left meanwhile has no card.
    await chrome.scripting.executeScript({
      target,
      func: (state) => globalThis.openshelf?.show(state),
      args: [state],
    });
  } catch (error) {
    // Pages of the browser and its shop of extensions can neither be read nor show a card.
    await chrome.action.setBadgeText({ tabId, text: '!' });
    await chrome.action.setTitle({ tabId, title: `This page cannot be read: ${error.message}` });
  }
}

/** Permissions have no ports. */
function mayContact({ protocol, hostname }) {
  return chrome.permissions.contains({ origins: [`${protocol}//${hostname}/*`] });
}

/** Returns what the card shows: the record, or the problem in words. */
async function handIn(page, address, key) {
  const json = JSON.stringify({ ...page, candidates: true, cross_retailer: true });
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
    const body = await response.json();
    if (response.ok) return { address, record: body };
    return { problem: problemOf(response, body) };
  } catch {
    return { problem: `${address} does not answer. Is it running, and is the address right?` };
  }
}

function problemOf({ status, headers }, { detail = '' }) {
  const wait = headers.get('retry-after');
  const again = wait === null ? 'Try again later.' : `Try again in ${wait} s.`;
  switch (status) {
    case 401:
      return "The key has expired, or it was revoked. Enter another one in the extension's options.";
    case 403:
      return `This key may not hand in pages: it needs the scope pages:submit. ${detail}`;
    case 413:
      return 'This page is too large: a page may have 5 MB of HTML.';
    case 422:
      return `This page was not accepted. ${detail}`;
    case 429:
      return `Too many pages, or no tokens left. ${detail} ${again}`;
    default:
      return `The service could not read the page (${status}). ${detail} ${again}`;
  }
}
