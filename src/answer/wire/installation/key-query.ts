// Parameters of the routes that create and rotate API keys.

import { z } from 'zod';

import { DEFAULT_SCOPES, isScope, SCOPES } from '../../../base/scopes.ts';

/** A whole number of hours in a range. */
function hours(least: number, most: number) {
  return z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      params: { allowed: [`a whole number from ${least} to ${most}`] },
    })
    .transform(Number);
}

export const NewKeyQuery = z.strictObject({
  organization: z
    .string()
    .refine((text) => text.length <= 100 && text.trim() === text && /^\P{C}+$/u.test(text), {
      params: {
        allowed: ['1 to 100 characters, without control characters and without blanks at the ends'],
      },
    })
    .meta({ description: 'The organization whose tokens the key spends.', example: 'acme' }),
  scopes: z
    .string()
    .default(DEFAULT_SCOPES.join(','))
    .transform((text, context) => {
      const named = [...new Set(text.split(',').map((each) => each.trim()))];
      if (named.every(isScope)) return named;
      context.addIssue({ code: 'custom', params: { allowed: [...SCOPES] } });
      return z.NEVER;
    })
    .meta({
      type: 'string',
      default: DEFAULT_SCOPES.join(','),
      description:
        `The scopes of the key: some of ${SCOPES.map((each) => `\`${each}\``).join(', ')}, separated by ` +
        'commas.',
    }),
  note: z
    .string()
    .refine((text) => /^\P{C}{1,200}$/u.test(text), {
      params: { allowed: ['1 to 200 characters, without control characters'] },
    })
    .optional()
    .meta({ description: 'What the key is for.', example: 'nightly repricing' }),
  expires_in_hours: hours(1, 876_000).optional().meta({
    type: 'integer',
    description:
      'The number of hours after which the key expires. If omitted, the key never expires.',
    example: 720,
  }),
});

export const RotateKeyQuery = z.strictObject({
  old_valid_hours: hours(0, 8_760)
    .optional()
    .transform((value) => value ?? 24)
    .meta({
      type: 'integer',
      default: 24,
      description: 'The number of hours for which the old key remains valid; 0 revokes it at once.',
    }),
});
