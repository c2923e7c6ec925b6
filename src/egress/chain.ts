// The chain of one fetch: guard, resolve once, check robots.txt, wait for the host's turn, send the request, then repeat all
// of it for a redirect. robots.txt is fetched through the same chain as the page.

import { getDomain } from 'tldts';

import type { Clock } from '../base/clock.ts';
import { leftFor, type FailedFor, type PausedPlace } from '../base/failed-for.ts';
import { askerOf, type FetchContext, type FetchTurns } from '../base/fetch-context.ts';
import type { FetchFailure, PageFound } from '../base/listing/page.ts';
import { strictest, type Signals } from '../base/listing/signals.ts';
import { createChainCookies } from './chain-cookies.ts';
import type { RequestReport } from './pacing/circuit-breaker.ts';
import { hostHeader, type ExchangeAnswer } from './exchange.ts';
import { CostlyCertificates, FetchError, failureOf } from './fetch-error.ts';
import { sendRequest, checkedAddresses, checkedTarget, isRedirect, nextAddress } from './hop.ts';
import type { HopOptions, HopRequest } from './hop.ts';
import { busy, type HostLimiter } from './pacing/host-limiter.ts';
import type { LookUpInTurn } from './pacing/name-turns.ts';
import { retryAfterSeconds } from '../base/retry-after.ts';
import type { RobotsTxtOutcome, RobotsGate } from './robots/robots-gate.ts';
import { ROBOTS_MAX_BYTES } from './robots/robots-txt.ts';
import type { RequestSigner } from './signing/request-signer.ts';
import { waitForSlot, type SharedPauses, type TakeSlot } from './pacing/shared-pace.ts';
import { unlessAborted } from './socket-wait.ts';
import type { CheckedUrl } from './guard/url-guard.ts';

/** The parts shared by every fetch of one installation. */
export type Egress = {
  /** The clock for timestamps, and for dates stated by shops. */
  readonly clock: Clock;
  /** The clock for waits and deadlines of fetches. It is never set back or forward. */
  readonly steady: Clock;
  readonly hops: HopOptions;
  readonly limiter: HostLimiter;
  /** Enforces the Crawl-delay of each origin that states one. Other origins of the same site do not wait for it. */
  readonly crawlDelays: HostLimiter;
  readonly inNameTurn: LookUpInTurn;
  readonly robots: RobotsGate;
  /** Signs requests to shops; null if this installation has no identity. */
  readonly signer: RequestSigner | null;
  readonly agent: string;
  readonly intervalMs: number;
  /** Takes slots shared by all processes; null if no other process sends requests to the same hosts. */
  readonly takeSlot: TakeSlot | null;
  /** The shared state of hosts that refuse requests; null if this process only has its own. */
  readonly sharedPauses: SharedPauses | null;
};

/** Maximum time that fetching a robots.txt may wait for its host's turn. */
const MAX_TURN_WAIT_MS = 10_000;

/** The failures that count against the host when the request was sent. */
const HOST_FAILED: ReadonlySet<FetchFailure['kind']> = new Set([
  'timeout',
  'reset',
  'bad_response',
  'untrusted',
]);

/** The pause is for all callers: a quarter of a second of the serving thread is a page for each of 80 callers. */
const COSTLY_PAUSE_SECONDS = 3_600;

/** A failure that already has its final form: pacing and robots.txt state their own Retry-After. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** What to fetch, and whether robots.txt is obeyed. */
export type ChainRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Used for the first hop only: a redirect may lead to another host, which must not see credentials or a body. */
  readonly content?: RequestContent;
  readonly wantsBody: HopRequest['wantsBody'];
  readonly truncateAtBytes?: number;
  readonly held?: HopRequest['held'];
  /** False for robots.txt itself. */
  readonly obeyRobots: boolean;
  /** A page that robots.txt must allow as well. */
  readonly insteadOf?: string;
  /** Whether each request is signed, if this installation has an identity; false for official APIs. */
  readonly isSigned: boolean;
  /** Whether a redirect is the answer: even its address may contain credentials, which no other host may see. */
  readonly isRedirectAnswer?: boolean;
  /** Whether it was paced before: it then waits for no other request to its host. */
  readonly isPaced?: boolean;
  /** Called before a redirect is followed. */
  readonly onRedirect?: () => void;
  /** Addresses of the first hop if they have just been checked: page and robots.txt then share one lookup. */
  readonly firstAddresses?: HopRequest['addresses'];
};

/** What the request sends in addition to the fetcher's own headers. */
export type RequestContent = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

