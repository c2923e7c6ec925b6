// The fields that the terms of a source withhold, and the sentence that the terms require (D81). Fields that are withheld
// are null, and the object in which they stand names them.

import type { z } from 'zod';

import type { Limits } from '../../base/listing/stored-listing.ts';
import type { WithheldBody } from './withheld-body.ts';

type TermsFields = {
  readonly withheld?: z.infer<typeof WithheldBody>;
  readonly notice?: string;
};

/** The wire names of fields that terms withhold: those of the sale first, then all others. */
export type WithheldNames = { readonly sale: readonly string[]; readonly facts: readonly string[] };

/** Presents the withheld fields of an object with these fields, and the notice; nothing for a source without terms. */
export function presentLimits(
  limits: Limits | null | undefined,
  names: WithheldNames,
): TermsFields {
  if (limits === null || limits === undefined) return {};
  const { source, withheld, notice } = limits;
  const fields =
    withheld === 'nothing'
      ? []
      : withheld === 'sale'
        ? names.sale
        : [...names.sale, ...names.facts];
  return {
    ...(fields.length === 0 ? {} : { withheld: withheldFields(source, fields) }),
    ...(notice === null ? {} : { notice }),
  };
}

/** Names fields that a source's terms withhold. */
export function withheldFields(
  source: string,
  fields: readonly string[],
): z.infer<typeof WithheldBody> {
  return { source, reason: 'terms', fields: [...fields] };
}
