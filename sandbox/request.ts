// A request to a simulated site, and what the APIs share: JSON answers, bearer tokens, Basic credentials. Knows nothing
// about retailers.

import type { SimulatedAnswer } from './answer.ts';

export type ShopRequest = {
  readonly method: string;
  /** With the public origin, not the loopback one. */
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
};

/** Returns an API answer. */
export function apiAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SimulatedAnswer {
  const body = JSON.stringify(value);
  return { kind: 'page', status, type: 'application/json; charset=utf-8', body, headers };
}

/** Returns the token of `Authorization: Bearer <token>`; anything after a comma is cut off. */
export function bearerOf(request: ShopRequest): string | null {
  return /^Bearer ([^\s,]+)/i.exec(request.headers['authorization'] ?? '')?.[1] ?? null;
}

/** Returns the user and password of `Authorization: Basic ...`. */
export function basicOf(request: ShopRequest): readonly [string, string] | null {
  const coded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  if (coded === undefined) return null;
  const [, user, password] = /^([^:]*):(.*)$/s.exec(atob(coded)) ?? [];
  return user === undefined || password === undefined ? null : [user, password];
}

/** Parses the fields of a form body. */
export function formOf(request: ShopRequest): URLSearchParams {
  return new URLSearchParams(request.body);
}

/** Parses a JSON body's fields; an empty object for anything else. */
export function jsonOf(request: ShopRequest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(request.body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns a text or number of a JSON body as text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the first of these headers that is missing; null if all are present. */
export function missingHeader(request: ShopRequest, names: readonly string[]): string | null {
  return names.find((name) => (request.headers[name] ?? '') === '') ?? null;
}
