// The settings of watches and channels: how many an organization may have, how long their notices are stored, and how their
// secrets are encrypted.

import { anyText, optional, secretsKey, wholeNumber } from './setting-kinds.ts';

export const WATCH_SETTINGS = {
  maxWatches: {
    name: 'OPENSHELF_MAX_WATCHES',
    kind: wholeNumber(0, 1_000_000),
    default: '10000',
    line: 'Maximum number of watches per organization; 0 allows none.',
  },
  maxWatchedAddresses: {
    name: 'OPENSHELF_MAX_WATCHED_ADDRESSES',
    kind: wholeNumber(0, 1_000_000),
    default: '20000',
    line: 'Maximum number of identifiers and addresses in the watches of one organization.',
  },
  maxWatchesOfProduct: {
    name: 'OPENSHELF_MAX_WATCHES_OF_PRODUCT',
    kind: wholeNumber(1, 1_000_000),
    default: '100',
    line: 'Maximum number of watches of the same barcode or page per organization; each is evaluated whenever it is read.',
  },
  keepChangesDays: {
    name: 'OPENSHELF_KEEP_CHANGES_DAYS',
    kind: wholeNumber(1, 3_650),
    default: '90',
    line: 'Days for which changes, notices and deliveries are stored; an older cursor returns 410 cursor_expired.',
  },
  maxChannels: {
    name: 'OPENSHELF_MAX_CHANNELS',
    kind: wholeNumber(0, 10_000),
    default: '100',
    line: 'Maximum number of channels per organization; 0 allows none.',
  },
  operatorChannel: {
    name: 'OPENSHELF_OPERATOR_CHANNEL',
    kind: anyText,
    default: '',
    line: 'Id of the channel through which the operator is notified of refused APIs, a full disk and the like.',
  },
  secretsKey: {
    name: 'OPENSHELF_SECRETS_KEY',
    kind: optional(secretsKey),
    default: '',
    line:
      '32 random bytes (`openssl rand -base64 32`) that encrypt the secrets of channels. Without it, a file ' +
      '`secrets.key` in the data folder is used; on PostgreSQL no channel can be created without it.',
  },
} as const;
