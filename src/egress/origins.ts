// OPENSHELF_ORIGINS (D5): sends requests for some origins to other ones, for tests, recorded pages and a company's own mirror.
// Pure. Only targets listed here may be loopback or private.

/** Both directions of the mapping. Every key and target is an origin without a path, and without a dot after the host. */
export type OriginMap = {
  /** Returns the target for this origin (`https://www.example.com`); null if it is not mapped. */
  targetOf(origin: string): URL | null;
  /** Returns the mapped origin of this target: the first in the list if several share it; null if there is none. */
  originOf(target: string): string | null;
  readonly size: number;
  /** Whether a target is on this machine. */
  readonly hasLoopback: boolean;
};

/** The map with the valid entries, and a sentence for each invalid one. */
type ParsedOrigins = {
  readonly origins: OriginMap;
  readonly problems: readonly string[];
};

/** Parses `from=to,from=to`. All problems are listed, so that the operator can correct them at once. */
export function parseOrigins(text: string): ParsedOrigins {
  const problems: string[] = [];
  const pairs = new Map<string, URL>();
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  for (const entry of entries.filter((entry) => entry !== '')) {
    const parts = entry.split('=').map((part) => part.trim());
    const [from, to] = parts.map(originUrl);
    const problem =
      parts.length !== 2
        ? `"${entry}" is not of the form https://shop.example=http://127.0.0.1:4010`
        : pairProblem(parts, from ?? null, to ?? null);
    if (problem !== null) problems.push(`OPENSHELF_ORIGINS: ${problem}`);
    else if (from && to && pairs.has(from.origin)) {
      problems.push(`OPENSHELF_ORIGINS: ${from.origin} is mapped twice`);
    } else if (from && to) pairs.set(from.origin, to);
  }
  return { origins: originMap(pairs), problems };
}

function pairProblem(parts: readonly string[], from: URL | null, to: URL | null): string | null {
  if (from === null) return `"${parts[0]}" is not an origin like https://www.example.com`;
  if (to === null) return `"${parts[1]}" is not an origin like http://127.0.0.1:4010`;
  return null;
}

/** Parses an http or https address that is only an origin; otherwise null. */
function originUrl(text: string): URL | null {
  if (!/^https?:\/\/[^/?#@%\\\s]+\/?$/i.test(text)) return null;
  const url = URL.parse(text);
  return url === null ? null : URL.parse(withoutDot(url.origin));
}

/** Returns the origin without the DNS dot that may follow its host. */
function withoutDot(origin: string): string {
  return origin.replace(/\.(?=:\d+$|$)/, '');
}

function originMap(pairs: ReadonlyMap<string, URL>): OriginMap {
  const back = new Map<string, string>();
  for (const [from, to] of pairs) {
    if (!back.has(to.origin)) back.set(to.origin, from);
  }
  return {
    targetOf: (origin) => pairs.get(withoutDot(origin)) ?? null,
    originOf: (target) => back.get(withoutDot(target)) ?? null,
    size: pairs.size,
    hasLoopback: [...pairs.values()].some(({ hostname }) =>
      /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname),
    ),
  };
}

/** Returns the part of a map for these origins. */
export function onlyOrigins(map: OriginMap, origins: readonly string[]): OriginMap {
  const pairs = new Map<string, URL>();
  for (const origin of origins) {
    const target = map.targetOf(origin);
    if (target !== null) pairs.set(origin, target);
  }
  return originMap(pairs);
}

/** The map of an installation without mapped origins. */
export const NO_ORIGINS: OriginMap = originMap(new Map());
