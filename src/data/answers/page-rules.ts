// Rules: the candidates that a person chose on a shop's page, once for all its pages (D85). Every change replaces a
// revision, so that each process knows when to read the rules again.

import type { Row, Sql, Statement } from '../sql.ts';
import { numberOrNull, textOrNull } from '../statement-values.ts';
import { isAtOrBelow } from '../takedowns.ts';
import { deleteOwnFacts } from './own-facts.ts';
import { reviseSubjects } from './revisions.ts';

export type RuleField = 'price' | 'stock' | 'barcode';

export type StoredRule = {
  readonly id: string;
  /** The organization whose rule it is; null for everyone's. */
  readonly organizationId: string | null;
  /** The id of the key that created it, for an imported rule in the installation that exported it. */
  readonly author: string;
  /** The host of the pages to which it applies, without `www.`. */
  readonly host: string;
  readonly field: RuleField;
  /** JSON: the chosen candidate and its place. */
  readonly choice: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
  readonly doubtfulAtMs: number | null;
  readonly withdrawnAtMs: number | null;
  readonly withdrawnUrl: string | null;
};

type WithSnapshot = {
  /** JSON: the texts among which it was chosen. May be as large as all the rest of many rules. */
  readonly snapshot: string;
};

export type NewRule = WithSnapshot &
  Omit<StoredRule, 'usedAtMs' | 'doubtfulAtMs' | 'withdrawnAtMs' | 'withdrawnUrl'>;

/** The result of a rule on a page. */
export type RuleUse = 'used' | 'doubtful' | 'withdrawn';

const SUBJECT = 'page rules';

/** Returns the revision of all rules; 0 if there never was one. */
export async function findRulesRevision(sql: Sql): Promise<number> {
  const rows = await sql.all('select revision from revisions where subject = $1', [SUBJECT]);
  return numberOrNull(rows[0]?.['revision'] ?? null) ?? 0;
}

/** The data that is needed to apply a rule. */
export type RuleToApply = Pick<StoredRule, 'id' | 'organizationId' | 'host' | 'field' | 'choice'>;

/** Returns all rules as they are applied, the oldest first. */
export async function findRulesToApply(sql: Sql): Promise<readonly RuleToApply[]> {
  const rows = await sql.all(
    'select id, organization_id, host, field, choice from page_rules order by created_at_ms, id',
  );
  return rows.map(toApply);
}

const SHOWN = `id, organization_id, author, host, field, choice, created_at_ms, used_at_ms, doubtful_at_ms,
  withdrawn_at_ms, withdrawn_url`;

/** Returns the rules, the oldest first: of everyone and of this organization, or all of them with undefined. */
export async function findRules(sql: Sql, organizationId?: string): Promise<readonly StoredRule[]> {
  const rows =
    organizationId === undefined
      ? await sql.all(`select ${SHOWN} from page_rules order by created_at_ms, id`)
      : await sql.all(
          `select ${SHOWN} from page_rules where organization_id = $1 or organization_id is null
           order by created_at_ms, id`,
          [organizationId],
        );
  return rows.map(toRule);
}

/** Returns a rule with its snapshot; null without one. */
export async function findRule(sql: Sql, id: string): Promise<(StoredRule & WithSnapshot) | null> {
  const [row] = await sql.all('select * from page_rules where id = $1', [id]);
  return row === undefined ? null : { ...toRule(row), snapshot: String(row['snapshot']) };
}

function toApply(row: Row): RuleToApply {
  return {
    id: String(row['id']),
    organizationId: textOrNull(row['organization_id']),
    host: String(row['host']),
    // SAFETY: only `insertRule` writes it, from the same union.
    field: String(row['field']) as RuleField,
    choice: String(row['choice']),
  };
}

function toRule(row: Row): StoredRule {
  return {
    ...toApply(row),
    author: String(row['author']),
    createdAtMs: Number(row['created_at_ms']),
    usedAtMs: numberOrNull(row['used_at_ms']),
    doubtfulAtMs: numberOrNull(row['doubtful_at_ms']),
    withdrawnAtMs: numberOrNull(row['withdrawn_at_ms']),
    withdrawnUrl: textOrNull(row['withdrawn_url']),
  };
}

/** Stores a rule. It replaces the one for the same host and field. */
export async function insertRule(sql: Sql, rule: NewRule): Promise<void> {
  const { id, organizationId, author, host, field, choice, snapshot, createdAtMs } = rule;
  await sql.write([
    reviseSubjects([SUBJECT]),
    {
      text: `delete from page_rules where host = $1 and field = $2
        and coalesce(organization_id, '') = $3`,
      params: [host, field, organizationId ?? ''],
    },
    {
      text: `insert into page_rules (id, organization_id, author, host, field, choice, snapshot, created_at_ms)
        values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      params: [id, organizationId, author, host, field, choice, snapshot, createdAtMs],
    },
  ]);
}

/**
 * Deletes a rule and the rows that an organization saw because of it. Other rules for the shop apply again at the next
 * reading.
 */
export async function deleteRule(
  sql: Sql,
  { id, organizationId, host }: StoredRule,
): Promise<void> {
  await sql.write([
    reviseSubjects([SUBJECT]),
    { text: 'delete from page_rules where id = $1', params: [id] },
  ]);
  if (organizationId === null) return;
  const rows = await sql.all(
    `select id, url from listings where organization_id = $1 and door = 'page'`,
    [organizationId],
  );
  for (const { id: rowId, url } of rows) {
    if (hostOfRules(String(url)) === host) {
      await deleteOwnFacts(sql, organizationId, String(rowId));
    }
  }
}

/** Returns the host by which a page's rules are found; '' if the text is not an address. */
export function hostOfRules(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^www\./, '').replace(/\.$/, '');
}

const COLUMN = {
  used: 'used_at_ms',
  doubtful: 'doubtful_at_ms',
  withdrawn: 'withdrawn_at_ms',
} as const satisfies Record<RuleUse, string>;

/** Records the result of a rule on a page. */
export function noteRule(id: string, use: RuleUse, { url, atMs }: { url: string; atMs: number }) {
  const [address, param] = use === 'withdrawn' ? [', withdrawn_url = $3', [url]] : ['', []];
  return {
    text: `update page_rules set ${COLUMN[use]} = $2${address} where id = $1`,
    params: [id, atMs, ...param],
  } satisfies Statement;
}

/** Deletes the rules for a host that was taken down. Returns their number. */
export async function takeDownRules(sql: Sql, host: string, isDryRun: boolean): Promise<number> {
  const rules = (await findRules(sql)).filter(
    (rule) => isAtOrBelow(rule.host, host) || isAtOrBelow(`www.${rule.host}`, host),
  );
  if (!isDryRun) {
    await sql.write([
      reviseSubjects([SUBJECT]),
      ...rules.map(({ id }) => ({ text: 'delete from page_rules where id = $1', params: [id] })),
    ]);
  }
  return rules.length;
}
