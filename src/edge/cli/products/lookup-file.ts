// openshelf lookup --file: looks up every product of a sheet, and writes the answers as a sheet (docs/use/sheets.md). It can
// end at any moment without losing answers, because the run's journal is next to the output.

import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

import { openApp } from '../../app.ts';
import type { Clock } from '../../../base/clock.ts';
import { lensOf, USUAL_CURRENCY } from '../../../base/listing/lens.ts';
import { COSTS_PER } from '../../../rules/product/cost-factor.ts';
import type { SellerCosts } from '../../../rules/product/profit.ts';
import { askService, tokensLeft, type ServiceParts } from '../../runs/ask-service.ts';
import { createAllowanceBook, msForCalls, type CallAllowance } from '../../runs/call-allowance.ts';
import { openJournal, openLastRun, type Journal } from '../../runs/journal.ts';
import {
  CALLS_A_PRODUCT,
  mostEarlyCalls,
  paceMs,
  planRun,
  SECOND_CALL_TOKENS,
  spanText,
  tokensOfRun,
  type RunPlan,
} from '../../runs/plan-run.ts';
import { withColumns } from '../../runs/choose-tab.ts';
import {
  nameAnother,
  readEntries,
  passedOverRemark,
  rowsAboveRemark,
} from '../../runs/read-entries.ts';
import { runEntries, type AskProduct } from '../../runs/run-entries.ts';
import { tableColumns } from '../../runs/result-table.ts';
import type { RunCounts } from '../../runs/result-rows.ts';
import { orderNamed } from '../../runs/sorted-rows.ts';
import { writeResult } from '../../runs/write-result.ts';
import type { SheetColumns } from '../../sheets/identifier-column.ts';
import { filePath } from '../../sheets/output-file.ts';
import { openSheet, type Sheet } from '../../sheets/sheet.ts';
import { tableFormatOf, TABLE_FORMATS, type TableFormat } from '../../sheets/table-format.ts';
import { lockFile } from '../../../data/file-lock.ts';
import { steadyClock } from '../../wiring/clocks.ts';
import { askHere } from './ask-here.ts';
import { configOf } from '../data-folder.ts';
import {
  counted,
  DONE,
  FAILED,
  printJson,
  STOPPED,
  UsageError,
  type CommandInput,
  type Values,
} from '../command.ts';
import {
  amountOption,
  currencyOption,
  numberOption,
  spanOption,
  requiredOption,
  textOption,
  wordOption,
} from '../options.ts';
import { previewLines } from './preview.ts';
import { createRunProgress } from './run-progress.ts';
import { marketOptions, needsSandbox } from '../sandbox-config.ts';
import { serviceThere } from './service-there.ts';
import { settingsHere } from './settings-here.ts';
import { sheetFile } from './sheet-file.ts';
import { watchHere, watchThere, type WatchProducts } from './watch-products.ts';

type Job = {
  readonly out: string;
  readonly format: TableFormat;
  readonly waitMs: number;
  readonly tokenLimit: number;
  readonly costs: Omit<SellerCosts, 'costCents'>;
};

const DEFAULT_WAIT_MS = 900_000;

function jobOf(values: Values): Job {
  const isPreview = values['preview'] === true;
  const out = isPreview
    ? (textOption(values, 'out') ?? 'preview.csv')
    : requiredOption(values, 'out');
  const format = tableFormatOf(out);
  if (format === null) {
    throw new UsageError(
      `--out ${out}: the ending determines the format. Use a file name that ends in .${TABLE_FORMATS.join(', .')}.`,
    );
  }
  if (values['sandbox'] === true && values['url'] !== undefined) {
    throw new UsageError(
      '--sandbox uses a simulated market in this process; --url another service. Use only one of them.',
    );
  }
  if (values['watch'] === true && values['url'] === undefined && values['org'] === undefined) {
    throw new UsageError('--watch needs --org NAME: a watch belongs to an organization.');
  }
  needsSandbox(values);
  return {
    out,
    format,
    waitMs: spanOption(values, 'wait') ?? DEFAULT_WAIT_MS,
    tokenLimit:
      numberOption(values, 'token-limit', { min: 0, max: 1_000_000_000 }) ??
      Number.POSITIVE_INFINITY,
    costs: {
      shippingCents: amountOption(values, 'shipping') ?? 0,
      prepCents: amountOption(values, 'prep') ?? 0,
      costPer: wordOption(values, 'cost-per', COSTS_PER) ?? 'code',
      roiBasisPoints: amountOption(values, 'roi'),
    },
  };
}

