// Whether the service asks simulated retailers.

import { publicOrigins } from '../../read/retailers/addresses/public-origins.ts';
import type { Config } from '../config.ts';

/** Checks whether no known retailer is asked at its own address. */
export function isSimulated({ origins }: Pick<Config, 'origins'>): boolean {
  return Object.values(publicOrigins()).every(({ page }) => origins.targetOf(page) !== null);
}
