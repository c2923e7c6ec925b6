// Real hosts of the known retailers stand in their address books and nowhere else (D3): texts that are kept in the
// repository write `{host of retailer_w}` in their place, and `{Host of retailer_w}` where it begins with a capital.

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';

const HOSTS = KNOWN_SLUGS.flatMap((slug): readonly (readonly [string, string])[] => {
  const host = new URL(publicOrigins()[slug].page).hostname.replace(/^www\./, '');
  const asName = `${host.slice(0, 1).toUpperCase()}${host.slice(1)}`;
  return [
    [host, `{host of ${slug}}`],
    [asName, `{Host of ${slug}}`],
  ];
});

/** The text with the placeholders instead of the hosts. */
export function hidden(text: string): string {
  return HOSTS.reduce((left, [host, name]) => left.replaceAll(host, name), text);
}

/** The text with the hosts instead of the placeholders. */
export function shown(text: string): string {
  return HOSTS.reduce((left, [host, name]) => left.replaceAll(name, host), text);
}
