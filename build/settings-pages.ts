// Renders the settings table of src/edge/settings as the files that people read: `.env.example` and docs/run/settings.md.

import { CREDENTIAL_LINES, CREDENTIAL_NAMES } from '../src/read/retailers/credentials.ts';
import { SETTINGS, type Setting } from '../src/edge/settings/settings-table.ts';

/**
 * The settings by purpose, the most needed purpose first; each list is in reading order. A setting without a group is missing
 * on both pages: `tests/docs.test.ts` reports it.
 */
const GROUPS = {
  'Basic settings': ['contact', 'port', 'host', 'dataDir', 'databaseUrl', 'secretsKey', 'currency'],
  'Requests to shops': [
    'hostIntervalMs',
    'maxConcurrent',
    'agentProfile',
    'egressProxy',
    'dnsServers',
    'deny',
    'terms',
    'sourceLimits',
    'origins',
    'trustedShops',
    'barcodeShops',
    'licensedShops',
    'identityUrl',
    'identityKey',
    'signatureForm',
    'searxngUrl',
    'braveApiKey',
    'barcodeDatabases',
    'pictures',
  ],
  'Watches and notices': [
    'smtpServer',
    'smtpFrom',
    'publicUrl',
    'notifyAllow',
    'maxWatches',
    'maxWatchedAddresses',
    'maxWatchesOfProduct',
    'maxChannels',
    'operatorChannel',
    'keepChangesDays',
  ],
  'Proxy, log and metrics': ['trustProxy', 'keepAliveMs', 'corsOrigins', 'requestLog', 'metrics'],
  'Several processes': ['workers', 'roles', 'readUrl'],
  'Memory and retention': ['cacheMb', 'keepObservationsDays', 'keepBarsYears'],
  'Limits for callers': [
    'maxConnections',
    'maxPerAddress',
    'maxPipelined',
    'maxRequestsPerConnection',
    'headerMs',
    'sendMs',
    'maxLookups',
    'maxFetching',
    'maxWriting',
    'maxWaitMs',
  ],
  Shutdown: ['drainDelayMs', 'drainMs'],
  'Commands that call another service': ['apiKey'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof SETTINGS)[]>>;

const BY_GROUP = Object.entries(GROUPS).map(([title, keys]) => ({
  title,
  rows: keys.map((key): Setting<unknown> => SETTINGS[key]),
}));

/** Returns the full text of `.env.example`. */
export function envExample(): string {
  const settings = BY_GROUP.flatMap(({ title, rows }) => [
    '',
    `# --- ${title}`,
    ...rows.flatMap(({ name, line, default: text }) => ['', `# ${line}`, `#${name}=${text}`]),
  ]);
  const lines = [
    '# Settings of openshelf with their defaults, written by `npm run docs -- settings`. See docs/run/settings.md.',
    '# Remove the # before a name to set it. The service refuses to start with a variable that begins with ' +
      'OPENSHELF_ and is not listed here.',
    ...settings,
    '',
    '# --- Official APIs and public endpoints of the known retailers: docs/run/settings.md, "Retailers".',
    ...CREDENTIAL_NAMES.map((name) => `#${name}=`),
  ];
  return `${lines.join('\n')}\n`;
}

const TABLES: Readonly<Record<string, () => readonly string[]>> = {
  settings: () =>
    BY_GROUP.flatMap(({ title, rows }, at) => [
      ...(at === 0 ? [] : ['']),
      `## ${title}`,
      '',
      '| Name | Default | What it does |',
      '|---|---|---|',
      ...rows.map((row) => `| \`${row.name}\` | ${shownDefault(row)} | ${row.page ?? row.line} |`),
    ]),
  credentials: () => [
    '| Name | What it is |',
    '|---|---|',
    ...CREDENTIAL_NAMES.map((name) => `| \`${name}\` | ${CREDENTIAL_LINES[name] ?? ''} |`),
  ],
};

/** Returns docs/run/settings.md with its tables regenerated; the text outside their marks is unchanged. */
export function withTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, rows]) => {
    const [begin, end] = [
      `<!-- ${name}: npm run docs -- settings -->\n`,
      `<!-- end of ${name} -->`,
    ];
    const from = text.indexOf(begin);
    const to = text.indexOf(end);
    if (from === -1 || to < from) throw new Error(`the page has no markers for the table ${name}`);
    const table = rows()
      .map((row) => `${row}\n`)
      .join('');
    return `${text.slice(0, from)}${begin}\n${table}\n${text.slice(to)}`;
  }, page);
}

function shownDefault({ default: text, unset = 'none' }: Setting<unknown>): string {
  return text === '' ? unset : `\`${text}\``;
}
