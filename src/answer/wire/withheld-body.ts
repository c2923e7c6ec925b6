// The schema of the facts that the terms of a source withhold (D81). It is separate from the presentation, which a plain
// record needs before the schemas are loaded.

import { z } from 'zod';

export const WithheldBody = z
  .strictObject({
    source: z
      .string()
      .meta({ description: 'The source as `<slug>.<name>`, as in GET /v1/retailers.' }),
    reason: z
      .literal('terms')
      .meta({ description: 'The reason, which is always the terms of the source.' }),
    fields: z
      .array(z.string())
      .meta({ description: 'The fields that are `null` for this reason.' }),
  })
  .meta({
    id: 'Withheld',
    description:
      'The stored facts that are withheld. Present only if the terms of a source for which the ' +
      'operator has a key do not allow them to be returned.',
  });

export const termsFields = {
  withheld: WithheldBody.optional(),
  notice: z.string().optional().meta({
    description:
      'A sentence that must be shown with the facts, because the terms of the source require it.',
  }),
};