type ChainAnswer = {
  readonly target: CheckedUrl;
  readonly answer: ExchangeAnswer;
  /** Reports what a reader finds in the page. Null if the page's status is already conclusive. */
  readonly found: PageFound | null;
  /** The signals of robots.txt about the use of the page; null if there are none. */
  readonly signals: Signals | null;
};

/** Follows at most `limits.redirects` redirects. Time spent waiting for a turn is not counted. */
export async function followChain(
  egress: Egress,
  chain: ChainRequest,
  context: FetchContext,
): Promise<ChainAnswer> {
  const { signal } = context;
  const visited = new Set<string>();
  const cookies = createChainCookies();
  const budget = createBudget(egress.hops.limits.wholeMs);
  let url = chain.url;
  for (let hop = 0; hop <= egress.hops.limits.redirects; hop += 1) {
    const target = checkedTarget(url, egress.hops);
    const cookie = cookies.headerFor(target.url);
    // The same address with another cookie is another request.
    const visit = `${target.url.href} ${cookie ?? ''}`;
    if (visited.has(visit))
      throw new FetchError('redirect_loop', 'the redirects lead back to a page of the same chain');
    visited.add(visit);
    const known = hop === 0 ? chain.firstAddresses : undefined;
    const addresses =
      known ??
      (await egress.inNameTurn(context, () =>
        budget.run(signal, () => checkedAddresses(target, egress.hops)),
      ));
    const ofPage =
      hop === 0 && chain.insteadOf !== undefined
        ? await checkRobotsOfPage(egress, chain.insteadOf, { target, addresses }, context)
        : NO_RULES;
    const { crawlDelayMs, signals } = chain.obeyRobots
      ? await checkRobots(egress, target, addresses, context)
      : NO_RULES;
    const content = hop === 0 ? chain.content : undefined;
    const request = {
      target,
      addresses,
      wantsBody: chain.wantsBody,
      ...(chain.held === undefined ? {} : { held: chain.held }),
      ...(chain.truncateAtBytes === undefined ? {} : { truncateAtBytes: chain.truncateAtBytes }),
      headers: {
        ...chain.headers,
        ...(cookie === null ? {} : { cookie }),
        ...content?.headers,
      },
      method: content?.method ?? ('GET' as const),
      body: content?.body ?? null,
    };
    const pacing = { context, crawlDelayMs, isPaced: chain.isPaced === true };
    const { answer, found } = await runInCrawlTurn(egress, target, pacing, () =>
      budget.run(signal, (hopSignal) => sendAs(egress, chain, request, hopSignal)),
    );
    if (!isRedirect(answer.status) || chain.isRedirectAnswer === true) {
      return { target, answer, found, signals: strictest([signals, ofPage.signals]) ?? null };
    }
    chain.onRedirect?.();
    cookies.take(answer, target.url, egress.clock.now());
    url = nextAddress(answer, target, egress.hops.origins);
  }
  throw new FetchError('redirect_loop', `more than ${egress.hops.limits.redirects} redirects`);
}

type RobotsRules = { readonly crawlDelayMs: number; readonly signals: Signals | null };

const NO_RULES: RobotsRules = { crawlDelayMs: 0, signals: null };

/**
 * Sends one request of a chain. It is signed when its turn comes, and only for its own authority, so that no other host can
 * use the signature (draft-ietf-webbotauth-httpsig-protocol); over TLS only.
 */
async function sendAs(
  { signer, hops }: Egress,
  { isSigned }: ChainRequest,
  request: HopRequest,
  signal: AbortSignal,
): Promise<ExchangeAnswer> {
  const { url, host } = request.target;
  if (signer === null || !isSigned || url.protocol !== 'https:') {
    return sendRequest(request, hops, signal);
  }
  const authority = hostHeader(url, host);
  const headers = { ...request.headers, ...signer.headersFor(authority) };
  const answer = await sendRequest({ ...request, headers }, hops, signal);
  signer.answered(authority, answer.status);
  return answer;
}

/** Limits the active time of one fetch over all its hops. */
function createBudget(wholeMs: number) {
  let leftMs = wholeMs;
  return {
    async run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      const whole = AbortSignal.timeout(Math.max(0, Math.ceil(leftMs)));
      try {
        return await work(AbortSignal.any([signal, whole]));
      } finally {
        leftMs -= performance.now() - startedAt;
      }
    },
  };
}

type Pacing = {
  readonly context: FetchContext;
  readonly crawlDelayMs: number;
  readonly isPaced: boolean;
};

