// Every setting of the service, once. The check at startup, the type of the settings, `.env.example`, the table in
// docs/run/settings.md and the list in `openshelf serve --help` are all generated from this table. Credentials of official
// APIs are settings too; they follow from the retailers' sources (read/retailers/credentials.ts).

import { LIMIT_SETTINGS, STOP_SETTINGS } from './limit-settings.ts';
import { NOTICE_SETTINGS } from './notice-settings.ts';
import { sourceLimits } from './source-limits-setting.ts';
import { termsOfSources } from './terms-setting.ts';
import { WATCH_SETTINGS } from './watch-settings.ts';
import {
  agentProfileAddress,
  anyText,
  barcodeDatabases,
  contactAddress,
  currencyCode,
  databaseUrl,
  deniedHosts,
  dnsServers,
  folderPath,
  hostName,
  hostNames,
  httpsOrigin,
  proxyAddress,
  optional,
  originList,
  originMap,
  processRoles,
  replicaUrl,
  secretsKey,
  signatureForm,
  socketAddress,
  trueOrFalse,
  wholeNumber,
  type SettingKind,
} from './setting-kinds.ts';

export type Setting<T> = {
  /** The environment variable. */
  readonly name: string;
  /** The command option that overrides the variable. */
  readonly flag?: string;
  readonly kind: SettingKind<T>;
  /** The value if the setting is not set; empty if there is none. */
  readonly default: string;
  /** The text in docs/run/settings.md in place of an empty default, if that is not `none`. */
  readonly unset?: string;
  /** One line for `.env.example` and `--help`. */
  readonly line: string;
  /** The text of docs/run/settings.md, in Markdown, if it has more detail than the line. */
  readonly page?: string;
};

