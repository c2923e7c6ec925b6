// The answer of GET /v1/watches/sparklines: where the small charts of watches can be loaded without a key.

import { z } from 'zod';

import { isoTimestamp } from '../../../base/clock.ts';
import { tokenFields } from '../fields.ts';

/** Maximum watches in one call: a page of the list. */
const MOST = 100;
const ID_LIST = new RegExp(String.raw`^wat_[\w-]{1,40}(?:,wat_[\w-]{1,40}){0,${MOST - 1}}$`);

export const SparklineQuery = z.strictObject({
  ids: z
    .string()
    .max(MOST * 45)
    .refine((text) => ID_LIST.test(text), {
      params: { allowed: [`IDs of watches, separated by commas, at most ${MOST}`] },
    })
    .transform((text) => text.split(','))
    .meta({
      type: 'string',
      description: `The IDs of watches, separated by commas, at most ${MOST}.`,
      example: 'wat_mQ9xkz0bVr7s0M2nU4aYcA',
    }),
});

export const SparklineList = z
  .strictObject({
    sparklines: z
      .array(
        z.strictObject({
          watch_id: z
            .string()
            .meta({ description: 'The ID of the watch whose prices the chart shows.' }),
          sparkline: z.string().meta({
            description:
              'The path on this service that serves a small chart (SVG) of the lowest price per day over 90 ' +
              'days, without a key until `expires_at`. It changes when the watch reads something new.',
            example: '/console/sparklines/eyJrZXkiOi...',
          }),
          expires_at: z.iso.datetime().meta({ description: 'When the path expires.' }),
        }),
      )
      .meta({
        description:
          'The charts in the order of `ids`, except for watches that have not read anything yet.',
      }),
    ...tokenFields,
  })
  .meta({ id: 'SparklineList' });

export type SparklineList = z.infer<typeof SparklineList>;

type Signed = {
  readonly id: string;
  readonly token: string;
  readonly expiresAtMs: number;
};

/** Returns the body without its token fields. */
export function presentSparklines(signed: readonly Signed[]) {
  return {
    sparklines: signed.map(({ id, token, expiresAtMs }) => ({
      watch_id: id,
      sparkline: `/console/sparklines/${token}`,
      expires_at: isoTimestamp(expiresAtMs),
    })),
  };
}
