// openshelf takedown HOST: deletes everything stored of a shop, and refuses it from then on (D52).

import { withStore } from '../../wiring/open-store.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { retailersAt } from '../../../answer/collect/coordination/taken-down-hosts.ts';
import type { Config } from '../../config.ts';
import { isSharedSuffix } from '../../../read/retailers/addresses/shop-slug.ts';
import {
  addToTakedownFile,
  presentedTakedowns,
  takedownFileIn,
} from '../../../data/maintenance/takedown-file.ts';
import {
  takeDown,
  type Removed,
  type TakedownTarget,
} from '../../../data/maintenance/take-down.ts';
import type { Store } from '../../../data/store.ts';
import {
  findTakedowns,
  hostOfAddress,
  isAtOrBelow,
  isTakedownInForce,
  setCleared,
  upsertTakedown,
  type Takedown,
} from '../../../data/takedowns.ts';
import { messageOf } from '../../../base/fault.ts';
import { answer, onlyOptionsOf, UsageError, type Command, type CommandInput } from '../command.ts';
import { configWithData } from '../data-folder.ts';
import { DATA_AND_JSON, noPositionals, onePositional, textOption } from '../options.ts';

/**
 * How long to wait until every process refuses the host (half a second), and until everything read before is written. What
 * arrived meanwhile is then deleted too.
 */
const SETTLE_MS = 3_000;

export const takedown: Command = {
  name: 'takedown',
  summary: "delete a shop's data and refuse the shop from now on",
  synopsis: [
    'HOST [--dry-run] [--retailer] [--data DIR] [--json]',
    '--undo HOST [--data DIR] [--json]',
    '--list [--data DIR] [--json]',
  ],
  positionals: {
    HOST: 'the host of the shop, such as shop.example.com; covers all hosts below it',
  },
  options: {
    'dry-run': { help: 'only count what would be deleted' },
    retailer: {
      help: 'confirm that the host is one of the seven retailers and that all of it is to be deleted',
    },
    undo: {
      value: 'HOST',
      help: 'allow requests to the host again; what was deleted stays deleted',
    },
    list: { help: 'list the hosts that are or were taken down' },
    ...DATA_AND_JSON,
  },
  notes: [
    'Deletes listings, observations, offers, reviews, sellers, jobs, stored failures and stored answers of the host.',
    'Works while a service runs: all its processes refuse the host within a second. A call with one of its addresses',
    'gets 400 url_not_allowed. The list is stored in the database, in takedowns.json in the data folder, and next to',
    'every backup; openshelf restore applies it again.',
  ],
  run: async (input) => {
    const { values, positionals } = input;
    const undone = textOption(values, 'undo');
    if (values['list'] === true) {
      noPositionals(positionals);
      onlyOptionsOf(takedown, '--list', values);
      return await list(input);
    }
    if (undone !== undefined) {
      noPositionals(positionals);
      onlyOptionsOf(takedown, '--undo', values);
      return await undo(input, hostArgument(undone));
    }
    return await remove(input, newHostArgument(onePositional(positionals, 'HOST')));
  },
};

