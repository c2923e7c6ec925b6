// The inputs that a plain call cannot send: each with the client that its report is about, against the service. A program
// returns what it saw, in the words that the case expects.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

import { Ajv } from 'ajv';

import { insertChange } from '../../../src/data/watches/watch-writes.ts';
import { agentOverHttp, type Agent } from '../../../tests/support/agent.ts';
import { startService, type Service } from '../../../tests/support/service.ts';
import {
  importOfClient,
  installClientPackages,
  type ClientModule,
} from '../../../tests/support/typescript-client.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', '..', 'bin', 'openshelf.js');
const EVENT_MS = 3_000;

type Program = (service: Service, input: { readonly eol?: string }) => Promise<string>;

/** By the name of the case. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  '39-ndjson-in-generated-clients': async (service) => {
    const [ids, client] = [codesOf(service), await typescriptClient(service)];
    const { data } = await client.routes.POST('/v1/products/batch', {
      body: ids.map((id) => ({ id })),
    });
    const generated = (data ?? []) as readonly { readonly status: number }[];
    let read = 0;
    for await (const { line } of client.batch(ids.map((id) => ({ id })))) read = line;
    const sent = generated.map(({ status }) => status).join() === '200,200';
    return `two lines sent: ${sent ? 'yes' : 'no'}, two lines read: ${read === 2 ? 'yes' : 'no'}`;
  },
  '41-ratelimit-fields': async (service) => {
    const { headers } = await service.lookup(codesOf(service)[0] ?? '');
    const names = (field: string) =>
      [...(headers.get(field) ?? '').matchAll(/"(\w+)"(?=;)/g)].map(([, name]) => name).join();
    return `policies ${names('ratelimit-policy')} limits ${names('ratelimit')}`;
  },
  '42-idempotency-key-in-quotes': async (service) => {
    const ask = () =>
      service.get(`/v1/products/${codesOf(service)[0]}`, { 'idempotency-key': '"case-42"' });
    const [first, again] = [await ask(), await ask()];
    const replayed = again.headers.get('idempotency-replayed') === 'true' ? 'replayed' : 'new';
    return `${first.status} ${again.status} ${replayed}`;
  },
  '43-sse-through-gzip': async (service) => {
    const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip, br' };
    const { body } = await fetch(`${service.url}/v1/changes`, {
      headers: { authorization: `Bearer ${service.key}`, 'last-event-id': '0', ...headers },
      signal: AbortSignal.timeout(EVENT_MS),
    });
    await writeChange(service);
    let said = '';
    try {
      for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        said += piece;
        if (said.includes('event: change')) break;
      }
    } catch {
      // The time is over.
    }
    return `first event within 3 s: ${said.includes('event: change') ? 'yes' : 'no'}`;
  },
  '45-receiver-sends-100': async () => {
    const receiver = createServer((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
      ),
    );
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const place = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const secret = Buffer.alloc(32, 7).toString('base64');
    await using service = await startService({
      env: { OPENSHELF_NOTIFY_ALLOW: place, OPENSHELF_SECRETS_KEY: secret },
    });
    const { routes } = await typescriptClient(service);
    const made = await routes.POST('/v1/channels', {
      body: { kind: 'webhook', url: `http://${place}/` },
    });
    const { channel } = made.data as { readonly channel: { readonly channel_id: string } };
    const path = { id: channel.channel_id };
    const tested = await routes.POST('/v1/channels/{id}/test', { params: { path } });
    receiver.close();
    return JSON.stringify(tested.data);
  },
  '50-schema-dialect': async (service) => {
    await using agent = await agentOf(service);
    const { tools } = await agent.client.listTools();
    const failed = tools.filter(({ inputSchema: schema }) => !compiles(schema));
    const { isError } = await agent.call('lookup', { identifier: codesOf(service)[0] });
    return isError || failed.length > 0 ? failed.map(({ name }) => name).join() : 'lookup ok';
  },
  '51-multiple-of-a-cent': async (service) => {
    await using agent = await agentOf(service);
    const { tools } = await agent.client.listTools();
    const schema = tools.find(({ name }) => name === 'compare')?.inputSchema ?? {};
    const validate = new Ajv({ strict: false }).compile(schema);
    const [identifier] = codesOf(service);
    const costs = Array.from({ length: 10_000 }, (_, cents) => Number((cents / 100).toFixed(2)));
    const refused = costs.filter((cost) => !validate({ identifier, cost }));
    const { isError } = await agent.call('compare', { identifier, cost: 19.99 });
    return `refused ${refused.length + Number(isError)} of ${costs.length}`;
  },
  '54-stdio-crlf': async ({ dataEnv }, { eol = '\n' }) => {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [LAUNCHER, 'mcp'], {
      cwd: tmpdir(),
      env: { PATH, HOME, ...dataEnv },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const messages = [1, 2].map((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    child.stdin.end(messages.map((message) => message + eol).join(''));
    const lines = (await text(child.stdout)).trim().split('\n');
    return lines.map((line) => (JSON.parse(line) as { readonly id: number }).id).join();
  },
};

/** Two barcodes that the simulated market has, without trouble. */
const codesOf = (service: Service): readonly string[] => soundCodesOf(service).slice(0, 2);

export function soundCodesOf({ sandbox }: Service): readonly string[] {
  const { catalog } = sandbox.market();
  return catalog.filter(({ trouble }) => trouble === null).map(({ gtin14 }) => gtin14);
}

async function typescriptClient({ url, key }: Service) {
  installClientPackages();
  const module = await importOfClient<ClientModule>('src/index.ts');
  return module.createOpenshelf({ baseUrl: url, apiKey: key });
}

const agentOf = ({ url, key }: Service): Promise<Agent> =>
  agentOverHttp(url, { authorization: `Bearer ${key}` });

/** Whether a validator that knows only draft 7 takes the schema. */
function compiles(schema: object): boolean {
  try {
    new Ajv().compile(schema);
    return true;
  } catch {
    return false;
  }
}

async function writeChange({ app }: Service): Promise<void> {
  const organization = await app.store.accounts.findOrganization('test');
  const place = { retailer: 'acorn', url: null, title: null, gtin: null };
  const change = { kind: 'price', field: 'price', before: 1, after: 2 } as const;
  const body = { ...change, ...place, observedAtMs: 0 };
  await app.store.sql.write(
    insertChange(organization?.id ?? '', { change, listingId: 'one', body }, Date.now()),
  );
}
