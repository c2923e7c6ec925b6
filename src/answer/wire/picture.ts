// The answer of GET /v1/products/{id}/picture: where a product's picture can be loaded without a key.

import { z } from 'zod';

import { isoTimestamp } from '../../base/clock.ts';
import { tokenFields } from './fields.ts';

export const PictureAddress = z
  .strictObject({
    picture: z
      .string()
      .nullable()
      .meta({
        description:
          'The path on this service that serves the image without a key until `expires_at`; `null` if ' +
          'there is no stored record, if it has no image, or if this installation shows none ' +
          '(`OPENSHELF_PICTURES`).',
        example: '/console/pictures/eyJrZXkiOi...',
      }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the path expires; `null` if there is no path.' }),
    ...tokenFields,
  })
  .meta({ id: 'PictureAddress' });

/** Returns the body without its token fields; `signed` is null if there is no picture. */
export function presentPicture(
  signed: { readonly token: string; readonly expiresAtMs: number } | null,
) {
  if (signed === null) return { picture: null, expires_at: null };
  return {
    picture: `/console/pictures/${signed.token}`,
    expires_at: isoTimestamp(signed.expiresAtMs),
  };
}
