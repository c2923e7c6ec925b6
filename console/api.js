// Calls the service with the session of this browser. Every failure is returned as a problem with a message; nothing is thrown.

import { session } from './session.js';

/**
 * @typedef {{ code: string, title: string, detail: string, status: number, retryAfter: number | null, allowed?: readonly string[] }} Problem
 */
/**
 * @template Body
 * @typedef {{ ok: true, body: Body } | { ok: false, problem: Problem }} Answer
 */
/** @typedef {{ method?: string, body?: object, file?: Blob, signal?: AbortSignal, as?: string, waiting?: (words: string | null) => void }} Options */

let showTokens = /** @type {(remaining: number) => void} */ (() => undefined);
let refused = /** @type {(problem: Problem) => void} */ (() => undefined);

/**
 * @param {{ tokens: (remaining: number) => void, signedOut: (problem: Problem) => void }} listeners
 */
export function listenToCalls({ tokens, signedOut }) {
  showTokens = tokens;
  refused = signedOut;
}

/** Delays between retries of a call that the service did not answer, in seconds. A machine takes a minute to restart. */
const TRIES = [1, 2, 4, 8, 15, 15, 15];
/** Refusals that are temporary. */
const PASSING = new Set(['throttled', 'overloaded']);
const LONGEST_WAIT = 60;

/**
 * Calls `/v1/...`. Retries a call that got no answer or was told to come back soon; meanwhile `waiting` notifies the caller.
 * `as`: another `Authorization`, empty for none; the answers are for the caller alone.
 * @template Body
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Answer<Body>>}
 */
export async function call(path, options = {}) {
  const { waiting = () => undefined, signal } = options;
  const isRead = (options.method ?? 'GET') === 'GET';
  for (const pause of TRIES) {
    const answer = /** @type {Answer<Body>} */ (await callOnce(path, options));
    if (answer.ok || signal?.aborted === true) return answer;
    const { code, retryAfter } = answer.problem;
    // Other calls have temporarily reserved the remaining tokens. Only a stated wait distinguishes this from an exhausted
    // quota.
    const isSetAside = code === 'quota_exceeded' && retryAfter !== null;
    const isPassing = (PASSING.has(code) || isSetAside) && (retryAfter ?? 1) <= LONGEST_WAIT;
    if (!isPassing && !(code === 'unreachable' && isRead)) return answer;
    const seconds = Math.max(pause, retryAfter ?? 0);
    waiting(`${answer.problem.detail} Trying again in ${seconds} s.`);
    await slept(seconds * 1_000, signal);
    waiting(null);
  }
  return callOnce(path, options);
}

/**
 * @template Body
 * @param {string} path
 * @param {Options} options
 * @returns {Promise<Answer<Body>>}
 */
async function callOnce(path, { method = 'GET', body: sent, file, signal, as }) {
  const sends = file ?? (sent === undefined ? undefined : JSON.stringify(sent));
  const type = file === undefined ? 'application/json' : 'application/octet-stream';
  const token = session()?.token ?? '';
  const authorization = as ?? `Session ${token}`;
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(authorization === '' ? {} : { Authorization: authorization }),
        Accept: 'application/json',
        ...(sends === undefined ? {} : { 'Content-Type': type }),
      },
      ...(sends === undefined ? {} : { body: sends }),
      credentials: 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      ...(signal === undefined ? {} : { signal }),
    });
    const body = await response.json();
    if (as === undefined && typeof body.tokens_remaining === 'number')
      showTokens(body.tokens_remaining);
    if (response.ok) return { ok: true, body };
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    const { code = 'failed', title = 'The call failed', detail = '' } = body;
    const problem = {
      code,
      title,
      detail,
      status: response.status,
      retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
      allowed: body.allowed ?? [],
    };
    // A late answer to an earlier session must not end the next one.
    if (as === undefined && response.status === 401 && token === session()?.token) refused(problem);
    return { ok: false, problem };
  } catch {
    return { ok: false, problem: signal?.aborted === true ? STOPPED : UNREACHABLE };
  }
}

/**
 * Waits for the next event of a stream, for as long as the service keeps it open.
 * @param {string} path
 * @param {string} last the id of the last event; empty without one
 * @returns {Promise<string | null>} the id of the event; null if the stream cannot be opened
 */
export async function nextEvent(path, last) {
  try {
    const response = await fetch(path, {
      headers: {
        Authorization: `Session ${session()?.token ?? ''}`,
        Accept: 'text/event-stream',
        ...(last === '' ? {} : { 'Last-Event-ID': last }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    const reader = response.ok
      ? response.body?.pipeThrough(new TextDecoderStream()).getReader()
      : null;
    if (!reader) return null;
    for (let text = ''; ;) {
      const { value, done } = await reader.read();
      text += value ?? '';
      if (!done && !/^event: .*\n(?:.*\n)*\n/m.test(text)) continue;
      void reader.cancel();
      return [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? last;
    }
  } catch {
    return null;
  }
}

/** @type {Problem} */
const UNREACHABLE = {
  code: 'unreachable',
  title: 'No answer',
  detail: 'The service does not answer. It may be restarting, or your connection is down.',
  status: 0,
  retryAfter: null,
};
/** @type {Problem} */
const STOPPED = {
  code: 'stopped',
  title: 'Stopped',
  detail: 'Stopped.',
  status: 0,
  retryAfter: null,
};

/**
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function slept(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** @param {string} id */
export function productPath(id) {
  return `/v1/products/${encodeURIComponent(id)}`;
}
