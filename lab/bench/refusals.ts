// Measures the cost of a refused call: processor time of the service for each route and each kind of mistake, against a cached
// answer in the same run, alternating.

import { request as httpRequest, type IncomingMessage } from 'node:http';

import type { Json } from '../../tests/support/openapi-walk.ts';
import { openStage, type LookupEffort, type LookupStage } from './lookup-stage.ts';
import { figureOf, ofProcessor, type Figure, type Pair } from './measurement.ts';
import { largeBodies, mistakesOf, type Mistake, type SentRequest } from './mistakes.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

const SEED = 64;
const MOST = 1.5;
/** As many as the calls that were delayed by refusals when this was first measured. */
const CONNECTIONS = 4;
const NO_WATCH = 'wat_00000000';

type RefusalEffort = LookupEffort & {
  /** Only rows whose name contains this text. */
  readonly only?: string | undefined;
};

export async function benchRefusals(effort: RefusalEffort): Promise<readonly Figure[]> {
  const page = smallPage(SEED);
  await using shop = await openShop();
  shop.add(page);
  await using stage = await openStage({ effort, env: shop.env, scopes: ALL_SCOPES });
  const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
  await stage.kept(path);
  const kept = stage.call(path).request;
  await stage.round(stage.call(path), CONNECTIONS, 10 * effort.msPerRound);
  const document = JSON.parse((await sent(stage, get('/openapi.json'))).text) as Json;
  const { only = '' } = effort;
  const isAsked = ({ name }: Mistake) => name.includes(only);
  const values = { id: '614141000005' };
  const figures: Figure[] = [];
  for (const mistake of mistakesOf(document, values).filter(isAsked)) {
    const pairs = await measured(stage, { mistake, baseline: { request: kept } });
    report(figures, figureIn(mistake, 'a kept answer', pairs));
  }
  const watch = await sent(stage, newWatch(page.product.url));
  const id = /"(wat_[^"]+)"/.exec(watch.text)?.[1] ?? NO_WATCH;
  const change = { method: 'PATCH', target: `/v1/watches/${id}`, body: '{"below":5}' };
  const large = largeBodies(change);
  const right = { request: textOf(large.right, stage.key), isFree: true };
  for (const mistake of large.mistakes.filter(isAsked)) {
    const pairs = await measured(stage, { mistake, baseline: right });
    report(figures, figureIn(mistake, 'a valid body of the same size', pairs));
  }
  await stage.checkBilled();
  return figures;
}

const ALL_SCOPES = 'products:read,products:refresh,admin';
const get = (target: string): SentRequest => ({ method: 'GET', target });
const newWatch = (address: string): SentRequest => ({
  method: 'POST',
  target: '/v1/watches',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ identifier: address }),
});

/** Prints each row as soon as it is measured, because a run takes minutes. */
function report(figures: Figure[], figure: Figure): void {
  const { name, ratio, usPerCall } = figure;
  process.stderr.write(`${ratio.toFixed(2)} ${usPerCall.measured.toFixed(0)} us ${name}\n`);
  figures.push(figure);
}

function figureIn({ name }: Mistake, baseline: string, pairs: readonly Pair[]): Figure {
  const goal = { is: 'at most', value: MOST, stretch: 1 } as const;
  const measured = `a refused call, ${CONNECTIONS} at once`;
  return figureOf({ name, measured, baseline, ratioOf: 'processor time', goal }, pairs);
}

type Compared = {
  readonly mistake: Mistake;
  readonly baseline: { readonly request: string; readonly isFree?: boolean };
};

/** Alternates the mistake and the correct call. Throws if the mistake is not refused. */
async function measured(
  stage: LookupStage,
  { mistake, baseline }: Compared,
): Promise<readonly Pair[]> {
  const { status, text } = await sent(stage, mistake);
  const isToolRefusal = mistake.target === '/mcp' && /"isError":true|"error":\{/.test(text);
  if (status < 400 && !isToolRefusal) {
    throw new Error(
      `${mistake.name} was not refused but answered ${status}: ${text.slice(0, 300)}`,
    );
  }
  const { service: server, key } = stage;
  const refused = { server, request: textOf(mistake, key), status, isFree: true };
  const right = { server, ...baseline };
  const pairs = await stage.measure(refused, right, CONNECTIONS);
  return pairs.map(({ measured: one, baseline: other }) => ({
    measured: ofProcessor(one),
    baseline: ofProcessor(other),
  }));
}

/** Returns the request as sent on the wire. */
function textOf({ method, target, headers = {}, body }: SentRequest, key: string): string {
  const sentHeaders = {
    host: '127.0.0.1',
    authorization: `Bearer ${key}`,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(sentHeaders).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Sends it once. */
async function sent(
  { service, key }: LookupStage,
  { method, target, headers = {}, body }: SentRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname: host, port } = new URL(service.url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const all = { ...headers, ...length, authorization: `Bearer ${key}` };
    const options = { host, port, method, path: target, headers: all, agent: false };
    httpRequest(options, resolve).once('error', reject).end(body);
  });
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += String(piece);
  return { status: response.statusCode ?? 0, text };
}
