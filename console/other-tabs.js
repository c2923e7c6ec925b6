// What the tabs of a browser tell each other: whose organization each is signed in to, by name. No key leaves its tab.

const NAME = 'openshelf.signed-in';
/** Tabs answer within a few milliseconds. One that the browser has put to sleep does not, and is not waited for. */
const ANSWERS_WITHIN_MS = 300;

/**
 * Answers other tabs that ask, for as long as this page is there.
 * @param {() => string} organization empty while nobody is signed in
 */
export function answerOtherTabs(organization) {
  const channel = open();
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'who' && organization() !== '') channel.postMessage({ is: organization() });
  });
}

/** The organizations that other tabs are signed in to. @returns {Promise<readonly string[]>} */
export async function organizationsOfOtherTabs() {
  const channel = open();
  if (channel === null) return [];
  const found = new Set();
  channel.addEventListener('message', ({ data }) => {
    if (typeof data?.is === 'string') found.add(data.is);
  });
  channel.postMessage('who');
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_WITHIN_MS));
  channel.close();
  return [...found];
}

/** Null where the browser does not let tabs talk. */
function open() {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    return null;
  }
}
