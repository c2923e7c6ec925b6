// The schema of what terms of a source withhold (D81). It is separate from the presentation, which a plain record needs before the
// schemas are loaded.

import { z } from 'zod';

export const WithheldBody = z
  .strictObject({
    source: z
      .string()
      .meta({ description: 'The source, `<slug>.<name>`, as in GET /v1/retailers.' }),
    reason: z.literal('terms').meta({ description: 'The terms of the source.' }),
    fields: z.array(z.string()).meta({ description: 'The fields that are null because of it.' }),
  })
  .meta({
    id: 'Withheld',
    description:
      'Only where the terms of a source that the operator has a key for do not allow a stored fact to be given (any more).',
  });

export const termsFields = {
  withheld: WithheldBody.optional(),
  notice: z.string().optional().meta({
    description: 'A sentence that the terms of the source ask to be shown with its facts.',
  }),
};
