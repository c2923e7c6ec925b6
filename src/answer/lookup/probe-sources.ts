// Sends one request to each official source that has its settings, to find out whether it works (D79): a search for a barcode,
// which changes nothing there. The answer is not stored.

import type { FetchContext } from '../../base/fetch-context.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { KNOWN_SLUGS } from '../../base/retailer.ts';
import { askSource, type AskParts } from '../collect/asking/ask-retailer.ts';
import { askedSource } from '../collect/asking/source-access.ts';

/** The example code of the barcode standard. */
const SOME_CODE = '00036000291452' as Gtin14;

export type ProbedSource = {
  readonly name: string;
  /** Null if it answered; else the sentences about the failure. */
  readonly failure: string | null;
};

/** Sources that share a key are asked once. One that rests gets no request, and its failure is the result. */
export async function probeSources(
  parts: AskParts,
  context: FetchContext,
): Promise<readonly ProbedSource[]> {
  const question = { kind: 'barcode', gtin: SOME_CODE } as const;
  const asked = KNOWN_SLUGS.flatMap((slug) =>
    parts.access
      .sourcesOf(slug)
      .filter(({ isOfficial, account }) => isOfficial === true && account === undefined)
      .map(async (source) => {
        const outcome = await askSource(parts, { slug, source, question }, context);
        const failure = outcome?.kind === 'failed' ? outcome.fault.detail : null;
        return { name: askedSource(slug, source).name, failure };
      }),
  );
  return await Promise.all(asked);
}