/** The source of answers: it is asked, and states what a product costs there and how requests are paced. */
type Answerer = AsyncDisposable & {
  /** Part of the run's name, because another source gives different answers. */
  readonly place: string;
  readonly ask: AskProduct;
  /** Null if nothing is charged. */
  readonly tokensLeft: (() => Promise<number | null>) | null;
  /** Milliseconds between two requests to one retailer; 0 if they are not paced. */
  readonly intervalMs: number;
  /** Maximum calls admitted; null if unlimited. */
  readonly allowance: () => CallAllowance | null;
  readonly watch: WatchProducts | null;
};

/** Looks up the products of a sheet and returns the exit code. */
export async function lookUpFile(input: CommandInput): Promise<number> {
  const job = jobOf(input.values);
  const service = serviceOf(input);
  const { values, io } = input;
  const named = requiredOption(values, 'file');
  if (filePath(job.out) === placeOf(named)) {
    throw new UsageError(
      '--out is the sheet that is read. Choose another file: the sheet would be overwritten.',
    );
  }
  using _alone = lockFile(journalOf(job));
  await using file = await sheetFile(named, job.out, io.stop);
  const opened = await openSheet(file, textOption(values, 'sheet') ?? null);
  const { sheet, columns } = await withColumns(
    opened,
    {
      identifier: textOption(values, 'column') ?? null,
      cost: textOption(values, 'cost-column') ?? null,
    },
    costCurrencyOf(input, service),
  );
  if (values['preview'] === true) {
    for (const line of await previewLines(sheet, columns, job.costs.costPer)) io.out(line);
    return DONE;
  }
  requireColumn(values, columns);
  await using answerer = service === null ? await openHere(input) : answererThere(service, values);
  const isEstimate = values['estimate'] === true;
  const journal = isEstimate
    ? null
    : openJournal(journalOf(job), {
        digest: sheet.digest,
        // A run without a currency has the name that it had before there were any.
        options: [answerer.place, columns.identifier, columns.isBarcodes, ...moneyOf(values)].join(
          ' ',
        ),
      });
  try {
    const plan = await planRun(readEntries(sheet, columns), journal);
    await announce(input, { file: basename(named), sheet, columns, plan, answerer, journal });
    if (journal === null) {
      if (values['json'] === true) printJson(io, estimateBody(plan, answerer));
      return DONE;
    }
    return await complete(input, { job, sheet, columns, plan, answerer, journal });
  } finally {
    journal?.close();
  }
}

/**
 * Returns the sheet's path, as `filePath` gives it. Null if it is piped in, or does not exist, which is reported when it is
 * opened.
 */
function placeOf(named: string): string | null {
  return named === '-' || !existsSync(named) ? null : realpathSync(named);
}

/** Returns the currency of costs, which is the currency of the answers as far as it is known before they arrive. */
function costCurrencyOf(input: CommandInput, service: ServiceParts | null): string {
  const usual = service === null ? configOf(input).currency : USUAL_CURRENCY;
  return lensOf(currencyOption(input.values), usual).currency;
}

/** The currency of a run, if one was requested: another gives other answers. */
function moneyOf(values: Values): readonly string[] {
  const currency = currencyOption(values);
  return currency === undefined ? [] : [currency];
}

const journalOf = ({ out }: Job): string => `${out}.progress`;

type Run = {
  readonly sheet: Sheet;
  readonly columns: SheetColumns;
  readonly plan: RunPlan;
  readonly answerer: Answerer;
};

async function complete(
  input: CommandInput,
  {
    job,
    sheet,
    columns,
    plan,
    answerer,
    journal,
  }: Run & { readonly job: Job; readonly journal: Journal },
): Promise<number> {
  const { values, io } = input;
  const progress = createRunProgress(
    { io, clock: steadyClock, allowance: answerer.allowance },
    plan.wanted,
  );
  let isWhole: boolean;
  try {
    isWhole = await runEntries(readEntries(sheet, columns), {
      ask: answerer.ask,
      journal,
      clock: steadyClock,
      stop: io.stop,
      waitMs: job.waitMs,
      tokenLimit: job.tokenLimit,
      earlyCalls: answerer.tokensLeft === null ? Number.POSITIVE_INFINITY : mostEarlyCalls(plan),
      products: plan.wanted,
      onState: progress.at,
    });
  } finally {
    progress.end();
  }
  if (!isWhole) {
    io.err(STOPPED);
    if (values['json'] === true) printJson(io, { complete: false, tokens: journal.tokens() });
    return FAILED;
  }
  const lastPath = values['changes'] === true ? `${filePath(job.out)}.last` : undefined;
  using last = lastPath === undefined ? null : openLastRun(lastPath);
  const counts = await writeResult(job.out, job.format, {
    entries: () => readEntries(sheet, columns),
    journal,
    columns,
    costs: job.costs,
    hasProfits: values['profits'] === true,
    last: lastPath === undefined ? null : (last ?? 'none'),
    sort: textOption(values, 'sort'),
  });
  const watches =
    answerer.watch === null
      ? null
      : await watchFound(input, { watch: answerer.watch, sheet, columns, journal });
  const tokens = journal.tokens();
  journal.forget(lastPath);
  if (values['json'] === true) {
    printJson(io, { complete: true, file: job.out, rows: plan.rows, ...counts, tokens, watches });
  } else summary(io.out, { out: job.out, plan, counts, tokens, watches });
  if (counts.skipped > 0) io.err(LIMIT_REACHED(counts.skipped));
  if (counts.found === 0) suggestColumn(io, columns);
  return DONE;
}

