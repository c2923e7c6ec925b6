// URL and DNS cases of the SSRF guard, run through the real fetcher in a public world. One runner for the
// project's own cases and for any other file of the same form.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FetchOutcome } from '../../src/base/listing/page.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import type { PublicWorld } from './public-world.ts';
import { contextOf } from './contexts.ts';

type Redirect = { readonly status: number; readonly location: string };

export type UrlCase = {
  readonly id: string;
  readonly class: string;
  readonly url: string;
  readonly must: 'allow' | 'refuse';
  readonly redirects?: readonly Redirect[];
  readonly needs?: string;
};

/** The result of one lookup: addresses, an error, or a late answer. */
type DnsAnswer =
  | readonly string[]
  | { readonly error: string }
  | { readonly delay_ms: number; readonly addresses: readonly string[] };

export type DnsCase = UrlCase & {
  readonly host: string;
  readonly answers: readonly DnsAnswer[];
  readonly connect?: readonly string[];
  readonly max_lookups: number;
  readonly hosts?: Readonly<Record<string, readonly DnsAnswer[]>>;
  readonly fail_connect?: readonly string[];
  readonly local_addresses?: readonly string[];
  readonly allow?: readonly { readonly host: string; readonly cidr: string }[];
};

export const PUBLIC_ADDRESS = '93.184.215.14';

/** Rows of a file whose form the caller knows. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the file's form is the caller's word
export function readJsonLines<T>(file: string | URL): readonly T[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as T);
}

/** `class<TAB>must<TAB>JSON of the address[<TAB>JSON of the redirects]`. */
export function readUrlTable(file: string): readonly UrlCase[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line, index) => {
      const [kind = '', must, url = '""', redirects] = line.split('\t');
      return {
        id: `own-${index + 1}`,
        class: kind,
        url: JSON.parse(url) as string,
        must: must === 'allow' ? 'allow' : 'refuse',
        ...(kind === 'public-literal' ? { needs: 'allowIpLiterals' } : {}),
        ...(redirects === undefined ? {} : { redirects: JSON.parse(redirects) }),
      };
    });
}

/** Answers pages with the case's redirects in order, then with 200; robots.txt is absent. */
function play(world: PublicWorld, redirects: readonly Redirect[]): void {
  let served = 0;
  world.answer = (request: IncomingMessage, response: ServerResponse) => {
    const redirect = redirects[served];
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else if (redirect === undefined) response.writeHead(200).end('<html></html>');
    else {
      served += 1;
      // Written as bytes: shops put UTF-8 into Location.
      const location = Buffer.from(redirect.location).toString('latin1');
      const head = `HTTP/1.1 ${redirect.status} x\r\nLocation: ${location}\r\n`;
      response.socket?.end(`${head}Content-Length: 0\r\n\r\n`, 'latin1');
    }
  };
}

export const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };

async function run(
  world: PublicWorld,
  url: string,
  options: Partial<Parameters<typeof createFetcher>[0]>,
): Promise<FetchOutcome> {
  const fetcher = createFetcher({
    clock,
    version: '0.0.0',
    hostIntervalMs: 0,
    extraCertificates: [world.certificate],
    localAddresses: () => [],
    limits: { dnsMs: 300, connectMs: 2_000 },
    ...options,
  });
  return fetcher({ url, accept: 'html' }, contextOf(AbortSignal.timeout(20_000)));
}

/** Runs one URL case; returns the problem in words, or null. Refused means: no socket was opened for it. */
export async function runUrlCase(
  world: PublicWorld,
  one: UrlCase,
  allowIpLiterals: boolean,
): Promise<string | null> {
  world.reset();
  play(world, one.redirects ?? []);
  const resolve = () => Promise.resolve([PUBLIC_ADDRESS]);
  const outcome = await run(world, one.url, { resolve, allowIpLiterals });
  const needsLiterals = one.needs === 'allowIpLiterals' && !allowIpLiterals;
  const mustAllow = one.must === 'allow' && !needsLiterals;
  const said = outcome.ok ? 'page' : `${outcome.failure.kind}: ${outcome.failure.detail}`;
  if (mustAllow !== outcome.ok) return `${one.id} ${one.class} must ${one.must}, got ${said}`;
  const literal = one.class === 'public-literal' && allowIpLiterals;
  const strays = literal ? [] : world.attempts.filter((each) => each.address !== PUBLIC_ADDRESS);
  const expected = mustAllow || one.redirects !== undefined ? Number.POSITIVE_INFINITY : 0;
  if (strays.length > 0 || world.attempts.length > expected) {
    return `${one.id} opened ${JSON.stringify(world.attempts)}`;
  }
  return null;
}

/** Runs one DNS case: checks the outcome, the connected addresses and the number of lookups. */
export async function runDnsCase(world: PublicWorld, one: DnsCase): Promise<string | null> {
  world.reset();
  play(world, one.redirects ?? []);
  for (const address of one.fail_connect ?? []) world.refusing.add(address);
  const counts = new Map<string, number>();
  const resolve = async (host: string) => {
    const count = counts.get(host) ?? 0;
    counts.set(host, count + 1);
    const sequence = host === one.host ? one.answers : (one.hosts?.[host] ?? []);
    const answer = sequence[Math.min(count, sequence.length - 1)] ?? { error: 'ENOTFOUND' };
    if ('error' in answer) throw Object.assign(new Error(answer.error), { code: answer.error });
    if (!('delay_ms' in answer)) return answer;
    return new Promise<readonly string[]>(() => {});
  };
  const permits = one.allow ?? [];
  const localAddresses = () => one.local_addresses ?? [];
  const outcome = await run(world, one.url, { resolve, permits, localAddresses });
  const said = outcome.ok ? 'page' : `${outcome.failure.kind}: ${outcome.failure.detail}`;
  const mayFail = one.class === 'robots-rebind';
  if (!mayFail && (one.must === 'allow') !== outcome.ok) return `${one.id} ${one.class}: ${said}`;
  const lookups = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (lookups > one.max_lookups) return `${one.id}: ${lookups} lookups`;
  const allowed = allowedAddresses(one);
  const strays = world.attempts.filter((each) => !allowed.has(each.address));
  return strays.length > 0 ? `${one.id} opened ${JSON.stringify(strays)}` : null;
}

/** Refused cases may reach the public first host of a redirect, nothing else. */
function allowedAddresses(one: DnsCase): ReadonlySet<string> {
  const first = one.answers[0];
  if (one.must === 'allow') return new Set(one.connect ?? []);
  if (one.class === 'rebind-redirect' && Array.isArray(first)) return new Set(first as string[]);
  return new Set(one.fail_connect ?? []);
}
