// One call at a running service, with an API key.

import { messageOf } from '../../base/fault.ts';

export type ServiceAddress = {
  /** `https://host[:port]`, without a trailing path. */
  readonly url: string;
  readonly apiKey: string;
};

export type ServiceCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends the call. Rejects as `fetch` does. A redirect is an error, because the key would be sent along. */
export function callService(
  { url, apiKey }: ServiceAddress,
  { method, path, body, headers }: ServiceCall,
  stop: AbortSignal,
): Promise<Response> {
  const isSent = body !== undefined;
  return fetch(`${url}${path}`, {
    method,
    ...(isSent ? { body } : {}),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(isSent ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    redirect: 'error',
    signal: stop,
  });
}

/** Returns the error to report for a call that rejected. */
export function unreachable({ url }: ServiceAddress, error: unknown): Error {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return new Error(`${url} cannot be reached: ${messageOf(cause)}`, { cause: error });
}
