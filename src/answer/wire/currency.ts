// The currency of an answer on the wire (D87): how it is requested, and where it is stated.

import { z } from 'zod';

import { FaultError } from '../../base/fault.ts';
import { NATIVE_CURRENCY } from '../../base/listing/lens.ts';
import { isCurrencyCode } from '../../base/listing/money/currencies.ts';
import { allowedBy } from './allowed.ts';

const CODE_RULE = 'an ISO 4217 code such as EUR';

function currencyOf(rule: readonly string[], others: readonly string[]) {
  return z.string().transform((written, context): string => {
    const other = others.find((each) => each === written.toLowerCase());
    const code = written.toUpperCase();
    if (other !== undefined || isCurrencyCode(code)) return other ?? code;
    context.addIssue({ code: 'custom', params: { allowed: rule } });
    return z.NEVER;
  });
}

/** The parameter of lookups, comparisons and histories. */
export const currencyParameter = currencyOf([CODE_RULE, NATIVE_CURRENCY], [NATIVE_CURRENCY])
  .optional()
  .meta({
    type: 'string',
    pattern: '^([A-Za-z]{3}|[Nn][Aa][Tt][Ii][Vv][Ee])$',
    description:
      'The currency of prices: an ISO 4217 code, or `native` for the currency of the listing that ' +
      'supplies the price. Only listings and observations in this currency count; nothing is ' +
      'converted. The default is the currency of the installation, which is `USD` unless the operator ' +
      'sets another. Free.',
    example: 'EUR',
  });

/** The field of a new watch. */
export const watchCurrency = currencyOf([CODE_RULE], []).meta({
  type: 'string',
  pattern: '^[A-Za-z]{3}$',
  description:
    'The ISO 4217 code of the prices that are watched, including `below`. Prices in other currencies ' +
    'are not compared. The default is the currency of the installation when the watch is created. It ' +
    'cannot be changed later.',
  example: 'EUR',
});

/** The field that names the currency of an answer. */
export const saidCurrency = z
  .string()
  .optional()
  .meta({
    description:
      'The ISO 4217 code of the prices. Present only if a currency was requested or the prices are not ' +
      'in US dollars. Fields that end in `_usd` are always in US dollars.',
  });

/** `native_price` of a cell or a row. */
export const NativePriceBody = z
  .strictObject({
    amount: z.number().meta({ description: 'The amount in this currency.' }),
    currency: z
      .string()
      .nullable()
      .meta({ description: 'The ISO 4217 code; `null` if the page does not state the currency.' }),
  })
  .optional();

/** Parses the currency of an answer or of a watch where no route does. FaultError invalid_parameter. */
export function parsedCurrency(
  of: 'answer' | 'watch',
  asked: string | undefined,
): string | undefined {
  const schema = of === 'answer' ? currencyParameter : watchCurrency.optional();
  const parsed = schema.safeParse(asked);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const allowed = issue === undefined ? [] : allowedBy(issue);
  const detail = `The value of "currency" is invalid. Allowed: ${allowed.join(', ')}.`;
  throw new FaultError({ code: 'invalid_parameter', parameter: 'currency', allowed, detail });
}
