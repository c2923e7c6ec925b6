// openshelf doctor: what works on this machine with these settings, what is missing, and which setting helps. It changes
// nothing. Its only request is for one retailer's robots.txt, and with --probe one to each official API.

import { resolve } from 'node:path';

import { openApp, type App } from '../../app.ts';
import type { Config } from '../../config.ts';
import { freeBytesOf, lastBackupMs } from '../../../answer/metrics/process-figures.ts';
import { isUsable, unusableText } from '../../../answer/indexer/operator-notices.ts';
import { SECOND_MS } from '../../../base/clock.ts';
import {
  BACK_UP,
  judgeBackup,
  judgeClock,
  judgeDisk,
  type Judged,
} from '../../../rules/troubles.ts';
import type { FetchFailureKind } from '../../../base/listing/page.ts';
import { versionText } from '../../package-files.ts';
import { publicOrigins } from '../../../read/retailers/addresses/public-origins.ts';
import { mixedSources } from '../../../read/retailers/credentials.ts';
import { SETTINGS } from '../../settings/settings-table.ts';
import type { Encrypting } from '../../../data/postgres/connection.ts';
import { databaseName, hostUrls } from '../../../data/postgres/database-url.ts';
import { newestVersion } from '../../../data/migrate.ts';
import { holdsData, readSchemaVersion } from '../../../data/store.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { lacksOf, lacksOfRetailers, type RetailerLack } from '../../wiring/installation-lacks.ts';
import { storeOf } from '../../wiring/open-store.ts';
import { answer, DONE, FAILED, type Command, type CommandInput } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { DATA_AND_JSON } from '../options.ts';
import { explainError, nearestExisting, permissionProblem } from '../system-error.ts';
import { serviceFindings } from './doctor-service.ts';
import { sourceFindings } from './doctor-sources.ts';
import type { Finding } from './finding.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'show which functions work, which are missing and which settings help',
  synopsis: ['[--data DIR] [--probe] [--json]'],
  options: {
    ...DATA_AND_JSON,
    probe: { help: 'send one request to each official API that has its settings' },
  },
  notes: [
    'Changes nothing and creates no data. Sends one request, for the robots.txt of a retailer, and asks the service at',
    'PORT and OPENSHELF_PUBLIC_URL whether it is there.',
    'With --json, the settings of the official APIs of each retailer are named too.',
    'With --probe each official API is asked for a barcode; the requests count towards its daily limit.',
    'The exit code is 1 if something does not work. Something that is only missing is not an ' +
      'error.',
  ],
  run: async (input) => {
    const config = configOf(input);
    const findings = [
      nodeFinding(),
      diskFinding(config),
      ...(await serviceFindings(config)),
      ...(await dataFindings(input, config)),
      ...(await encryptionFindings(config)),
      ...mixedSources(config.credentials).map(ofTerms),
    ];
    const isSound = findings.every(({ state }) => state !== 'failed');
    answer(
      input,
      { sound: isSound, version: versionText(), findings },
      findings
        .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
        .map((finding) => input.asCalled(lineOf(finding))),
    );
    return isSound ? DONE : FAILED;
  },
};

const ofTerms = (detail: string): Finding => ({ what: 'terms', state: 'lacking', detail });

/** What works comes first, and what is only missing last. */
const MARKS = { ok: 'ok     ', failed: 'FAILED ', lacking: 'lacking' } as const;
const ORDER = Object.keys(MARKS);

/** A missing setting is named without what to set it to, which docs/run/settings.md explains. */
function lineOf({ what, state, detail, change, settings = [] }: Finding): string {
  const names = change === undefined || settings.length === 0 ? '' : ` (${settings.join(', ')})`;
  const remedy = change === undefined || what === 'settings' ? '' : ` ${change}`;
  return `${MARKS[state]}  ${what.padEnd(10)}  ${detail}${remedy}${names}`;
}

function nodeFinding(): Finding {
  const { node, sqlite = 'unknown' } = process.versions;
  return { what: 'Node', state: 'ok', detail: `Node ${node}, with SQLite ${sqlite}.` };
}