/** Refuses an unknown column to sort by before anything is spent. */
function requireColumn(values: Values, { names }: SheetColumns): void {
  const sort = textOption(values, 'sort');
  const options = {
    hasCurrency: currencyOption(values) !== undefined,
    hasProfits: values['profits'] === true,
    hasChanges: values['changes'] === true,
  };
  if (sort !== undefined) orderNamed(sort, tableColumns(names, options));
}

const LIMIT_REACHED = (rows: number): string =>
  `The token limit was reached: ${counted(rows, 'row')} ${rows === 1 ? 'was' : 'were'} skipped.`;

/** Nothing was found: another column of codes may be the right one. */
function suggestColumn(
  io: CommandInput['io'],
  { names, identifier, otherCodes: [other] }: SheetColumns,
): void {
  if (other === undefined) return;
  io.err(`No product was found by "${names[identifier]}". Try --column "${other}".`);
}

/** Watches the found products. Returns the number of products now watched. */
async function watchFound(
  { io }: CommandInput,
  { watch, sheet, columns, journal }: WatchRun,
): Promise<number> {
  const { watched, refused, first } = await watch(readEntries(sheet, columns), journal);
  if (first !== null) io.err(`${refused} products cannot be watched. The first: ${first}`);
  return watched;
}

type WatchRun = Pick<Run, 'sheet' | 'columns'> & {
  readonly watch: WatchProducts;
  readonly journal: Journal;
};

type Outcome = {
  readonly out: string;
  readonly plan: RunPlan;
  readonly counts: RunCounts;
  readonly tokens: number;
  readonly watches: number | null;
};

function summary(
  out: (line: string) => void,
  { out: file, plan, counts, tokens, watches }: Outcome,
) {
  const { found, not_found: missing, error, invalid, unread } = counts;
  out(
    `${file}: ${counted(plan.rows, 'row')}: ${found} found, ${missing} not found, ${error} without an answer, ` +
      `${counted(invalid, 'names', 'name')} no product, ` +
      `${unread} unread. ${tokens === 0 ? 'Nothing was charged' : `${tokens} tokens`}.`,
  );
  if (watches !== null)
    out(`${counted(watches, 'product')} ${watches === 1 ? 'is' : 'are'} watched.`);
}

type Announced = Run & { readonly file: string; readonly journal: Journal | null };

/** Prints the cost and the duration before anything is asked. */
async function announce(
  { io }: CommandInput,
  { file, sheet, columns, plan, answerer, journal }: Announced,
): Promise<void> {
  const name = columns.names[columns.identifier] ?? '';
  const column = /^column \d+$/.test(name) ? name : `column "${name}"`;
  const cost = columns.cost === null ? '' : `, "${columns.names[columns.cost.at]}" the costs`;
  io.err(`${file}: ${counted(plan.rows, 'row')}; ${column} has the products${cost}.`);
  if (sheet.which !== null) io.err(nameAnother(sheet.which));
  sheet.remarks.forEach((each) => io.err(each));
  const above = rowsAboveRemark(columns);
  if (above !== null) io.err(above);
  const passedOver = passedOverRemark(columns);
  if (passedOver !== null) io.err(`${passedOver} Choose another column with --column.`);
  columns.costRemarks.forEach((each) => io.err(each));
  const aside = [
    ...(plan.repeated > 0 ? [`${counted(plan.repeated, 'row')} with a repeated product`] : []),
    ...(plan.repaired > 0 ? [`${counted(plan.repaired, 'code')} repaired`] : []),
    ...(plan.invalid > 0 ? [`${counted(plan.invalid, 'row')} without a product`] : []),
    ...(plan.unread > 0 ? [`${counted(plan.unread, 'row')} unreadable`] : []),
  ];
  io.err(
    `${counted(plan.wanted, 'product')}${aside.length === 0 ? '' : ` (${aside.join(', ')})`}.`,
  );
  if (plan.withoutCost > 0) {
    const more = plan.withoutCost > plan.costProblems.length ? '; …' : '';
    io.err(
      `${counted(plan.withoutCost, 'row')} without a cost: ${plan.costProblems.join('; ')}${more}.`,
    );
  }
  if (journal?.isContinued === true) {
    const are = plan.answered === 1 ? 'is' : 'are';
    io.err(`Continues an earlier run: ${counted(plan.answered, 'product')} ${are} answered.`);
  }
  for (const line of await costLines(plan, answerer)) io.err(line);
  io.err(timeLine(plan, answerer));
}

