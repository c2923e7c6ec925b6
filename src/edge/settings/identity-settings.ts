// The settings of the installation's identity towards shops, and of what shops ask of it (D83).

import { hostNames, httpsOrigin, optional, secretsKey, signatureForm } from './setting-kinds.ts';

export const IDENTITY_SETTINGS = {
  identityUrl: {
    name: 'OPENSHELF_IDENTITY_URL',
    kind: optional(httpsOrigin),
    default: '',
    line: 'https:// origin that publishes the key with which requests to shops are signed; openshelf identity makes the key.',
    page:
      '`https://` origin that publishes the key of this installation ([retailers](retailers.md#signed-requests)). ' +
      'Requests to shops are signed (Web Bot Auth) if it is set and there is a key.',
  },
  identityKey: {
    name: 'OPENSHELF_IDENTITY_KEY',
    kind: optional(secretsKey),
    default: '',
    line:
      'The key that `openshelf identity create` prints, for PostgreSQL. Without it, a file `identity.key` in the ' +
      'data folder is used. Keep it secret.',
  },
  signatureForm: {
    name: 'OPENSHELF_SIGNATURE_FORM',
    kind: signatureForm,
    default: 'string',
    line: 'How Signature-Agent is written to hosts that have not accepted a signature yet: string or dictionary.',
  },
  licensedShops: {
    name: 'OPENSHELF_LICENSED_SHOPS',
    kind: hostNames,
    default: '',
    line: 'Hosts of shops whose licence you hold, separated by commas; a host covers its subdomains.',
  },
} as const;