/** Throws a UsageError for a text that is not the name of one shop's host. */
function hostArgument(text: string): string {
  const host = /^[^/?#@\s]+$/.test(text) ? hostOfAddress(`http://${text}`) : null;
  const isHostAlone = host !== null && URL.parse(`http://${text}`)?.port === '';
  if (host === null || host === '' || !isHostAlone || /:\d+$/.test(text)) {
    const named = URL.parse(text)?.hostname ?? '';
    const alone = named === '' ? 'shop.example.com' : named;
    throw new UsageError(`"${text}" is not a host. Give only its name: ${alone}.`);
  }
  if (isSharedSuffix(host)) {
    throw new UsageError(
      `${host} is not one shop: anyone can register a name below it. Specify the host of the shop.`,
    );
  }
  return host;
}

/** Host names that can occur in a page's address. */
const NAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/;

/** As `hostArgument`, for a host to be refused. A pattern is not accepted, because it would match no host. */
function newHostArgument(text: string): string {
  const host = hostArgument(text);
  if (NAME.test(host)) return host;
  const name = host.replace(/^[^a-z0-9]+/, '');
  const alone = NAME.test(name) ? name : 'shop.example.com';
  throw new UsageError(
    `"${text}" is not a host. Give only its name: ${alone}; it covers all hosts below it.`,
  );
}

async function list(input: CommandInput): Promise<number> {
  const entries = await withStore(await configWithData(input), ({ sql }) => findTakedowns(sql));
  const shown = presentedTakedowns(entries);
  const lines = shown.map(
    ({ host, taken_down_at: taken, undone_at: undone }) =>
      `${host}  taken down ${taken}${undone === null ? '' : `, undone ${undone}`}`,
  );
  return answer(input, shown, lines.length === 0 ? ['No host is taken down.'] : lines);
}

async function undo(input: CommandInput, host: string): Promise<number> {
  const config = await configWithData(input);
  const above = await withStore(config, async ({ sql }, nowMs) => {
    const entries = await findTakedowns(sql);
    const known = entries.find((entry) => entry.host === host && isTakedownInForce(entry));
    if (known === undefined) {
      const cover = entries.find(
        (entry) => isTakedownInForce(entry) && isAtOrBelow(host, entry.host),
      );
      const hint = cover === undefined ? '' : ` It is refused because ${cover.host} is taken down.`;
      throw new Error(`${host} is not taken down.${hint}`);
    }
    const undone = { ...known, undoneAtMs: Math.max(nowMs, known.takenDownAtMs + 1) };
    keepList(input, config, [undone]);
    await sql.write([upsertTakedown(undone)]);
    return entries.find(
      (entry) => entry.host !== host && isTakedownInForce(entry) && isAtOrBelow(host, entry.host),
    );
  });
  if (above !== undefined) {
    input.io.err(`It is still refused, because ${above.host} is taken down, too.`);
  }
  const line = `Requests to ${host} are allowed again. What was deleted stays deleted.`;
  return answer(input, { host, undone: true }, [line]);
}

async function remove(input: CommandInput, host: string): Promise<number> {
  const { values } = input;
  const isDryRun = values['dry-run'] === true;
  const retailers = retailersAt(host);
  if (retailers.length > 0 && !isDryRun && values['retailer'] !== true) {
    throw new UsageError(
      `${host} is ${retailers.join(', ')}: all listings and prices of that retailer would be deleted, and no ` +
        'more requests would be sent to it. Check with --dry-run first; add --retailer if this is intended.',
    );
  }
  const config = await configWithData(input);
  const target = { host, retailers };
  const removed = await withStore(config, (store, nowMs) =>
    isDryRun
      ? takeDown(store.sql, target, true)
      : removeFrom(store, (entries) => keepList(input, config, entries), target, nowMs),
  );
  const last = isDryRun ? 'Nothing was deleted (--dry-run).' : `${host} is refused from now on.`;
  return answer(input, { host, dry_run: isDryRun, removed }, [...linesOf(removed), last]);
}

async function removeFrom(
  { sql }: Store,
  keep: (entries: readonly Takedown[]) => void,
  target: TakedownTarget,
  nowMs: number,
): Promise<Removed> {
  const stored = await findTakedowns(sql);
  const known = stored.find((entry) => entry.host === target.host);
  const entry: Takedown =
    known !== undefined && isTakedownInForce(known)
      ? known
      : {
          host: target.host,
          takenDownAtMs: Math.max(nowMs, (known?.undoneAtMs ?? 0) + 1),
          undoneAtMs: null,
        };
  // The file is written first: if this process dies, now or before completion, the service takes the host down at its next
  // start.
  keep([...stored, entry]);
  await sql.write([upsertTakedown(entry), setCleared(entry.host, false)]);
  const first = await takeDown(sql, target, false);
  await systemClock.sleep(SETTLE_MS);
  const second = await takeDown(sql, target, false);
  await sql.write([setCleared(entry.host, true)]);
  return sumOf(first, second);
}

/** Adds to the file. On PostgreSQL it is only a second copy, and this machine may have no folder for it. */
function keepList({ io }: CommandInput, config: Config, entries: readonly Takedown[]): void {
  const path = takedownFileIn(config.dataDir);
  try {
    addToTakedownFile(path, entries);
  } catch (error) {
    if (config.databaseUrl === null) throw error;
    const reason = messageOf(error);
    io.err(`The list could not be written to ${path} as well: ${reason}`);
  }
}

function sumOf(first: Removed, second: Removed): Removed {
  const entries = Object.entries(first).map(([name, rows]) => [
    name,
    rows + second[name as keyof Removed],
  ]);
  return Object.fromEntries(entries) as Removed;
}

function linesOf(removed: Removed): readonly string[] {
  return Object.entries(removed).map(([name, rows]) => `${name.replace('_', ' ')}: ${rows}`);
}
