// openshelf sandbox: the simulated market alone, on loopback, or a description of what is in it. Where the
// retailers really are is known to the address books and handed in by the composition root.

import { SANDBOX_CREDENTIALS } from '../sandbox/tokens.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/server.ts';
import { DONE, numberOption, printJson, type Command, type Io, untilStopped } from './command.ts';
import { SANDBOX_SEED } from './sandbox-config.ts';

/** Products of the market when nothing else is said. */
export const SANDBOX_PRODUCTS = 3_000;

type World = Pick<SandboxOptions, 'retailers' | 'search'>;

/** The command over the world's public origins; `now` in milliseconds since 1970. */
export function sandboxCommand(world: World, now: () => number): Command {
  return {
    name: 'sandbox',
    summary: 'run the simulated market alone, or describe it',
    usage: [
      'Usage: openshelf sandbox [--seed N] [--products N] [--port-base N] [--describe] [--json]',
      '',
      `  --seed N        another world (default ${SANDBOX_SEED})`,
      `  --products N    products of the market (default ${SANDBOX_PRODUCTS}, at most 50000)`,
      '  --port-base N   the first port, the others follow; 0 picks free ones (default 0)',
      '  --describe      print handy identifiers and stop',
      '  --json          as one JSON value: with --describe on the last line, else on the first',
      '',
      'Without --describe it stays up; OPENSHELF_ORIGINS, as printed, sends a service to it.',
      'The truth is at /__truth/products and /__truth/product?url=<address> of every port.',
    ].join('\n'),
    options: {
      seed: { type: 'string' },
      products: { type: 'string' },
      'port-base': { type: 'string' },
      describe: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    run: async ({ values, io }) => {
      await using sandbox = await startSandbox({
        ...world,
        now,
        seed: numberOption(values, 'seed', { min: 0, max: 4_294_967_295 }) ?? SANDBOX_SEED,
        products: numberOption(values, 'products', { min: 20, max: 50_000 }) ?? SANDBOX_PRODUCTS,
        // A block of ports fits below the last one.
        portBase: numberOption(values, 'port-base', { min: 0, max: 65_000 }) ?? 0,
      });
      const wantsJson = values['json'] === true;
      if (values['describe'] === true) {
        const told = { ...sandbox.describe(), credentials: SANDBOX_CREDENTIALS };
        if (wantsJson) printJson(io, told);
        else describe(sandbox, io);
        return DONE;
      }
      const origins = originsText(sandbox);
      if (wantsJson) printJson(io, { origins: sandbox.origins, OPENSHELF_ORIGINS: origins });
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

function announce(sandbox: Sandbox, origins: string, io: Io): void {
  for (const [from, to] of Object.entries(sandbox.origins)) io.out(`${to}  ${from}`);
  io.out('');
  io.out(`OPENSHELF_ORIGINS=${origins}`);
}

/** Names and values in two columns, one group after another. */
function describe(sandbox: Sandbox, io: Io): void {
  const told = sandbox.describe();
  const row = (name: string, value: unknown): void =>
    io.out(`  ${name.padEnd(24)}${String(value)}`);
  io.out(`seed ${told.seed}, ${told.products} products, at ${told.at}`);
  io.out('identifiers');
  const { upc, ean, isbn, gtin, item_id, asin, retailer_b_sku, retailer_b_product_id } = told;
  const { seller_id, first_party_seller_id } = told;
  const ids = { upc, ean, isbn, gtin, item_id, asin, retailer_b_sku, retailer_b_product_id };
  for (const [name, value] of Object.entries({ ...ids, seller_id, first_party_seller_id })) {
    row(name, value ?? 'none in a world of this size');
  }
  io.out('url');
  for (const [name, value] of Object.entries(told.url)) row(name, value);
  io.out('trouble');
  for (const [name, value] of Object.entries(told.trouble)) row(name, value);
  for (const [slug, { trouble }] of Object.entries(told.retailers)) {
    io.out(`trouble at ${slug}`);
    for (const [name, pointer] of Object.entries(trouble)) row(name, pointer.url);
  }
}
