// openshelf mcp: the agents' tools over standard input and output (docs/use/agents.md). Standard output is reserved for the
// protocol.

import { createBudget } from '../../../answer/agents/budget.ts';
import { findAt } from '../../../answer/agents/find-over-http.ts';
import type { Shelf } from '../../../answer/agents/shelf.ts';
import { shelfOverHttp, type Send } from '../../../answer/agents/shelf-over-http.ts';
import { openApp } from '../../app.ts';
import { versionText } from '../../package-files.ts';
import { callService, unreachable } from '../../runs/call-service.ts';
import { DONE, untilStopped, UsageError, type Command, type CommandInput } from '../command.ts';
import { onlyOwnerIn, ownerOf } from '../accounts/as-organization.ts';
import { DATA_OPTION, noPositionals, numberOption, textOption } from '../options.ts';
import { serviceThere, WHO_IS_ASKED } from './service-there.ts';
import { settingsHere } from './settings-here.ts';
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
    budget: {
      value: 'N',
      help: 'the number of tokens that the conversation may spend (default: no limit)',
    },
    org: {
      value: 'NAME',
      help: 'the organization that owns the watches in the local data (default: the only one)',
    },
    ...WHO_IS_ASKED,
    data: DATA_OPTION,
  },
  notes: [
    'An agent starts this command: docs/use/agents.md shows its configuration. It exits when its input ends.',
    'Calls are metered only with --url. A budget always counts them at the prices of the service.',
  ],
  run: async (input) => {
    noPositionals(input.positionals);
    const limit = numberOption(input.values, 'budget', { min: 0, max: MOST_TOKENS }) ?? null;
    await using opened = new AsyncDisposableStack();
    const shelf = await openShelf(input, opened);
    // Loaded here, so that only a program that serves agents loads the protocol.
    const { serveOnStdio } = await import('../../../answer/agents/mcp-stdio.ts');
    const parts = { shelf, budget: createBudget(limit), version: versionText() };
    const served = serveOnStdio(parts, input.io.err);
    await Promise.race([served.ended, untilStopped(input.io.stop)]);
    await served.close();
    return DONE;
  },
};

async function openShelf(input: CommandInput, opened: AsyncDisposableStack): Promise<Shelf> {
  const { values, io } = input;
  const lone = ['sandbox', 'org', 'data'].find((name) => values[name] !== undefined);
  if (values['url'] !== undefined && lone !== undefined) {
    throw new UsageError(`--${lone} applies to the local data; --url uses another service.`);
  }
  const service = serviceThere(input);
  if (service === null) return await openHere(input, opened);
  const send: Send = async (call) => {
    const response = await callService(service, call, io.stop).catch((error: unknown) => {
      throw unreachable(service, error);
    });
    const { status, headers } = response;
    return { status, retryAfter: headers.get('retry-after'), text: await response.text() };
  };
  return shelfOverHttp(send, findAt(send));
}

async function openHere(input: CommandInput, opened: AsyncDisposableStack): Promise<Shelf> {
  const { values, io } = input;
  const app = opened.use(await openApp(await settingsHere(input, opened)));
  await app.work();
  const organization = textOption(values, 'org');
  if (organization === undefined) {
    return shelfHere({ app, stop: io.stop, owner: () => onlyOwnerIn(app) });
  }
  const owner = await ownerOf(app, organization);
  return shelfHere({ app, stop: io.stop, owner: () => Promise.resolve(owner) });
}
