// The target of a lookup: the local data, the simulated market, or the service named by --url; and the key for that
// service.

import type { ServiceAddress } from '../../runs/call-service.ts';
import { UsageError, type CommandInput } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { textOption } from '../options.ts';
import { MARKET_OPTIONS } from '../sandbox-config.ts';

export const WHO_IS_ASKED = {
  url: {
    value: 'URL',
    help: 'use this service, with the key in OPENSHELF_API_KEY, instead of the local data',
  },
  sandbox: { help: 'use the simulated market, with its own data' },
  seed: { value: 'N', help: `with --sandbox: ${MARKET_OPTIONS.seed.help}` },
  products: { value: 'N', help: `with --sandbox: ${MARKET_OPTIONS.products.help}` },
} as const;

/** Returns the service; null if --url is not given, so that the local data is used. */
export function serviceThere({ values, io }: CommandInput): ServiceAddress | null {
  const text = textOption(values, 'url');
  if (text === undefined) return null;
  const address = URL.parse(text);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new UsageError(
      `--url takes the address of a service, such as https://shelf.example.com, not "${text}".`,
    );
  }
  const { apiKey } = configOf({ values: {}, io });
  if (apiKey === '') {
    throw new UsageError('--url needs an API key of that service in OPENSHELF_API_KEY.');
  }
  return { url: `${address.origin}${address.pathname.replace(/\/+$/, '')}`, apiKey };
}
