// Stores the address of the service and the key, and asks for the permission to contact that address alone.

const form = document.querySelector('form');
const { address, key } = form.elements;
const say = (words) => (document.querySelector('[role="status"]').textContent = words);

chrome.storage.local.get(['address', 'key']).then((stored) => {
  address.value = stored.address ?? '';
  key.value = stored.key ?? '';
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { origin, pathname } = new URL(address.value.trim());
  try {
    // Asked before anything is awaited: browsers accept the question only as the answer to a click.
    const isGranted = await chrome.permissions.request({ origins: [patternOf(origin)] });
    if (!isGranted)
      return say('Not saved: without the permission the service cannot be contacted.');
    await withdrawExcept(patternOf(origin));
    const saved = { address: origin + pathname.replace(/\/+$/, ''), key: key.value.trim() };
    await chrome.storage.local.set(saved);
    say('Saved. Open a product page, and click the button or press Alt+Shift+O.');
  } catch {
    say('Not saved: the address must begin with https://, or be of this machine.');
  }
});

form.elements.forget.addEventListener('click', async () => {
  await chrome.storage.local.clear();
  await withdrawExcept('');
  form.reset();
  say('Address, key and permission are forgotten. Revoke the key in the console.');
});

/** Permissions have no ports. */
function patternOf(origin) {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}

async function withdrawExcept(pattern) {
  const { origins } = await chrome.permissions.getAll();
  const others = origins.filter((each) => each !== pattern);
  if (others.length > 0) await chrome.permissions.remove({ origins: others });
}
