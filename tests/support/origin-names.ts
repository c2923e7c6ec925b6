// Real hosts of the known retailers stand in their address books and nowhere else (D3): texts that are kept in the
// repository write `{host of retailer_w}` in their place.

import { KNOWN_SLUGS } from '../../src/domain/retailer.ts';
import { publicOrigins } from '../../src/retailers/public-origins.ts';

const HOSTS = KNOWN_SLUGS.map((slug): readonly [string, string] => [
  new URL(publicOrigins()[slug].page).hostname.replace(/^www\./, ''),
  `{host of ${slug}}`,
]);

/** The text with the placeholders instead of the hosts. */
export function hidden(text: string): string {
  return HOSTS.reduce((left, [host, name]) => left.replaceAll(host, name), text);
}

/** The text with the hosts instead of the placeholders. */
export function shown(text: string): string {
  return HOSTS.reduce((left, [host, name]) => left.replaceAll(name, host), text);
}
