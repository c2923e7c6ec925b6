// The plan of the source tree as data: who may import whom, which package belongs where, where time and
// chance may come in. A new room, package or exception is a line here, so it shows in review.

/** Room (folder, or file at the top) → rooms or single files it may import besides itself. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  extract: ['domain'],
  retailers: ['domain', 'extract'],
  fetch: ['domain'],
  store: ['domain'],
  wire: ['domain'],
  // It may not know the readers: a simulator that shares code with them proves nothing.
  sandbox: ['domain'],
  reading: ['domain', 'retailers'],
  metering: ['domain', 'store'],
  lookup: ['domain', 'retailers', 'store'],
  indexer: ['domain', 'store', 'lookup'],
  metrics: ['domain', 'retailers', 'store'],
  http: ['domain', 'wire', 'lookup', 'metering', 'metrics', 'log.ts'],
  'log.ts': [],
  'package-files.ts': ['domain', 'http/examples.ts'],
  'config.ts': [
    'domain/retention.ts',
    'store/database-url.ts',
    'process-roles.ts',
    'fetch/origins.ts',
    'retailers/credentials.ts',
    'retailers/search-providers.ts',
  ],
  'process-roles.ts': [],
  'app.ts': ['*'],
  // A part of the composition root.
  'wired-asking.ts': ['*'],
  cli: ['*'],
  'main.ts': ['cli', 'config.ts'],
};

/** Package or Node module → the files that may import it. What is not listed may be imported by nobody. */
export const PACKAGES: Readonly<Record<string, RegExp>> = {
  undici: /^fetch\//,
  tldts: /^(?:retailers\/shop-slug|fetch\/(?:chain|host-limiter))\.ts$/,
  zod: /^(?:wire|http)\//,
  '@hono/zod-openapi': /^(?:wire|http)\//,
  '@hono/node-server': /^http\//,
  hono: /^http\//,
  pg: /^store\/postgres-(?:connection|faults)\.ts$/,
  'node:buffer': /^(?:fetch|sandbox)\//,
  // One retailer's official API wants its requests signed.
  'node:crypto':
    /^(?:app\.ts$|metering\/|store\/|retailers\/retailer-w\/affiliate-signature\.ts$|sandbox\/signature\.ts$)/,
  'node:cluster': /^cli\/workers\.ts$/,
  'node:dns': /^fetch\//,
  'node:fs': /^(?:app\.ts$|package-files\.ts$|cli\/|store\/)/,
  'node:http': /^(?:http\/listener|sandbox\/server)\.ts$/,
  'node:module': /^(?:reading|store)\//,
  'node:net': /^fetch\//,
  'node:os': /^(?:fetch|store|reading)\//,
  'node:path': /^(?:app\.ts$|cli\/|store\/)/,
  'node:sqlite': /^store\/sqlite[a-z-]*\.ts$/,
  'node:stream': /^(?:fetch\/|http\/|sandbox\/server\.ts$)/,
  'node:timers': /^(?:app\.ts$|fetch\/|reading\/)/,
  'node:tls': /^fetch\//,
  'node:util': /^cli\//,
  'node:worker_threads': /^(?:reading|store)\//,
  'node:zlib': /^(?:fetch\/|metering\/api-key\.ts$)/,
};

export type Forbidden = {
  readonly what: string;
  readonly pattern: RegExp;
  readonly allowedIn: RegExp;
};

/** Files that own real time: everybody else is handed a clock. */
const OWNERS_OF_TIME =
  /^(?:app\.ts|log\.ts|fetch\/.*|reading\/.*|[a-z/-]+-thread\.ts|http\/listener\.ts)$/;

/** Effects that only some files may reach for. Patterns look at code without comments and literals. */
export const FORBIDDEN: readonly Forbidden[] = [
  { what: 'Date.now', pattern: /\bDate\s*\.\s*now\b/, allowedIn: OWNERS_OF_TIME },
  {
    what: 'new Date()',
    pattern: /\bnew\s+Date\s*(?:\(\s*\)|(?!\s*\())/,
    allowedIn: OWNERS_OF_TIME,
  },
  { what: 'performance.now', pattern: /\bperformance\s*\.\s*now\b/, allowedIn: OWNERS_OF_TIME },
  { what: 'a timer', pattern: /\bset(?:Timeout|Interval)\b/, allowedIn: OWNERS_OF_TIME },
  {
    what: 'setImmediate',
    pattern: /\bsetImmediate\b/,
    allowedIn: /^(?:app\.ts|fetch\/.*|reading\/.*|store\/write-queue\.ts)$/,
  },
  {
    what: 'Math.random',
    pattern: /\bMath\s*\.\s*random\b/,
    allowedIn: /^(?:app\.ts|fetch\/guarded-fetcher\.ts)$/,
  },
  { what: 'process.env', pattern: /\bprocess\s*\.\s*env\b/, allowedIn: /^main\.ts$/ },
  { what: 'process.exit', pattern: /\bprocess\s*\.\s*exit\s*\(/, allowedIn: /^main\.ts$/ },
  {
    what: 'a fetch of its own',
    pattern:
      /(?<![.\w$])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b|\bnew\s+(?:WebSocket|EventSource)\b/,
    // The demo calls the service it has just started, as a caller would.
    allowedIn: /^cli\/demo\.ts$/,
  },
  { what: 'eval', pattern: /\beval\s*\(|\bnew\s+Function\b/, allowedIn: /^$/ },
];

/**
 * Files that nobody imports and that are meant so: the program, the threads it starts, and the matcher, which
 * is measured (`eval/matching.ts`) before any lookup uses it.
 */
export const ENTRY_POINTS = /^(?:main\.ts|[a-z/-]+-thread\.ts)$/;

export const LIMITS = { fileLines: 300, codeColumns: 100, commentColumns: 120 } as const;

/** Names that say nothing about what a file holds. */
export const EMPTY_NAMES =
  /(?:^|\/)(?:index|utils?|helpers?|common|types?|misc|shared|models|services|interfaces|constants)(?:\.ts|\/)/;
