// Arguments that several tools take. Their schemas use only words of JSON Schema that every client knows: no `multipleOf`, which
// in validators that divide refuses 19.99, and no exclusive bound, which changed its form between drafts.

import { z } from 'zod';

import { AMOUNT_RULE, hundredthsOf, MOST } from '../wire/hundredths.ts';

export const identifier = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'A barcode (UPC, EAN, ISBN), ASIN, item id, or the URL of a product page' });

export const retailer = (description: string) =>
  z.string().max(64).optional().meta({ description });

export const currency = z.string().max(10).optional().meta({
  description: 'The currency of prices: an ISO 4217 code or native; nothing is converted',
});

export const detail = z
  .boolean()
  .optional()
  .meta({ description: 'Returns up to 16 KB instead of 2 KB' });

/** An amount from `least` on, with at most two decimals. */
export const amountArgument = (description: string, least = 0) =>
  z
    .number()
    .min(least)
    .max(MOST)
    .refine((written) => hundredthsOf(String(written)) !== null, {
      params: { allowed: [AMOUNT_RULE] },
    })
    .optional()
    .meta({ description });
