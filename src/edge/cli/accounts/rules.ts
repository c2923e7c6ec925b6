// openshelf rules: the candidates that people chose on pages of shops, once for all pages (D85).

import { readFile } from 'node:fs/promises';

import { presentRule, RULE_FIELDS, RuleFile, ruleToFile } from '../../../answer/wire/rules.ts';
import { markOwnFacts } from '../../../data/accounts/organizations.ts';
import {
  deleteRule,
  findRule,
  findRules,
  hostOfRules,
  insertRule,
  type NewRule,
  type StoredRule,
} from '../../../data/answers/page-rules.ts';
import { madeId } from '../../../data/made-id.ts';
import type { Store } from '../../../data/store.ts';
import { readByRules } from '../../../read/candidates/candidates.ts';
import { holdsOn, type Choice, type KeptText } from '../../../read/candidates/page-rules.ts';
import { withStore } from '../../wiring/open-store.ts';
import {
  answer,
  byAction,
  DONE,
  FAILED,
  UsageError,
  type Command,
  type CommandInput,
} from '../command.ts';
import { configWithData, noOrganization } from '../data-folder.ts';
import { DATA_AND_JSON, noPositionals, onePositional, textOption } from '../options.ts';
import { savedPage } from '../products/saved-page.ts';

export const rules: Command = {
  name: 'rules',
  summary:
    'list, test, remove, export and import the rules that people made by choosing on pages of ' +
    'shops',
  synopsis: [
    'list [--org NAME] [--data DIR] [--json]',
    'test ID [FILE] [--data DIR] [--json]',
    'remove ID [--data DIR] [--json]',
    'export ID [--data DIR]',
    'import FILE [--org NAME] [--everyone] [--data DIR] [--json]',
  ],
  positionals: {
    ID: 'the identifier of a rule, as printed by "list"',
    FILE: 'with test: a saved page of the shop; with import: what "export" printed',
  },
  options: {
    org: { value: 'NAME', help: 'the organization whose rules these are' },
    everyone: { help: 'with import: the rule changes the answers of all organizations' },
    ...DATA_AND_JSON,
  },
  notes: [
    'Without FILE, "test" tries a rule on the digests that it stores of the page on which it ' +
      'was created.',
  ],
  run: byAction({ list, test, remove, export: exportRule, import: importRule }),
};

async function list(input: CommandInput): Promise<number> {
  noPositionals(input.positionals);
  const name = textOption(input.values, 'org');
  const found = await withStore(await configWithData(input), async (store) => {
    const all = await findRules(store.sql);
    const id = name === undefined ? null : await organizationOf(store, name);
    return id === null ? all : all.filter(({ organizationId }) => organizationId === id);
  });
  const shown = found.map(presentRule);
  const lines = shown.map(
    ({ id, host, field, for: whose, chosen, currency, state, withdrawn_url: url }) =>
      [id, host, field, whose, `${chosen ?? ''} ${currency ?? ''}`.trim(), state, url ?? '']
        .join('  ')
        .trimEnd(),
  );
  return answer(input, shown, lines.length === 0 ? ['There are no rules.'] : lines);
}

async function test(input: CommandInput): Promise<number> {
  const [id = '', file, ...others] = input.positionals;
  onePositional(id === '' ? [] : [id], 'ID');
  noPositionals(others);
  const { field, choice, snapshot, host } = await withRule(input, id, ({ rule }) =>
    Promise.resolve(rule),
  );
  // SAFETY: our own JSON, made by `chosenAmong` or checked as a `RuleFile`.
  const rule = { id, field, choice: JSON.parse(choice) as Choice };
  const kept = JSON.parse(snapshot) as KeptText[];
  if (file === undefined) {
    const holds = holdsOn(rule, kept);
    const line = holds
      ? 'The rule finds the chosen candidate.'
      : 'The rule no longer finds the chosen candidate.';
    answer(input, { id, holds }, [line]);
    return holds ? DONE : FAILED;
  }
  const page = savedPage(await readFile(file), { url: `https://${host}/` });
  const [finding] = readByRules(page, [rule]);
  const said = finding?.found?.said ?? null;
  const isDoubtful = finding?.found?.isDoubtful ?? false;
  const what = said === null ? 'withdrawn' : isDoubtful ? 'doubtful' : 'used';
  answer(input, { id, state: what, said }, [
    said === null ? 'withdrawn' : `${what}  ${JSON.stringify(said)}`,
  ]);
  return said === null ? FAILED : DONE;
}

async function remove(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  await withRule(input, id, ({ rule, store }) => deleteRule(store.sql, rule));
  return answer(input, { removed: id }, [`removed ${id}`]);
}

async function exportRule(input: CommandInput): Promise<number> {
  const id = onePositional(input.positionals, 'ID');
  const file = await withRule(input, id, ({ rule }) => Promise.resolve(ruleToFile(rule)));
  input.io.out(JSON.stringify(file));
  return DONE;
}

async function importRule(input: CommandInput): Promise<number> {
  const { values, positionals } = input;
  const file = onePositional(positionals, 'FILE');
  const name = textOption(values, 'org');
  const isForEveryone = values['everyone'] === true;
  if ((name !== undefined) === isForEveryone) {
    throw new UsageError(
      'Give either --org NAME or --everyone, for whose answers the rule changes.',
    );
  }
  const given = ruleIn(await readFile(file, 'utf8'), file);
  const rule = await withStore(await configWithData(input), async (store, nowMs) => {
    const organizationId = name === undefined ? null : await organizationOf(store, name);
    const id = madeId('rul', JSON.stringify([organizationId, given]));
    if (organizationId !== null) await markOwnFacts(store.sql, organizationId);
    await insertRule(store.sql, {
      id,
      organizationId,
      author: given.author,
      host: given.host,
      field: RULE_FIELDS[given.field],
      choice: JSON.stringify(given.choice),
      snapshot: JSON.stringify(given.snapshot),
      createdAtMs: nowMs,
    });
    return { id, host: given.host, field: given.field };
  });
  return answer(input, rule, [`imported ${rule.id} for ${rule.host}`]);
}

/** What the choices of each field say. */
const SAYS = { price: /^\d{1,15} [A-Z]{0,3}$/, in_stock: /^(?:true|false)$/, gtin: /^[\w-]{11}$/ };

function ruleIn(text: string, file: string): RuleFile {
  try {
    const given = RuleFile.parse(JSON.parse(text));
    const { host, field, choice } = given;
    const isHost = hostOfRules(`https://${host}/`) === host;
    if (isHost && SAYS[field].test(choice.says)) return given;
    throw new Error('no page has such a host, or no text says what was chosen');
  } catch (error) {
    throw new Error(`${file} is not a rule that "openshelf rules export" printed.`, {
      cause: error,
    });
  }
}

async function organizationOf({ accounts }: Store, name: string): Promise<string> {
  const organization = await accounts.findOrganization(name);
  if (organization === null) throw noOrganization(name);
  return organization.id;
}

async function withRule<T>(
  input: CommandInput,
  id: string,
  work: (found: { readonly rule: StoredRule & NewRule; readonly store: Store }) => Promise<T>,
): Promise<T> {
  return await withStore(await configWithData(input), async (store) => {
    const rule = await findRule(store.sql, id);
    if (rule === null) throw new Error(`There is no rule "${id}".`);
    return await work({ rule, store });
  });
}
