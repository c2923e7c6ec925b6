// openshelf mcp: the tools of agents over standard input and output (docs/agents.md). Standard output belongs to the protocol.

import { createBudget } from '../../agents/budget.ts';
import { findAt } from '../../agents/find-over-http.ts';
import type { Shelf } from '../../agents/shelf.ts';
import { shelfOverHttp, type Send } from '../../agents/shelf-over-http.ts';
import { openApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import { versionText } from '../../package-files.ts';
import { messageOf } from '../../core/fault.ts';
import { DONE, untilStopped, UsageError, type Command, type CommandInput } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { ownerOf } from '../accounts/as-organization.ts';
import { DATA_OPTION, noPositionals, numberOption, textOption } from '../options.ts';
import {
  MARKET_OPTIONS,
  marketOptions,
  openSandbox,
  withSandbox,
  withSandboxSearch,
} from '../sandbox-config.ts';
import { shelfHere } from './shelf-here.ts';

const MOST_TOKENS = 1_000_000_000;

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve agents over standard input and output (Model Context Protocol)',
  synopsis: [
    '[--budget N] [--org NAME] [--data DIR]',
    '--url URL [--budget N]',
    '--sandbox [--seed N] [--products N] [--budget N] [--data DIR]',
  ],
  options: {
    budget: { value: 'N', help: 'tokens that the conversation may spend (default: no limit)' },
    org: { value: 'NAME', help: 'the organization whose watches are made in the data here' },
    url: {
      value: 'URL',
      help: 'ask this service, with the key in OPENSHELF_API_KEY, instead of the data here',
    },
    sandbox: { help: 'ask the simulated market, with data of its own' },
    seed: { value: 'N', help: `with --sandbox: ${MARKET_OPTIONS.seed.help}` },
    products: { value: 'N', help: `with --sandbox: ${MARKET_OPTIONS.products.help}` },
    data: DATA_OPTION,
  },
  notes: [
    'An agent starts it; docs/agents.md has the lines for its settings. It ends when its input ends.',
    'Not metered, but with --url. A budget counts calls at the prices of the service all the same.',
  ],
  run: async (input) => {
    noPositionals(input.positionals);
    const limit = numberOption(input.values, 'budget', { min: 0, max: MOST_TOKENS }) ?? null;
    await using opened = new AsyncDisposableStack();
    const shelf = await openShelf(input, opened);
    // Only who serves agents loads the protocol.
    const { serveOnStdio } = await import('../../agents/mcp-stdio.ts');
    const parts = { shelf, budget: createBudget(limit), version: versionText() };
    const served = serveOnStdio(parts, input.io.err);
    await Promise.race([served.ended, untilStopped(input.io.stop)]);
    await served.close();
    return DONE;
  },
};

async function openShelf(input: CommandInput, opened: AsyncDisposableStack): Promise<Shelf> {
  const { values, io } = input;
  const url = textOption(values, 'url');
  if (url === undefined) return await openHere(input, opened);
  const lone = ['sandbox', 'org', 'data'].find((name) => values[name] !== undefined);
  if (lone !== undefined) {
    throw new UsageError(`--${lone} is about the data here; --url asks another service.`);
  }
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new UsageError(
      `--url takes the address of a service, such as https://shelf.example.com, not "${url}".`,
    );
  }
  const { apiKey } = configOf({ values: {}, io });
  if (apiKey === '') {
    throw new UsageError('--url needs an API key of that service in OPENSHELF_API_KEY.');
  }
  const base = `${address.origin}${address.pathname.replace(/\/+$/, '')}`;
  const send: Send = async ({ method, path, body, headers }) => {
    try {
      return await fetch(`${base}${path}`, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: {
          Authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        redirect: 'error',
        signal: io.stop,
      });
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const why = messageOf(cause);
      throw new Error(`${base} cannot be reached: ${why}`, { cause: error });
    }
  };
  return shelfOverHttp(send, findAt(send));
}

async function openHere(
  { values, io }: CommandInput,
  opened: AsyncDisposableStack,
): Promise<Shelf> {
  const isSandbox = values['sandbox'] === true;
  const lone = ['seed', 'products'].find((name) => values[name] !== undefined);
  if (lone !== undefined && !isSandbox) {
    throw new UsageError(`--${lone} describes the simulated market. Give --sandbox too.`);
  }
  const sandbox = isSandbox
    ? opened.adopt(await openSandbox(marketOptions(values)), (each) => each.close())
    : null;
  const settings = configOf({ values, io });
  const isOwn = isSandbox && textOption(values, 'data') === undefined;
  // What the simulated market says is never among the data of the installation.
  const own: Config = isOwn
    ? { ...settings, dataDir: `${settings.dataDir}/demo`, databaseUrl: null, readUrl: null }
    : settings;
  const config = withSandboxSearch(withSandbox(own, sandbox), sandbox);
  const app = opened.use(await openApp(config));
  await app.work();
  const organization = textOption(values, 'org');
  const owner = organization === undefined ? null : await ownerOf(app, organization);
  return shelfHere({ app, stop: io.stop, owner });
}