async function costLines(
  plan: RunPlan,
  { tokensLeft: left }: Answerer,
): Promise<readonly string[]> {
  if (left === null) return ['Cost: nothing is charged.'];
  const tokens = tokensOfRun(plan);
  const each = plan.wanted === 0 ? 0 : tokens / plan.wanted;
  const rest = await left();
  return [
    `Cost: ${tokens} tokens, ${each} for each product that is found, and at most ` +
      `${mostEarlyCalls(plan) * SECOND_CALL_TOKENS} more while waiting for retailers. Products that are not ` +
      'found cost nothing.',
    ...(rest === null ? [] : [`The key has ${rest} tokens left this month.`]),
    ...(rest !== null && rest < tokens
      ? ['They are not enough: the run will stop, and the same command continues it next month.']
      : []),
  ];
}

function timeLine(plan: RunPlan, { intervalMs, tokensLeft: left, allowance }: Answerer): string {
  const ms = paceMs(plan, intervalMs);
  const allowed = allowance();
  const letInMs = msForCalls((plan.wanted - plan.answered) * CALLS_A_PRODUCT, allowed);
  if (allowed !== null && letInMs > ms) {
    const aMinute = Math.round(allowed.perSecond * 60);
    return `Time: at least ${spanText(letInMs)}, because the key may make ${aMinute} calls per minute.`;
  }
  if (ms === 0) return 'Time: estimated as soon as the first products are answered.';
  const whose = left === null ? '' : ', if the service runs at the usual pace';
  return `Time: about ${spanText(ms)} at one request every ${intervalMs} ms to each retailer${whose}.`;
}

function estimateBody(run: RunPlan, { tokensLeft: left, intervalMs, allowance }: Answerer) {
  const { costProblems: _named, ...plan } = run;
  const letInMs = msForCalls((plan.wanted - plan.answered) * CALLS_A_PRODUCT, allowance());
  const ms = Math.max(paceMs(plan, intervalMs), letInMs);
  return {
    ...plan,
    tokens: left === null ? 0 : tokensOfRun(run),
    seconds: ms === 0 ? null : Math.round(ms / 1_000),
  };
}

/** Returns the service named by --url; null if the local data is used. */
function serviceOf(input: CommandInput): ServiceParts | null {
  const service = serviceThere(input);
  if (service === null) return null;
  return {
    ...service,
    currency: currencyOption(input.values),
    clock: steadyClock,
    stop: input.io.stop,
    allowances: createAllowanceBook(),
  };
}

/** The default pace of a service. Only its operator knows the real one. */
const USUAL_INTERVAL_MS = 1_000;

function answererThere(service: ServiceParts, values: Values): Answerer {
  return {
    place: service.url,
    ask: askService(service),
    tokensLeft: () => tokensLeft(service),
    intervalMs: USUAL_INTERVAL_MS,
    allowance: service.allowances.last,
    watch: values['watch'] === true ? watchThere(service) : null,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function openHere(input: CommandInput): Promise<Answerer> {
  const { values, io } = input;
  const currency = currencyOption(values);
  await using opened = new AsyncDisposableStack();
  const config = await settingsHere(input, opened);
  const app = opened.use(await openApp(config));
  const watch =
    values['watch'] === true ? await watchHere(app, requiredOption(values, 'org'), currency) : null;
  await app.work();
  const stored = opened.move();
  const isSandbox = values['sandbox'] === true;
  return {
    place: isSandbox ? `sandbox ${JSON.stringify(marketOptions(values))}` : 'here',
    ask: askHere({ app, clock: steadyClock satisfies Clock, stop: io.stop, currency }),
    tokensLeft: null,
    intervalMs: isSandbox ? 0 : config.hostIntervalMs,
    allowance: () => null,
    watch,
    [Symbol.asyncDispose]: () => stored.disposeAsync(),
  };
}
