// The scopes of API keys (D15), and how to recognize a key in a text.

/**
 * `pages:submit`: hand in pages. `pages:share`: the operator trusts the pages of this key, and other organizations may see
 * their facts, as unconfirmed (D84). `rules:write`: choose which candidate is a page's price, stock or barcode (D85).
 */
export const SCOPES = [
  'products:read',
  'products:refresh',
  'pages:submit',
  'pages:share',
  'rules:write',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a key created without any. */
export const DEFAULT_SCOPES: readonly Scope[] = ['products:read', 'products:refresh'];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

const KEY = /osk(?:_|%5f)live(?:_|%5f)[0-9a-z]{8}(?:_|%5f)[0-9a-z]{32}/i;

/** Returns whether the text contains an API key of this or another service. */
export function holdsApiKey(text: string): boolean {
  return KEY.test(text);
}
