// Rules (D85): the request that creates one, its form in answers, and the file that transfers it to another installation.

import { z } from 'zod';

import { isoOrNull, isoTimestamp } from '../../base/clock.ts';
import { amountOf } from '../../base/listing/money/minor-units.ts';
import type { NewRule, StoredRule } from '../../data/answers/page-rules.ts';
import type { Choice, KeptText } from '../../read/candidates/page-rules.ts';
import { instant, text, tokenFields } from './fields.ts';

/** Names on the wire, as in a record. */
export const RULE_FIELDS = { price: 'price', in_stock: 'stock', gtin: 'barcode' } as const;
type FieldOnWire = keyof typeof RULE_FIELDS;

const Field = z
  .enum(Object.keys(RULE_FIELDS) as [FieldOnWire, ...FieldOnWire[]])
  .meta({ description: 'The kind of fact that the candidate states, named as in a record.' });

const Audience = z.enum(['organization', 'everyone']);

export const RuleBody = z
  .strictObject({
    product: z.string().min(1).max(8_192).meta({
      description: 'The address of the page, or the ID of a retailer.',
      example: 'https://shop.example.com/lamp',
    }),
    field: Field,
    value: z.union([z.string(), z.number(), z.boolean()]).meta({
      description: 'The `value` of the candidate.',
      example: 59.9,
    }),
    place: z
      .object({
        line: z.int().nonnegative().meta({ description: 'The index in `lines`.' }),
        start: z.int().nonnegative().meta({ description: 'The first character in that line.' }),
      })
      .optional()
      .meta({ description: 'The `place` of the candidate, if several have the value.' }),
    for: Audience.optional().meta({
      description:
        'Whose answers the rule changes. The default is `organization`; `everyone` also ' +
        'requires the scope `admin`.',
    }),
    html: z.string().min(1).optional().meta({
      description: 'The page as you see it, at most 5 MB; if omitted, it is fetched.',
    }),
  })
  .meta({ id: 'NewRule' });

const STATES = ['unused', 'used', 'doubtful', 'withdrawn'] as const;

const ChosenRule = z.strictObject({
  id: z.string().meta({ description: 'The ID.', example: 'rul_Zr3vXl5Qm0Wn8sT2yKc1bA' }),
  host: z.string().meta({ description: 'The host of the pages to which the rule applies.' }),
  page_kind: z.literal('product').meta({ description: 'The kind of page.' }),
  field: Field,
  for: Audience.meta({ description: 'Whose answers the rule changes.' }),
  chosen: z.union([z.number(), z.boolean()]).nullable().meta({
    description: 'The amount or stock that was chosen; `null` for a barcode.',
  }),
  currency: text('The currency of an amount.'),
  path: z
    .string()
    .meta({ description: 'The elements around the place, by names that seldom change.' }),
  author: z.string().meta({ description: 'The key with which the rule was created.' }),
  created_at: z.iso.datetime().meta({ description: 'When the rule was created.' }),
  state: z.enum(STATES).meta({
    description:
      'The last result of the rule. `doubtful`: two of its three signs led to the same ' +
      'place. `withdrawn`: fewer did, and the rule was not applied.',
  }),
});

const Rule = z
  .strictObject({
    ...ChosenRule.shape,
    used_at: instant('When all three signs last agreed, to the hour.'),
    doubtful_at: instant('When the rule was last doubtful, to the hour.'),
    withdrawn_at: instant('When the rule was last withdrawn, to the hour.'),
    withdrawn_url: text(
      'The page on which the rule was last withdrawn; for a rule for everyone only with the scope `admin`.',
    ),
  })
  .meta({ id: 'Rule' });

export const RuleAnswer = z
  .strictObject({ ...ChosenRule.shape, ...tokenFields })
  .meta({ id: 'RuleMade' });
export const RuleList = z
  .strictObject({
    rules: z.array(Rule).meta({ description: 'The rules, oldest first.' }),
    ...tokenFields,
  })
  .meta({ id: 'RuleList' });
export const RuleDeleted = z
  .strictObject({
    deleted: z.literal(true).meta({ description: 'Always `true`.' }),
    id: z.string().meta({ description: 'The rule.' }),
    ...tokenFields,
  })
  .meta({ id: 'RuleDeleted' });

/** The fields of a rule that are shown, and of how it did. */
export function presentRule(rule: StoredRule): z.infer<typeof Rule> {
  return {
    ...presentChosen(rule),
    used_at: isoOrNull(rule.usedAtMs),
    doubtful_at: isoOrNull(rule.doubtfulAtMs),
    withdrawn_at: isoOrNull(rule.withdrawnAtMs),
    withdrawn_url: rule.withdrawnUrl,
  };
}

/** What is shown of a rule that was just chosen. */
export function presentChosen(
  rule: Omit<NewRule, 'snapshot'> & Partial<StoredRule>,
): z.infer<typeof ChosenRule> {
  // SAFETY: our own JSON, made by `chosenAmong` or checked as a `RuleFile`.
  const { says, currency, place } = JSON.parse(rule.choice) as Choice;
  const cents = Number(says.split(' ')[0]);
  return {
    id: rule.id,
    host: rule.host,
    page_kind: 'product',
    field: fieldOnWire(rule.field),
    for: rule.organizationId === null ? 'everyone' : 'organization',
    chosen:
      rule.field === 'price'
        ? amountOf({ cents, currency })
        : rule.field === 'stock'
          ? says === 'true'
          : null,
    currency,
    path: place.path,
    author: rule.author,
    created_at: isoTimestamp(rule.createdAtMs),
    state: stateOf(rule),
  };
}

function fieldOnWire(field: StoredRule['field']): FieldOnWire {
  return field === 'stock' ? 'in_stock' : field === 'barcode' ? 'gtin' : 'price';
}

function stateOf(rule: Partial<StoredRule>): (typeof STATES)[number] {
  const { usedAtMs, doubtfulAtMs, withdrawnAtMs } = rule;
  const last = Math.max(usedAtMs ?? 0, doubtfulAtMs ?? 0, withdrawnAtMs ?? 0);
  if (last === 0) return 'unused';
  if (last === withdrawnAtMs) return 'withdrawn';
  return last === doubtfulAtMs ? 'doubtful' : 'used';
}

const short = z.string().max(4_096);
const PlaceInFile = z.strictObject({
  path: short,
  label: short,
  before: short,
  after: short,
  isAmongOthers: z.boolean(),
});
const Rank = z.strictObject({ at: z.int(), of: z.int() });

/** A rule in a file. */
export const RuleFile = z.strictObject({
  openshelf_rule: z.literal(1),
  host: z.string().regex(/^[a-z\d.:[\]-]{1,253}$/),
  field: Field,
  author: z.string().min(1).max(100),
  created_at: z.iso.datetime(),
  choice: z.strictObject({
    says: short,
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullable(),
    place: PlaceInFile.extend({
      among: z.strictObject({ path: Rank, label: Rank, neighbours: Rank }),
    }),
  }),
  snapshot: z.array(z.strictObject({ says: short, place: PlaceInFile })).max(1_000),
});

export type RuleFile = z.infer<typeof RuleFile>;

export function ruleToFile(rule: NewRule): RuleFile {
  const { host, author } = rule;
  return {
    openshelf_rule: 1,
    host,
    field: fieldOnWire(rule.field),
    author,
    created_at: isoTimestamp(rule.createdAtMs),
    choice: JSON.parse(rule.choice) as Choice,
    snapshot: JSON.parse(rule.snapshot) as KeptText[],
  };
}