/** The settings in documentation order. The keys are the fields of the values read. */
export const SETTINGS = {
  host: {
    name: 'HOST',
    flag: 'host',
    kind: hostName,
    default: '127.0.0.1',
    line: 'Address to listen on.',
    page: 'Address to listen on. An empty value listens on every address of the machine.',
  },
  port: {
    name: 'PORT',
    flag: 'port',
    kind: wholeNumber(0, 65_535),
    default: '8790',
    line: 'Port to listen on; 0 picks a free one.',
    page: 'Port to listen on; `0` picks a free one.',
  },
  dataDir: {
    name: 'OPENSHELF_DATA',
    flag: 'data',
    kind: folderPath,
    default: './data',
    line: 'Folder of the embedded SQLite database; it is created if it does not exist.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    kind: databaseUrl,
    default: '',
    line: 'PostgreSQL database to use instead of the data folder: postgres://user:password@host:5432/database',
    page:
      'PostgreSQL database that stores all data instead of the data folder ([databases.md](databases.md)): ' +
      '`postgres://user:password@host:5432/database`. It may list several servers, `a:5432,b:5432`; the one ' +
      'that accepts writes is used ([cluster.md](cluster.md#replicas-and-failover)). Keep it secret. Cannot be ' +
      'combined with `--data`.',
  },
  readUrl: {
    name: 'OPENSHELF_READ_URL',
    kind: optional(replicaUrl),
    default: '',
    line: 'PostgreSQL standby of the database in DATABASE_URL; it may answer reads of stored products.',
    page:
      'PostgreSQL standby of the database in `DATABASE_URL`, which must be set too. It answers reads of stored ' +
      'products while it is at most 0.5 s behind ([cluster.md](cluster.md#replicas-and-failover)). Keep it secret.',
  },
  workers: {
    name: 'OPENSHELF_WORKERS',
    flag: 'workers',
    kind: wholeNumber(1, 256),
    default: '1',
    line: 'Number of processes that share the port; more than one requires DATABASE_URL.',
    page:
      'Number of processes that share the port (`--workers`). More than one requires `DATABASE_URL` ' +
      '([cluster.md](cluster.md)).',
  },
  roles: {
    name: 'OPENSHELF_ROLE',
    flag: 'role',
    kind: processRoles,
    default: 'api,indexer',
    line: 'What each process does: api (answers calls), indexer (works in the background), or both.',
    page:
      'What each process does (`--role`): `api` answers calls; `indexer` works in the background and answers ' +
      'health checks and metrics only. Specifying only one of them requires `DATABASE_URL`.',
  },
  contact: {
    name: 'OPENSHELF_CONTACT',
    kind: optional(contactAddress),
    default: '',
    line: 'E-mail or https:// address at which a shop can reach you; sent as part of the User-Agent.',
    page:
      'E-mail address or `https://` address at which a shop can reach you. It is part of the User-Agent: ' +
      '`openshelf/<version> (+<contact>)`. A warning is logged at each start until it is set.',
  },
  agentProfile: {
    name: 'OPENSHELF_AGENT_PROFILE',
    kind: optional(agentProfileAddress),
    default: '',
    line: 'Public https:// address of the profile that this service serves at /.well-known/ucp; turns on shop catalogues by UCP.',
    page:
      'Public `https://` address of the profile that this service serves at `/.well-known/ucp`, or of a copy. With it, ' +
      'shops are asked through their catalogues ([retailers.md](retailers.md#catalogues-of-other-shops)).',
  },
  hostIntervalMs: {
    name: 'OPENSHELF_HOST_INTERVAL_MS',
    kind: wholeNumber(0, 3_600_000),
    default: '1000',
    line: 'Milliseconds between two requests to the same shop; requests to origins of OPENSHELF_ORIGINS are not paced.',
    page: 'Milliseconds between two requests to the same shop. Requests to origins of `OPENSHELF_ORIGINS` are not paced.',
  },
  maxConcurrent: {
    name: 'OPENSHELF_MAX_CONCURRENT',
    kind: wholeNumber(1, 1_000),
    default: '32',
    line: 'Maximum number of requests in progress to all shops together; each shop receives one at a time.',
  },
  terms: {
    name: 'OPENSHELF_TERMS',
    kind: termsOfSources,
    default: '',
    unset: '`default`',
    line: 'Exceptions to the default terms of official APIs, such as retailer_e.browse:price_hours=24,merge=yes;...',
    page:
      'Exceptions to the [default terms](terms.md) of official APIs and feeds, for which you have permission: ' +
      '`retailer_e.browse:price_hours=24,merge=yes;retailer_b.products:history=yes`. `default`: there are ' +
      'none. `off`: no terms are applied, as suits simulated shops; this is the default when ' +
      '`OPENSHELF_ORIGINS` has a loopback address.',
  },
  sourceLimits: {
    name: 'OPENSHELF_SOURCE_LIMITS',
    kind: sourceLimits,
    default: '',
    unset: 'as documented',
    line: 'Requests in 24 hours to official APIs: retailer_a.creators=8640,retailer_e.browse=none,...',
    page:
      'Requests in 24 hours to official APIs: `retailer_a.creators=8640,retailer_e.browse=none`. By default ' +
      '`retailer_e.browse` and `retailer_w.affiliate` get 5000, `retailer_b.products` 50000, others any number.',
  },
  origins: {
    name: 'OPENSHELF_ORIGINS',
    kind: originMap,
    default: '',
    line: 'Origins whose requests are sent to another origin: https://shop.example.com=http://127.0.0.1:4010,...',
    page:
      '`https://shop.example.com=http://127.0.0.1:4010,...`: requests for the first origin are sent to the ' +
      'second, for tests, recorded pages or a mirror of your own. Only origins listed here may be on a ' +
      'loopback or private address. For notices it applies only to the services that receive them ' +
      '([watches](../use/watches.md#channels)).',
  },
  dnsServers: {
    name: 'OPENSHELF_DNS_SERVERS',
    kind: dnsServers,
    default: '',
    unset: "the system's",
    line: "DNS servers to use instead of the system's, separated by commas: 9.9.9.9,149.112.112.112",
    page:
      'Addresses of DNS servers to use, separated by commas: `192.0.2.1`, `192.0.2.1:53` or ' +
      "`[2001:db8::1]:53`. If none is set, the names of shops are resolved by the machine's own DNS servers; " +
      'its hosts file and search domains apply only to hosts in settings.',
  },
  deny: {
    name: 'OPENSHELF_DENY',
    kind: deniedHosts,
    default: '',
    line: 'Hosts (including those below them) and networks that are never contacted, separated by commas.',
    page:
      'Hosts and networks that are never contacted, separated by commas: `shop.example,198.51.100.0/24`. A ' +
      'host covers every host below it; a network is compared with the addresses to which a name resolves. A ' +
      'call for such an address is refused like one for any address that may not be fetched, and so is a ' +
      'receiver of notices.',
  },

  currency: {
    name: 'OPENSHELF_CURRENCY',
    kind: currencyCode,
    default: 'USD',
    line: 'Currency of prices if a call specifies none: an ISO 4217 code. Prices are not converted.',
    page:
      'Currency, an ISO 4217 code, of prices in responses to calls without `currency=`, and of watches created ' +
      'without one. Only prices stated in it are shown and compared; nothing is converted ' +
      '([lookups](../use/lookups.md#currency)). Existing watches keep their currency.',
  },
  pictures: {
    name: 'OPENSHELF_PICTURES',
    kind: trueOrFalse,
    default: 'true',
    line: 'Whether the console shows product images, which the service fetches like pages.',
    page:
      'Whether the console shows product images. The service fetches them like pages (guard, `robots.txt`, ' +
      'pacing), accepts at most 2 MiB each, and caches them in memory for ten minutes.',
  },
  egressProxy: {
    name: 'OPENSHELF_EGRESS_PROXY',
    kind: optional(proxyAddress),
    default: '',
    line: 'Proxy for all requests to shops and to receivers of notices: http://proxy.example.com:3128',
    page:
      '`http://` or `https://` address of a proxy for all requests to shops and to public receivers of ' +
      'notices. The proxy variables that other programs use (such as `HTTPS_PROXY`) are not read.',
  },
  searxngUrl: {
    name: 'OPENSHELF_SEARXNG_URL',
    kind: anyText,
    default: '',
    line: 'Address of your own SearXNG with the format json; it finds pages of retailers without a barcode search.',
    page:
      'Address of your own SearXNG with the format `json`; it finds product pages of retailers without a ' +
      'barcode search ([search engines](retailers.md#search-engines)). It may be on a private address.',
  },
  braveApiKey: {
    name: 'OPENSHELF_BRAVE_API_KEY',
    kind: anyText,
    default: '',
    line: 'Key of the Brave Search API, which finds product pages if OPENSHELF_SEARXNG_URL is not set.',
    page: 'Key of the Brave Search API, which finds product pages if `OPENSHELF_SEARXNG_URL` is not set. Keep it secret.',
  },
  barcodeDatabases: {
    name: 'OPENSHELF_BARCODE_DATABASES',
    kind: barcodeDatabases,
    default: 'live',
    line:
      'The source that names products that no retailer has: live (needs OPENSHELF_CONTACT), ' +
      'off, or the path of a dump.',
    page:
      'The source that names a product that no retailer has, in single lookups. `live` asks ' +
      'Open Food Facts, its sister databases or Open Library, if `OPENSHELF_CONTACT` is set; ' +
      '`off` asks none. With the path of a dump of Open Food Facts (JSONL or CSV, also `.gz`), ' +
      'no database is asked, and `openshelf import --barcodes` stores the dump.',
  },
  trustedShops: {
    name: 'OPENSHELF_TRUSTED_SHOPS',
    kind: hostNames,
    default: '',
    line: 'Hosts of shops whose pages are trusted to state barcodes, like those of the seven retailers, separated by commas.',
    page:
      'Hosts of shops whose pages are trusted to state barcodes, separated by commas; each ' +
      'covers its subdomains. Other shops are not trusted, because anyone can print any ' +
      'barcode.',
  },
  barcodeShops: {
    name: 'OPENSHELF_BARCODE_SHOPS',
    kind: hostNames,
    default: '',
    line: 'Hosts of Shopify stores that are searched for a barcode first, separated by commas.',
    page: 'Hosts of Shopify stores that are searched for a barcode first, and trusted like `OPENSHELF_TRUSTED_SHOPS`.',
  },
  identityUrl: {
    name: 'OPENSHELF_IDENTITY_URL',
    kind: optional(httpsOrigin),
    default: '',
    line: 'https:// origin that publishes the key with which requests to shops are signed; openshelf identity makes the key.',
    page:
      '`https://` origin that publishes the key of this installation ([retailers](retailers.md#signed-requests)). ' +
      'Requests to shops are signed (Web Bot Auth) if it is set and there is a key.',
  },
  identityKey: {
    name: 'OPENSHELF_IDENTITY_KEY',
    kind: optional(secretsKey),
    default: '',
    line:
      'The key that `openshelf identity create` prints, for PostgreSQL. Without it, a file `identity.key` in the ' +
      'data folder is used. Keep it secret.',
  },
  signatureForm: {
    name: 'OPENSHELF_SIGNATURE_FORM',
    kind: signatureForm,
    default: 'string',
    line:
      'The form of the Signature-Agent header for hosts that have not accepted a signature ' +
      'yet: string or dictionary.',
  },
  licensedShops: {
    name: 'OPENSHELF_LICENSED_SHOPS',
    kind: hostNames,
    default: '',
    line: 'Hosts of shops whose licence you hold, separated by commas; a host covers its subdomains.',
  },
  trustProxy: {
    name: 'OPENSHELF_TRUST_PROXY',
    kind: trueOrFalse,
    default: 'false',
    line: 'Set to true behind a reverse proxy that sets X-Forwarded-For; idle connections then stay open for 65 s, not 5 s.',
    page:
      'Set to `true` behind a reverse proxy: idle connections then stay open for 65 s instead of 5 s, and the ' +
      'client address is the last one in `X-Forwarded-For`, which the proxy adds.',
  },
  corsOrigins: {
    name: 'OPENSHELF_CORS_ORIGINS',
    kind: originList,
    default: '',
    line: 'Origins whose pages may call the API from a browser: https://app.example.com,...',
    page: 'Origins whose pages may call the API from a browser, separated by commas.',
  },
  metrics: {
    name: 'OPENSHELF_METRICS',
    kind: optional(socketAddress),
    default: '',
    line: 'Address at which to serve /metrics: 127.0.0.1:9464. If unset, PORT serves /metrics to callers on this machine.',
    page:
      'Address at which to serve `/metrics`, to everyone who can reach it: `127.0.0.1:9464`. If unset, `PORT` ' +
      'serves `/metrics` to callers on the same machine only ([monitoring.md](monitoring.md#metrics)). With ' +
      'several workers, worker 1 uses this port, worker 2 the next one, and so on.',
  },
  keepObservationsDays: {
    name: 'OPENSHELF_KEEP_OBSERVATIONS_DAYS',
    kind: optional(wholeNumber(181, 36_500)),
    default: '',
    unset: 'forever',
    line:
      'Days (181 or more) for which every price observation is stored; of older days only those that form ' +
      'their bars are.',
    page:
      'Days (181 or more) for which every price observation is stored. For older days only the observations ' +
      'that form their bars are stored ([history](../how/history.md)); the others are deleted.',
  },
  keepBarsYears: {
    name: 'OPENSHELF_KEEP_BARS_YEARS',
    kind: optional(wholeNumber(1, 100)),
    default: '',
    unset: 'forever',
    line: 'Calendar years before this one (1 or more) of which price history is stored; older history is deleted.',
  },
  requestLog: {
    name: 'OPENSHELF_REQUEST_LOG',
    kind: trueOrFalse,
    default: 'true',
    line: 'Whether to log one line for every answered request.',
    page: 'Whether to log one line for every answered request ([monitoring.md](monitoring.md#the-log)).',
  },
  cacheMb: {
    name: 'OPENSHELF_CACHE_MB',
    kind: wholeNumber(0, 1_000_000),
    default: '96',
    line: 'Megabytes of responses to cache for reuse until their data changes; 0 disables the cache.',
    page:
      'Megabytes of responses to cache for reuse until their data changes ([speed](../how/speed.md)); by default ' +
      'less if the machine or container has less than 768 MB; `0` disables the cache. Reads from a replica (`OPENSHELF_READ_URL`) are not cached.',
  },
  apiKey: {
    name: 'OPENSHELF_API_KEY',
    kind: anyText,
    default: '',
    line: 'API key of another service, for commands that are given its address with --url.',
    page:
      'API key of another service, for commands that are given its address with `--url` ' +
      '([sheets](../use/sheets.md)). Keep it secret; the service itself does not read it.',
  },
  ...LIMIT_SETTINGS,
  ...STOP_SETTINGS,
  ...WATCH_SETTINGS,
  ...NOTICE_SETTINGS,
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingField = keyof typeof SETTINGS;

/** The values read, by field. */
export type SettingValues = {
  readonly [Field in SettingField]: (typeof SETTINGS)[Field]['kind'] extends SettingKind<infer T>
    ? T
    : never;
};
