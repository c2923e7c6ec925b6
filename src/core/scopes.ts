// What an API key may do (D15).

export const SCOPES = ['products:read', 'products:refresh', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Of a key that names none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['products:read', 'products:refresh'];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
