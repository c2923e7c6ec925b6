// openshelf demo: the whole service against simulated shops, one real lookup over HTTP, and the command to repeat it. Its
// data is separate from the installation's data.

import { openApp, type App } from '../../app.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { readConfig, type Config } from '../../config.ts';
import { issueKey } from '../../../data/metering/keys.ts';
import { moneyText } from '../../../base/money-text.ts';
import type { Problem } from '../../../answer/wire/problem.ts';
import type { ProductRecord } from '../../../answer/wire/record/product-record.ts';
import { renderCard } from '../products/card.ts';
import { demoPriceCents, insertDemoPast } from './demo-past.ts';
import { makeDemoWatch } from './demo-watch.ts';
import { startReceiver } from '../../../../sandbox/receiver.ts';
import type { SandboxDescription } from '../../../../sandbox/server.ts';
import { openConsole } from '../service/console.ts';
import { DONE, untilStopped, type Command } from '../command.ts';
import { demoFolder } from '../data-folder.ts';
import { isTaken, startListening } from '../service/listening.ts';
import { numberOption, settingDefault, textOption } from '../options.ts';
import { openSandbox, withSandbox, withSandboxSearch } from '../sandbox-config.ts';

const DRAIN_MS = 5_000;

const KEY_REQUEST = { organization: 'demo', note: 'made by openshelf demo' };

export const demo: Command = {
  name: 'demo',
  summary: 'run the service on simulated shops and look up one product',
  synopsis: ['[--port N] [--data DIR]'],
  options: {
    port: {
      value: 'N',
      help: `the port to listen on (${settingDefault('port')}); if it is taken, a free one is used`,
    },
    data: {
      value: 'DIR',
      help: 'the data folder (default: the folder demo inside the data folder of the service)',
    },
  },
  notes: ['Runs until it is stopped (Ctrl-C).'],
  run: async ({ values, io }) => {
    const port = numberOption(values, 'port', { min: 0, max: 65_535 });
    const settings = readConfig(io.env, port === undefined ? {} : { port });
    const dataDir = textOption(values, 'data') ?? demoFolder(settings.dataDir);
    await using sandbox = await openSandbox();
    await using receiver = await startReceiver(({ title, text }) => {
      io.out(`Notice at ${new Date(systemClock.now()).toISOString()}: ${title}. ${text}`);
    });
    const config = withSandboxSearch(
      // The terminal is for the person trying the demo, so the log is not shown there.
      withSandbox(
        {
          ...settings,
          dataDir,
          databaseUrl: null,
          requestLog: false,
          notifyAllow: new Set([...settings.notifyAllow, receiver.place]),
        },
        sandbox,
      ),
      sandbox,
    );
    await using app = await openApp(config, { logTo: io.err });
    const { url } = await listenSomewhere(app, config);
    const key = await issueKey(app.store.accounts, KEY_REQUEST, systemClock.now());
    const { accounts } = app.store;
    // The person trying the demo is also its operator.
    const who = { org: KEY_REQUEST.organization, isAdmin: true };
    const { address: page } = await openConsole(app.store, url, who, systemClock.now());
    const { url: pages, upc } = sandbox.describe();
    const market = sandbox.market();
    const past = await insertDemoPast(app.store.sql, market, upc, systemClock.now());
    io.out(`openshelf ${app.version} answers at ${url}, with simulated shops on this machine.`);
    io.out('');
    const address = `${url}/v1/products/${encodeURIComponent(pages.json_ld)}`;
    io.out(`Looking up ${pages.json_ld}`);
    const record = await askOverHttp(address, key.text);
    renderCard(record, record).forEach((line) => io.out(line));
    const organization = await accounts.findOrganization(KEY_REQUEST.organization);
    const [shown] = past;
    const cents = shown === undefined ? null : demoPriceCents(market, shown, systemClock.now());
    let watched: string | null = null;
    if (organization !== null && cents !== null) {
      const owner = { organizationId: organization.id, keyId: key.id };
      const line = await makeDemoWatch(await app.watching(), owner, receiver, {
        barcode: upc,
        cents,
      });
      watched =
        `${upc} is watched for a price below ${moneyText(line, 'USD')}: a notice is printed here within a minute, as a ` +
        'webhook receiver gets it.';
    }
    describeNext({ url, page, key: key.text, pages, upc, past, watched }, io.out);
    await untilStopped(io.stop);
    await app.stop(DRAIN_MS);
    return DONE;
  },
};

type Out = (line: string) => void;

/** Returns terminal lines with the next steps. The first step is last, where the eye is. */
function describeNext(
  {
    url,
    page,
    key,
    pages,
    upc,
    past,
    watched,
  }: Pick<SandboxDescription, 'upc'> & {
    readonly url: string;
    readonly page: string;
    readonly key: string;
    readonly pages: SandboxDescription['url'];
    readonly past: readonly string[];
    readonly watched: string | null;
  },
  out: Out,
): void {
  out('');
  out('Try it from a second terminal: the same page, and a barcode at all seven retailers');
  out(`  KEY=${key}`);
  for (const asked of [
    encodeURIComponent(pages.json_ld),
    `${upc}?include_cross_retailer=true&identifier_match=any`,
  ])
    out(`  curl -H "Authorization: Bearer $KEY" '${url}/v1/products/${asked}'`);
  out('');
  out('Other pages to try:');
  for (const each of [pages.hosted, pages.open_graph]) out(`  ${each}`);
  out('Barcodes with prices of the last 120 days, for charts:');
  const barcodes = past.map((each) => each.replace(/^0+/, ''));
  for (let at = 0; at < barcodes.length; at += 5) out(`  ${barcodes.slice(at, at + 5).join(' ')}`);
  if (watched !== null) out(watched);
  out('');
  out(`Reference of every route and field: ${url}/docs`);
  out('See it in a browser (this address signs in once, within an hour):');
  out(`  ${page}`);
  out('');
  out('The service runs until you press Ctrl-C.');
}

/** Listens on the usual port, or on a free one if another program has it: a demo must not fail because of that. */
async function listenSomewhere(app: App, config: Config): Promise<{ readonly url: string }> {
  try {
    return await startListening(app, config);
  } catch (error) {
    if (!isTaken(error)) throw error;
    return startListening(app, config, 0);
  }
}

async function askOverHttp(address: string, key: string): Promise<ProductRecord> {
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
  const body = (await response.json()) as ProductRecord | Problem;
  if (response.ok && '_freshness' in body) return body;
  throw new Error(
    `The demo lookup failed: ${'detail' in body ? body.detail : `status ${response.status}`}`,
  );
}
