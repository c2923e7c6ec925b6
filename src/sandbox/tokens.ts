// Access tokens of the simulated APIs: each says for which API it is and when it ends, so that a request can
// be judged by its instant alone. All of them can be made worthless at once, as a revocation would.

export type TokenState = 'valid' | 'expired' | 'unknown';

export type Tokens = {
  readonly issue: (api: string, lifetimeSeconds: number, atMs: number) => string;
  readonly check: (api: string, token: string | null, atMs: number) => TokenState;
  /** Every token given out so far is expired from now on. */
  readonly expireAll: () => void;
  readonly issuedCount: () => number;
};

/** What every simulated API accepts as its caller. Public by design: it opens nothing but loopback. */
export const SANDBOX_ACCESS = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  apiKey: 'sandbox-key',
  refreshToken: 'sandbox-refresh',
  /** retailer_w's consumer id and the version of its key. */
  consumerId: '5a0db0c5-0000-4000-8000-00000000ab1e',
  keyVersion: '1',
} as const;

export function createTokens(): Tokens {
  let generation = 0;
  let issued = 0;
  return {
    issue: (api, lifetimeSeconds, atMs) => {
      issued += 1;
      return `sbx.${api}.${generation}.${atMs + lifetimeSeconds * 1000}.${issued}`;
    },
    check: (api, token, atMs) => {
      const [mark, name, made, ends] = (token ?? '').split('.');
      if (mark !== 'sbx' || name !== api) return 'unknown';
      return Number(made) === generation && atMs < Number(ends) ? 'valid' : 'expired';
    },
    expireAll: () => {
      generation += 1;
    },
    issuedCount: () => issued,
  };
}
