// Lets the tabs of a browser exchange the name of the organization that each is signed in to. No key leaves its tab.

const NAME = 'openshelf.signed-in';
/**
 * Tabs answer within a few milliseconds. A tab that the browser has put to sleep does not answer, and is not waited for.
 */
const ANSWERS_WITHIN_MS = 300;

/**
 * Answers other tabs that ask, as long as this page is open.
 * @param {() => string} organization empty while signed out
 */
export function answerOtherTabs(organization) {
  const channel = open();
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'who' && organization() !== '') channel.postMessage({ is: organization() });
  });
}

/** Returns the organizations that other tabs are signed in to. @returns {Promise<readonly string[]>} */
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

/** Returns null if the browser does not let tabs communicate. */
function open() {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    return null;
  }
}
