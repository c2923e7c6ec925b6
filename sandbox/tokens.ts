// Access tokens of the simulated APIs. Each token contains its API and its expiry, so that a request can be checked by its
// instant alone. All of them can be revoked at once.

type TokenState = 'valid' | 'expired' | 'unknown';

export type Tokens = {
  readonly issue: (api: string, lifetimeSeconds: number, atMs: number) => string;
  readonly check: (api: string, token: string | null, atMs: number) => TokenState;
  /** Every token issued so far counts as expired from now on. */
  readonly expireAll: () => void;
  readonly issuedCount: () => number;
};

/** The credentials that the simulated APIs accept. They are public: they work on loopback only. */
export const SANDBOX_ACCESS = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  apiKey: 'sandbox-key',
  refreshToken: 'sandbox-refresh',
  /** The persisted query of retailer_w's list of offers; a real site changes it with its releases. */
  offersHash: '5a0db0c5'.repeat(8),
  /** retailer_w's consumer id and the version of its key. */
  consumerId: '5a0db0c5-0000-4000-8000-00000000ab1e',
  keyVersion: '1',
} as const;

/**
 * The same credentials as settings of the service, without retailer_w's private key: the caller makes the key pair
 * and gives the sandbox its public half.
 */
export const SANDBOX_CREDENTIALS: Readonly<Record<string, string>> = {
  OPENSHELF_RETAILER_W_CONSUMER_ID: SANDBOX_ACCESS.consumerId,
  OPENSHELF_RETAILER_W_KEY_VERSION: SANDBOX_ACCESS.keyVersion,
  OPENSHELF_RETAILER_W_CLIENT_ID: SANDBOX_ACCESS.clientId,
  OPENSHELF_RETAILER_W_CLIENT_SECRET: SANDBOX_ACCESS.clientSecret,
  OPENSHELF_RETAILER_W_OFFERS_HASH: SANDBOX_ACCESS.offersHash,
  OPENSHELF_RETAILER_A_CREATORS_ID: SANDBOX_ACCESS.clientId,
  OPENSHELF_RETAILER_A_CREATORS_SECRET: SANDBOX_ACCESS.clientSecret,
  OPENSHELF_RETAILER_A_CREATORS_VERSION: '3.1',
  OPENSHELF_RETAILER_A_PARTNER_TAG: 'sandbox-20',
  OPENSHELF_RETAILER_A_SP_CLIENT_ID: SANDBOX_ACCESS.clientId,
  OPENSHELF_RETAILER_A_SP_CLIENT_SECRET: SANDBOX_ACCESS.clientSecret,
  OPENSHELF_RETAILER_A_SP_REFRESH_TOKEN: SANDBOX_ACCESS.refreshToken,
  OPENSHELF_RETAILER_A_SP_SELLER_ID: 'ASANDBOX000001',
  OPENSHELF_RETAILER_E_CLIENT_ID: SANDBOX_ACCESS.clientId,
  OPENSHELF_RETAILER_E_CLIENT_SECRET: SANDBOX_ACCESS.clientSecret,
  OPENSHELF_RETAILER_E_ZIP_CODE: '19406',
  OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey,
  OPENSHELF_RETAILER_H_STORE_ID: '121',
  OPENSHELF_RETAILER_H_ZIP_CODE: '30339',
  OPENSHELF_RETAILER_L_STORE_NUMBER: '1803',
};

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