type PacedAnswer = Pick<ChainAnswer, 'answer' | 'found'>;

/** Runs one request in the turn of its host, and of its origin if that states a Crawl-delay. */
async function runInCrawlTurn(
  egress: Egress,
  target: CheckedUrl,
  pacing: Pacing,
  run: () => Promise<ExchangeAnswer>,
): Promise<PacedAnswer> {
  const { context, crawlDelayMs } = pacing;
  if (target.mappedTo !== null || crawlDelayMs <= egress.intervalMs) {
    return runInTurn(egress, target, pacing, run);
  }
  const { origin } = target.url;
  const turn = await egress.crawlDelays.turn({ host: origin, name: origin }, context, crawlDelayMs);
  if (!turn.ok) throw new Declined(turn.failure);
  let isSent = false;
  try {
    await waitForSharedSlot(egress, { host: origin, intervalMs: crawlDelayMs }, context);
    return await runInTurn(egress, target, pacing, () => {
      isSent = true;
      return run();
    });
  } finally {
    turn.done({ result: 'neutral', isSent });
  }
}

/** Runs one request in its host's turn and reports its result. */
async function runInTurn(
  egress: Egress,
  target: CheckedUrl,
  { context, isPaced }: Pacing,
  run: () => Promise<ExchangeAnswer>,
): Promise<PacedAnswer> {
  const place = pausedPlace(target);
  const { intervalMs } = egress;
  const isAlone = target.mappedTo !== null || isPaced;
  const turn = isAlone
    ? await egress.limiter.slot(context)
    : await egress.limiter.turn(place, context);
  if (!turn.ok) throw new Declined(turn.failure);
  let report: RequestReport = { result: 'neutral' };
  let isAsked = false;
  try {
    if (!isAlone) await refuseSharedPause(egress, target, context);
    if (!isAlone) await waitForSharedSlot(egress, { host: place.host, intervalMs }, context);
    isAsked = true;
    const answer = await run();
    report = reportOf(answer, place, egress.clock.now());
    return {
      answer,
      found: isAlone || report.result === 'failed' ? null : foundBy(egress, target, turn.asker),
    };
  } catch (error) {
    const { kind } = failureOf(error);
    const hostFailed = HOST_FAILED.has(kind);
    // An error of our database says nothing about the shop.
    if (isAsked && hostFailed && !context.signal.aborted) report = { result: 'failed' };
    if (error instanceof CostlyCertificates) {
      report = { result: 'failed', asked: { name: place.host, seconds: COSTLY_PAUSE_SECONDS } };
    }
    throw error;
  } finally {
    if (!isAlone) await share(egress, target, report, turn.asker);
    turn.done(report);
  }
}

/** Reports a reader's finding as the result of a request: a wall is a refusal, everything else an answer. */
function foundBy(egress: Egress, target: CheckedUrl, asker: FailedFor): PageFound | null {
  if (target.mappedTo !== null) return null;
  return async (what) => {
    const report: RequestReport = { result: what === 'wall' ? 'failed' : 'answered' };
    egress.limiter.found(pausedPlace(target).host, report, asker);
    await share(egress, target, report, asker);
  };
}

/** Notifies the other processes. If the database does not answer, they are not notified, but the page is not lost. */
async function share(
  { sharedPauses }: Egress,
  target: CheckedUrl,
  report: RequestReport,
  asker: FailedFor,
): Promise<void> {
  if (sharedPauses === null || target.mappedTo !== null || report.result === 'neutral') return;
  const place = pausedPlace(target);
  try {
    if (report.result === 'failed') {
      await sharedPauses.failed(place.host, asker, report.asked ?? null);
    } else if ((await sharedPauses.find(place)) !== null) await sharedPauses.answered(place);
  } catch {
    // Ignored: the next request queries the database again.
  }
}

/**
 * Throws `Declined` while the host refuses requests of all processes, unless the pause does not apply to every waiting caller.
 */
async function refuseSharedPause(
  { sharedPauses }: Egress,
  target: CheckedUrl,
  { turns }: FetchContext,
): Promise<void> {
  if (sharedPauses === null || target.mappedTo !== null) return;
  const pauses = await sharedPauses.find(pausedPlace(target));
  if (pauses === null) return;
  const leftMs = Math.min(...turns().map((each) => leftFor(pauses, askerOf(each))));
  if (leftMs <= 0) return;
  const why = 'the shop asked for a pause or kept failing, also for other processes';
  throw new Declined(busy(why, leftMs));
}

