// The answer of GET /v1/products/{id}/candidates: the candidates on a page, and the reasons why they were taken or not
// (D85).

import { z } from 'zod';

import { isoTimestamp } from '../../base/clock.ts';
import { PRICE_READ_FROM } from '../../base/listing/listing.ts';
import { amountOf } from '../../base/listing/money/minor-units.ts';
import type { PageCandidate, PageCandidates } from '../../read/candidates/candidates.ts';
import type { CandidatesOfPage } from '../lookup/page-candidates.ts';
import { text, tokenFields } from './fields.ts';

const at = (what: string) => z.int().nonnegative().meta({ description: what });

const CandidateBody = z.strictObject({
  field: z
    .enum(['price', 'in_stock', 'gtin'])
    .meta({ description: 'The kind of fact that it may be, named as in a record.' }),
  value: z.union([z.string(), z.number(), z.boolean()]).meta({
    description: 'The value: an amount, a barcode, or whether the product is in stock.',
  }),
  currency: text('The currency of an amount; `null` if the page names none, and for other fields.'),
  from: z.enum(PRICE_READ_FROM).nullable().meta({
    description:
      "Where on the page: its `json_ld`, `microdata` or `open_graph` tags, its scripts' `state`, or its `visible` text.",
  }),
  place: z
    .strictObject({
      line: at('The index in `lines`.'),
      start: at('The first character in that line, in UTF-16 units.'),
      end: at('The character after the last one.'),
    })
    .nullable()
    .meta({ description: 'Where in the visible text; `null` for data, which nobody sees.' }),
  taken: z
    .boolean()
    .meta({ description: 'Whether the candidate was taken, or agrees with the one that was.' }),
  why: z.string().meta({ description: 'Why it was taken or not.' }),
});

/** The text of a page and its candidates, as members of another answer. */
export const candidateFields = {
  not_read_because: text(
    'The reason why nothing was taken: the page is not a product page, or the retailer is read ' +
      'from its official API or from product JSON, which have no candidates. `null` if the page ' +
      'was read.',
  ),
  lines: z.array(z.string()).meta({
    description: 'The visible text of the page, at most 5,000 lines of about 600 characters.',
  }),
  candidates: z.array(CandidateBody).meta({
    description:
      'Amounts, stock words and barcodes: first those in the data of the page, then at most ' +
      '500 from its text, in page order.',
  }),
};

export const CandidatesBody = z
  .strictObject({
    retailer: z.string().meta({ description: 'Slug.' }),
    url: z.string().meta({ description: 'The address of the page, after redirects.' }),
    fetched_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the page was fetched; `null` if none was.' }),
    ...candidateFields,
    rules: z
      .array(
        z.strictObject({
          id: z.string().meta({ description: 'The rule.' }),
          state: z.enum(['used', 'doubtful', 'withdrawn']).meta({
            description:
              'The result of the rule on this page; `withdrawn` means that it is not applied.',
          }),
          candidate: z
            .int()
            .nonnegative()
            .nullable()
            .meta({
              description:
                'The index of the selected candidate in `candidates`; `null` if the rule is ' +
                'withdrawn.',
            }),
        }),
      )
      .optional()
      .meta({ description: 'The rules for pages of this host; absent if there is none.' }),
    may_choose: z.literal(true).optional().meta({
      description: 'Present if the key may choose one of the candidates (`POST /v1/rules`).',
    }),
    ...tokenFields,
  })
  .meta({ id: 'PageCandidates' });

export type CandidatesOnWire = z.infer<typeof CandidatesBody>;

/** Returns the body without its token fields. `mayChoose`: whether the caller may choose a candidate. */
export function presentCandidates(page: CandidatesOfPage, mayChoose: boolean) {
  const { retailer, url, fetchedAtMs, candidates, rules } = page;
  const shown = rules.map(({ use: state, ...rule }) => ({ ...rule, state }));
  return {
    retailer,
    url,
    fetched_at: fetchedAtMs === null ? null : isoTimestamp(fetchedAtMs),
    ...presentPageText(page),
    ...(rules.length === 0 ? {} : { rules: shown }),
    ...(mayChoose && candidates.length > 0 ? { may_choose: true as const } : {}),
  };
}

export function presentPageText({ whyUnread, lines, candidates }: PageCandidates) {
  return {
    not_read_because: whyUnread,
    lines: [...lines],
    candidates: candidates.map(presentCandidate),
  };
}

function presentCandidate({ said, readFrom, shown, isTaken, why }: PageCandidate) {
  const place = shown === null ? null : { line: shown.line, start: shown.from, end: shown.to };
  return { ...presentSaid(said), from: readFrom, place, taken: isTaken, why };
}

function presentSaid(said: PageCandidate['said']) {
  switch (said.field) {
    case 'price':
      return {
        field: 'price' as const,
        value: amountOf(said.money),
        currency: said.money.currency,
      };
    case 'stock':
      return { field: 'in_stock' as const, value: said.inStock, currency: null };
    case 'barcode':
      return { field: 'gtin' as const, value: said.gtin, currency: null };
  }
}