function diskFinding({ dataDir, databaseUrl }: Config): Finding {
  const what = 'disk';
  if (databaseUrl !== null) {
    return { what, state: 'ok', detail: 'The data is in PostgreSQL; its disk is not checked.' };
  }
  try {
    return judgedFinding(what, judgeDisk(freeBytesOf(nearestExisting(resolve(dataDir)))));
  } catch (error) {
    return { what, state: 'failed', detail: explainError(error, [dataDir]) };
  }
}

function judgedFinding(what: string, { isThere, detail, change }: Judged): Finding {
  return isThere ? { what, state: 'failed', detail, change } : { what, state: 'ok', detail };
}

function backupFinding({ dataDir }: Config): Finding {
  const what = 'backup';
  const atMs = lastBackupMs(dataDir);
  if (atMs !== null) return judgedFinding(what, judgeBackup(atMs, systemClock.now()));
  const detail = 'None was made with openshelf backup.';
  return { what, state: 'lacking', detail, change: BACK_UP };
}

const DIALECTS = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/**
 * Returns the findings of an installation with data: the store, and everything that needs the app. Without data nothing is
 * opened.
 */
async function dataFindings(input: CommandInput, config: Config): Promise<readonly Finding[]> {
  const name = config.databaseUrl === null ? config.dataDir : databaseName(config.databaseUrl);
  const what = 'store';
  try {
    if (!(await holdsData(storeOf(config)))) {
      const refusal = config.databaseUrl === null ? permissionProblem(config.dataDir) : null;
      if (refusal !== null) return [{ what, state: 'failed', detail: refusal }];
      const detail = `There is no data in ${name} yet.`;
      const change =
        'openshelf serve and openshelf lookup create it; then this command shows more.';
      return [{ what, state: 'lacking', detail, change }];
    }
    const other = await otherVersion(config);
    if (other !== null) return [other];
    await using app = await openApp(config, { isReadOnly: true });
    const isThere = await app.store.sql.probe(5 * SECOND_MS);
    const store: Finding = isThere
      ? { what, state: 'ok', detail: `${DIALECTS[app.store.sql.dialect]} in ${name} answers.` }
      : { what, state: 'failed', detail: `${name} does not answer within 5 s.` };
    return [
      store,
      ...(config.databaseUrl === null ? [backupFinding(config)] : []),
      ...(await channelFindings(app, config)),
      ...(await egressFindings(app, input)),
      ...(await retailerFindings(app, config, input)),
    ];
  } catch (error) {
    return [{ what, state: 'failed', detail: explainError(error, [config.dataDir]) }];
  }
}

/** Returns findings about each PostgreSQL on another machine: whether its traffic can be read in transit. */
async function encryptionFindings({ databaseUrl, readUrl }: Config): Promise<readonly Finding[]> {
  if (databaseUrl === null) return [];
  const { encryptionOf } = await import('../../../data/postgres/connection.ts');
  const named = [
    [SETTINGS.databaseUrl.name, databaseUrl],
    [SETTINGS.readUrl.name, readUrl ?? ''],
  ] as const;
  return named.flatMap(([setting, url]) => {
    try {
      const servers = hostUrls(url)
        .filter((each) => each !== '')
        .map(encryptionOf);
      return servers
        .filter(({ host }) => !isOnThisMachine(host))
        .map((each) => encryptionFinding(each, setting));
    } catch {
      // A certificate file cannot be read. The finding about the store names it.
      return [];
    }
  });
}

/** Checks whether the host is on this machine: a socket in the file system, or an address that leads back here. */
const isOnThisMachine = (host: string): boolean =>
  /^(?:|\/.*|localhost\.?|127(?:\.\d{1,3}){3}|::1)$/i.test(host);

function encryptionFinding({ host, isEncrypted }: Encrypting, setting: string): Finding {
  const what = 'encryption';
  if (isEncrypted) {
    return { what, state: 'ok', detail: `The connection to PostgreSQL at ${host} is encrypted.` };
  }
  return {
    what,
    state: 'lacking',
    detail: `The connection to PostgreSQL at ${host} is not encrypted, so it can be read in transit.`,
    change: 'Add sslmode=verify-full to its address if others can reach the network in between.',
    settings: [setting],
  };
}

/** Returns findings about channels that cannot send, such as those of data copied without its key. */
async function channelFindings(
  app: App,
  { operatorChannel: id }: Config,
): Promise<readonly Finding[]> {
  const locked = await (await app.watching()).lockedChannels();
  if (locked !== null) return [{ what: 'channels', state: 'failed', detail: locked }];
  if (id === '' || isUsable(await app.store.channels.findOfAny(id))) return [];
  return [{ what: 'operator', state: 'failed', detail: unusableText(id) }];
}

