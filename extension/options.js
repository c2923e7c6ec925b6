// Stores the address of the service and the key, and asks for the permission to contact that address alone.

const form = document.querySelector('form');
const [address, key, save] = form.elements;
const say = (words) => (document.querySelector('[role="status"]').textContent = words);

chrome.storage.local.get(['address', 'key']).then((stored) => {
  address.value = stored.address ?? '';
  key.value = stored.key ?? '';
  save.disabled = false;
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { origin, protocol, hostname, pathname } = new URL(address.value.trim());
  const wanted = `${protocol}//${hostname}/*`; // Permissions do not contain ports.
  try {
    if (hostname.includes('*')) throw new Error('a pattern would ask for other sites too');
    // Requested before anything is awaited: browsers accept it only in direct response to a click.
    if (!(await chrome.permissions.request({ origins: [wanted] })))
      return say('Not saved: without the permission the service cannot be contacted.');
    const where = { address: origin + pathname.replace(/\/+$/, ''), origins: [wanted] };
    await chrome.storage.local.set({ ...where, key: key.value.trim() });
    // The permission that an earlier address was granted.
    const { origins } = await chrome.permissions.getAll();
    const others = origins.filter((each) => each !== wanted);
    if (others.length > 0) await chrome.permissions.remove({ origins: others });
    say('Saved. Open a product page, and click the button or press Alt+Shift+O.');
  } catch {
    say('Not saved: the address must begin with https:// or be on this machine.');
  }
});