/** Throws `Declined` if the shared slot of a host or an origin comes too late. */
async function waitForSharedSlot(
  { takeSlot, steady }: Egress,
  wanted: { readonly host: string; readonly intervalMs: number },
  context: FetchContext,
): Promise<void> {
  if (takeSlot === null) return;
  const late = await waitForSlot(takeSlot, steady, wanted, context);
  if (late !== null) throw new Declined(late);
}

/**
 * Returns the host that failures are counted for. Private suffixes count, so that each shop on a hosted platform is a separate
 * host.
 */
function pausedPlace({ host: name }: CheckedUrl): PausedPlace {
  return { host: getDomain(name, { allowPrivateDomains: true }) ?? name, name };
}

/**
 * A 429 is about how much we ask, which is paced by registrable domain. A 503 is about the host with that name, such as a
 * subdomain in maintenance next to a shop.
 */
function reportOf(
  { status, headers }: ExchangeAnswer,
  { host, name }: PausedPlace,
  nowMs: number,
): RequestReport {
  const denied = status === 403 || status === 429 || status >= 500;
  const asks = status === 429 || status === 503;
  const seconds = asks ? retryAfterSeconds(headers['retry-after'], nowMs) : null;
  return {
    // For any other status, the reader decides what the page is.
    result: denied ? 'failed' : 'neutral',
    ...(seconds === null ? {} : { asked: { name: status === 429 ? host : name, seconds } }),
  };
}

/**
 * Checks robots.txt for the page in whose place a shop's endpoint is requested (D82). Throws `Declined` as `checkRobots`
 * does.
 */
async function checkRobotsOfPage(
  egress: Egress,
  url: string,
  endpoint: { readonly target: CheckedUrl; readonly addresses: HopRequest['addresses'] },
  context: FetchContext,
): Promise<RobotsRules> {
  const page = checkedTarget(url, egress.hops);
  const addresses =
    page.url.origin === endpoint.target.url.origin
      ? endpoint.addresses
      : await egress.inNameTurn(context, () => checkedAddresses(page, egress.hops));
  try {
    return await checkRobots(egress, page, addresses, context);
  } catch (error) {
    if (!(error instanceof Declined) || error.failure.kind !== 'robots') throw error;
    throw new Declined({ ...error.failure, isOfPage: true });
  }
}

/** Returns the signals of robots.txt about the page. Throws `Declined` if it disallows the page or cannot be read. */
async function checkRobots(
  egress: Egress,
  target: CheckedUrl,
  addresses: HopRequest['addresses'],
  context: FetchContext,
): Promise<RobotsRules> {
  const verdict = await unlessAborted(
    context.signal,
    egress.robots({
      origin: target.url.origin,
      pathAndQuery: `${target.url.pathname}${target.url.search}`,
      mapped: target.mappedTo !== null,
      context,
      fetchRobotsTxt: (turns) => fetchRobotsTxt(egress, target, addresses, turns),
    }),
  );
  if (!verdict.ok) throw new Declined(verdict.failure);
  return verdict;
}

/** Fetches robots.txt. Several callers may wait for it, so it has its own deadline, and the turns of all of them. */
async function fetchRobotsTxt(
  egress: Egress,
  target: CheckedUrl,
  addresses: HopRequest['addresses'],
  turns: FetchTurns,
): Promise<RobotsTxtOutcome> {
  const ms = egress.hops.limits.wholeMs + MAX_TURN_WAIT_MS;
  const deadlineMs = egress.steady.now() + ms;
  const context = { signal: AbortSignal.timeout(ms), deadlineMs, ...turns };
  let isRedirected = false;
  const chain: ChainRequest = {
    url: `${target.url.origin}/robots.txt`,
    headers: {
      'user-agent': egress.agent,
      accept: 'text/plain',
      'accept-encoding': 'gzip, deflate, br, zstd',
    },
    wantsBody: (status) => status >= 200 && status < 300,
    truncateAtBytes: ROBOTS_MAX_BYTES,
    obeyRobots: false,
    isSigned: true,
    firstAddresses: addresses,
    onRedirect: () => {
      isRedirected = true;
    },
  };
  try {
    const { answer } = await followChain(egress, chain, context);
    return {
      kind: 'answered',
      status: answer.status,
      body: answer.body,
      retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after'], egress.clock.now()),
    };
  } catch (error) {
    const failure = error instanceof Declined ? error.failure : failureOf(error);
    // The page's own address is allowed. The guard refused the address to which the shop redirects its robots.txt.
    if (failure.kind === 'refused' && isRedirected) return { kind: 'astray' };
    return { kind: 'failed', failure };
  }
}