/**
 * Returns what to do if opening the data with this program would change its schema, or if the program does not know that
 * schema. Null otherwise.
 */
async function otherVersion(config: Config): Promise<Finding | null> {
  const what = 'store';
  const own = newestVersion();
  const found = await readSchemaVersion(storeOf(config));
  if (found === null || found === own) return null;
  const detail = `The data has schema version ${found}, this program ${own}`;
  return found < own
    ? { what, state: 'lacking', detail: `${detail}: back up the data, then start the service.` }
    : { what, state: 'failed', detail: `${detail}: use the newer program.` };
}

/** Why there was no response, in words for the operator. */
const UNREACHED: Readonly<Record<FetchFailureKind, string>> = {
  refused: 'its name cannot be resolved here, or does not resolve to a public address',
  unresolved: 'the name servers do not answer',
  unsent: 'no connection could be opened',
  timeout: 'it did not answer in time',
  reset: 'the connection was closed',
  busy: 'requests to it are paused now',
  throttled: 'the calls that it allows are taken',
  egress: 'the proxy cannot be used',
  too_large: 'the response is too large',
  bad_encoding: 'the encoding of the response is broken',
  bad_response: 'the response is not valid HTTP',
  untrusted:
    'its certificate cannot be trusted: the clock is wrong, or something in between intercepts encrypted traffic',
  redirect_loop: 'it redirects in a loop',
  robots: 'its robots.txt forbids it',
  license: 'it asks for a licence',
};

/** Sends one request through the guard. It shows whether name resolution, the network and the clock work correctly. */
async function egressFindings(app: App, { io }: CommandInput): Promise<readonly Finding[]> {
  const origin = publicOrigins().retailer_w.page;
  const outcome = await (
    await app.outside()
  ).fetchPage(
    { url: `${origin}/robots.txt`, accept: 'html', isOfficial: true },
    app.lookupContext(io.stop),
  );
  const what = 'internet';
  if (!outcome.ok) {
    const { kind, detail } = outcome.failure;
    return [
      {
        what,
        state: 'failed',
        detail: `A page of retailer_w could not be fetched: ${UNREACHED[kind]} (${detail}).`,
        change:
          kind === 'untrusted'
            ? 'Set the clock; to trust an authority of your own, set NODE_EXTRA_CA_CERTS in the environment to its file.'
            : 'Check the network, the name servers and the proxy of this machine.',
        settings: [SETTINGS.dnsServers.name, SETTINGS.egressProxy.name],
      },
    ];
  }
  const { status, headers } = outcome.page;
  const reached: Finding = {
    what,
    state: 'ok',
    detail: `Names are resolved and retailer_w answers (status ${status}).`,
  };
  return [reached, clockFinding(Date.parse(headers['date'] ?? ''))];
}

function clockFinding(theirMs: number): Finding {
  const what = 'clock';
  if (Number.isNaN(theirMs))
    return {
      what,
      state: 'lacking',
      detail: 'The response of retailer_w does not state the time.',
    };
  return judgedFinding(what, judgeClock(systemClock.now() - theirMs, 'this machine'));
}

/** Returns findings about official APIs, and missing settings: credentials, the search engine, channels, contact. */
async function retailerFindings(
  app: App,
  config: Config,
  { values, io }: CommandInput,
): Promise<readonly Finding[]> {
  const { listRetailers, probeSources } = await app.outside();
  const isProbed = values['probe'] === true;
  const probed = isProbed ? await probeSources(app.lookupContext(io.stop)) : null;
  const states = await listRetailers();
  const lacks = lacksOf(config, states).map(({ what, change, settings }): Finding => ({
    what: 'settings',
    state: 'lacking',
    detail: what,
    change,
    settings,
  }));
  return [
    ...sourceFindings(states, probed),
    ...lacksOfRetailers(states.retailers).map(ofRetailer),
    ...lacks,
  ];
}

/** Returns what would be needed for a retailer, in one line. */
function ofRetailer({ retailer, what, change, settings }: RetailerLack): Finding {
  return { what: retailer, state: 'lacking', detail: `${what} ${change}`, settings };
}
