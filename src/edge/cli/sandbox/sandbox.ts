// openshelf sandbox: only the simulated market, on loopback, or a description of its content. The retailers' public origins
// are passed in, because only the address books know them.

import { KNOWN_SLUGS } from '../../../base/retailer.ts';
import { ADAPTERS } from '../../../read/retailers/adapters.ts';
import { settingOf } from '../../../read/retailers/credentials.ts';
import { newSignedCaller } from '../../../../sandbox/retailer-w/signature.ts';
import { SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../../../../sandbox/tokens.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../../sandbox/server.ts';
import { DONE, printJson, untilStopped, type Command, type Io } from '../command.ts';
import { numberOption } from '../options.ts';
import {
  MARKET_OPTIONS,
  marketOptions,
  SANDBOX_PRODUCTS,
  SANDBOX_SEED,
} from '../sandbox-config.ts';

type MarketSource = Pick<SandboxOptions, 'retailers' | 'search'>;

/** Returns the command for the retailers' public origins. `now` is in milliseconds since 1970. */
export function sandboxCommand(source: MarketSource, now: () => number): Command {
  return {
    name: 'sandbox',
    summary: 'run the simulated market alone, or describe it',
    synopsis: ['[--seed N] [--products N] [--port-base N] [--apis] [--describe] [--json]'],
    options: {
      ...MARKET_OPTIONS,
      'port-base': {
        value: 'N',
        help: 'the first of consecutive ports; 0 picks free ones (default 0)',
      },
      apis: {
        help: 'run only the official APIs, as for an installation with keys; the pages refuse',
      },
      describe: { help: 'print identifiers and addresses to try, and exit' },
      json: {
        help: 'print the result as one line of JSON: the last line with --describe, otherwise the first',
      },
    },
    notes: [
      'Without --describe it runs until it is stopped. A service with the printed OPENSHELF_ORIGINS fetches from this',
      'market. The true data of each product is at /__truth/products and /__truth/product?url=<address> of',
      'every port.',
      'With --apis it prints the lines of an .env file, with sample keys. GET /__failures of any port lists the ways in',
      'which each API can fail; POST /__failures/<api>/<failure> switches one on, POST /__failures/<api>/none off.',
    ],
    run: async ({ values, io, asCalled }) => {
      const { seed, products } = marketOptions(values);
      const isApisOnly = values['apis'] === true;
      const keys = isApisOnly ? sampleKeys() : null;
      await using sandbox = await startSandbox({
        ...source,
        now,
        seed: seed ?? SANDBOX_SEED,
        products: products ?? SANDBOX_PRODUCTS,
        // Low enough that a block of ports fits above it.
        portBase: numberOption(values, 'port-base', { min: 0, max: 65_000 }) ?? 0,
        isApisOnly,
        ...(keys === null ? {} : { signedCaller: keys.signedCaller }),
      });
      const wantsJson = values['json'] === true;
      if (values['describe'] === true) {
        const description = { ...sandbox.describe(), credentials: SANDBOX_CREDENTIALS };
        if (wantsJson) printJson(io, description);
        else describe(sandbox, io);
        return DONE;
      }
      const origins = originsText(sandbox);
      const settings = { OPENSHELF_ORIGINS: origins, ...keys?.settings };
      if (wantsJson) printJson(io, { origins: sandbox.origins, ...settings });
      else if (isApisOnly) for (const line of envFile(sandbox, settings)) io.out(asCalled(line));
      else announce(sandbox, origins, io);
      await untilStopped(io.stop);
      return DONE;
    },
  };
}

function originsText({ origins }: Sandbox): string {
  return Object.entries(origins)
    .map(([from, to]) => `${from}=${to}`)
    .join(',');
}

/** Returns credentials that the simulated APIs accept, with a new key for the one that needs signatures. */
function sampleKeys() {
  const { caller, privateKey } = newSignedCaller(
    SANDBOX_ACCESS.consumerId,
    SANDBOX_ACCESS.keyVersion,
  );
  return {
    signedCaller: caller,
    settings: {
      // The terms of the APIs apply, as they would to the real ones.
      OPENSHELF_TERMS: 'default',
      ...SANDBOX_CREDENTIALS,
      [settingOf('retailer_w', 'PRIVATE_KEY')]: privateKey,
    },
  };
}

/** Returns the lines of an .env file: the addresses, then the credentials of each official source. */
function envFile(sandbox: Sandbox, settings: Readonly<Record<string, string>>): readonly string[] {
  const { upc, asin, retailer_b_sku: sku } = sandbox.describe();
  const seen = new Set<string>();
  const sources = KNOWN_SLUGS.flatMap((slug) =>
    ADAPTERS[slug].sources
      .filter(({ isOfficial }) => isOfficial === true)
      .flatMap(({ name: source, needs }) => {
        const names = needs.map((name) => settingOf(slug, name)).filter((name) => !seen.has(name));
        for (const name of names) seen.add(name);
        const lines = names.map((name) => `${name}=${settings[name] ?? ''}`);
        return lines.length === 0 ? [] : [`# ${slug}.${source}`, ...lines];
      }),
  );
  return [
    '# Save these lines as .env in the folder where you run openshelf serve --data data/apis, without the keys that you',
    '# would not have. Remove the file afterwards.',
    `# To try: the barcode ${upc}, the ASIN ${asin}, the SKU ${sku}.`,
    ...['OPENSHELF_ORIGINS', 'OPENSHELF_TERMS'].map((name) => `${name}=${settings[name] ?? ''}`),
    ...sources,
  ];
}

function announce(sandbox: Sandbox, origins: string, io: Io): void {
  for (const [from, to] of Object.entries(sandbox.origins)) io.out(`${to}  ${from}`);
  io.out('');
  io.out(`OPENSHELF_ORIGINS=${origins}`);
}

/** Prints names and values in two columns, one group after another. */
function describe(sandbox: Sandbox, io: Io): void {
  const description = sandbox.describe();
  const row = (name: string, value: unknown): void =>
    io.out(`  ${name.padEnd(24)}${String(value)}`);
  io.out(`seed ${description.seed}, ${description.products} products, at ${description.at}`);
  io.out('identifiers');
  const { upc, ean, isbn, gtin, item_id, asin, retailer_b_sku, retailer_b_product_id } =
    description;
  const { seller_id, first_party_seller_id } = description;
  const ids = { upc, ean, isbn, gtin, item_id, asin, retailer_b_sku, retailer_b_product_id };
  for (const [name, value] of Object.entries({ ...ids, seller_id, first_party_seller_id })) {
    row(name, value ?? 'none in a market of this size');
  }
  io.out('url');
  for (const [name, value] of Object.entries(description.url)) row(name, value);
  io.out('trouble');
  for (const [name, value] of Object.entries(description.trouble)) row(name, value);
  for (const [slug, { trouble }] of Object.entries(description.retailers)) {
    io.out(`trouble at ${slug}`);
    for (const [name, pointer] of Object.entries(trouble)) row(name, pointer.url);
  }
}
