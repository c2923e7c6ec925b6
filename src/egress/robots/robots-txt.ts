// robots.txt by RFC 9309: parses the groups that address us and matches a path against their rules. Pure; its time is limited
// by the size of the file and of the path. The robots gate fetches and caches the file.

import { isWild, literalPath, matches, MAX_PATTERN, patternOf } from './path-pattern.ts';
import {
  addUsage,
  emptyDraft,
  isUsageField,
  usageRules,
  type UsageDraft,
  type UsageRules,
} from './usage-rules.ts';

/** Maximum bytes read; RFC 9309 2.5 requires at least 500 KiB. */
export const ROBOTS_MAX_BYTES = 500 * 1024;

type RobotsRule = { readonly allow: boolean; readonly pattern: string };

export type RobotsPolicy = {
  readonly rules: readonly RobotsRule[];
  /** Seconds, as written; null when absent. Outside the RFC, widely obeyed. */
  readonly crawlDelaySeconds: number | null;
  /** The rules about the use of pages; null if there are none. */
  readonly usage: UsageRules | null;
};

export const ALLOW_ALL: RobotsPolicy = { rules: [], crawlDelaySeconds: null, usage: null };

/**
 * Maximum rules with a wildcard, whose cost is proportional to the path. For further rules, only the part before the wildcard
 * counts.
 */
const MAX_WILDCARD_RULES = 2_000;

/**
 * Maximum path characters times wildcard rules compared for one address: 2,000 rules and a path of 250. That takes a few
 * milliseconds.
 */
const MATCHING_COST = 500_000;

type Group = { readonly rules: RobotsRule[]; readonly usage: UsageDraft; delay: number | null };

/** Lines between two pauses: under a millisecond of work. */
const LINES_AT_ONCE = 250;

/**
 * Merges the rules of every group for `token`, or of every group for `*` if there is none (RFC 9309 2.2.1). It pauses
 * regularly, so that the caller can let other work run: 500 KB took up to a second without pauses.
 */
export async function parseRobots(
  text: string,
  token: string,
  pause: () => Promise<void>,
): Promise<RobotsPolicy> {
  const named: Group = { rules: [], usage: emptyDraft(), delay: null };
  const general: Group = { rules: [], usage: emptyDraft(), delay: null };
  /** Lines before the first group apply to the whole file. */
  const ofFile = emptyDraft();
  let seenNamed = false;
  let isInGroup = false;
  // A set, because a file may name the same agent thousands of times before one rule.
  let current = new Set<Group>();
  let readingAgents = false;
  let lines = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    lines += 1;
    if (lines % LINES_AT_ONCE === 0) await pause();
    const field = fieldOf(line.startsWith('\ufeff') ? line.slice(1) : line);
    if (field === null) continue;
    if (field.name === 'user-agent') {
      if (!readingAgents) current = new Set();
      readingAgents = true;
      isInGroup = true;
      if (isToken(field.value, token)) {
        seenNamed = true;
        current.add(named);
      } else if (field.value === '*') current.add(general);
    } else if (field.name === 'allow' || field.name === 'disallow') {
      readingAgents = false;
      const rule = current.size === 0 ? null : ruleOf(field.name === 'allow', field.value);
      if (rule !== null) for (const group of current) group.rules.push(rule);
    } else if (field.name === 'crawl-delay' && /^\d{1,7}(?:\.\d{1,6})?$/.test(field.value)) {
      for (const group of current) group.delay = Math.max(group.delay ?? 0, Number(field.value));
    } else if (isUsageField(field.name)) {
      readingAgents = false;
      // Rules about use belong to a group; only a licence may apply to the whole file.
      if (!isInGroup && field.name === 'license') addUsage(ofFile, field.name, field.value);
      for (const group of current) addUsage(group.usage, field.name, field.value);
    }
  }
  const chosen = seenNamed ? named : general;
  const usage = usageRules(chosen.usage, ofFile);
  return { rules: bounded(chosen.rules), crawlDelaySeconds: chosen.delay, usage };
}

/** Parses a rule; null for an empty pattern, which has no effect. A truncated pattern disallows more, never less. */
function ruleOf(allow: boolean, value: string): RobotsRule | null {
  if (value.length > MAX_PATTERN && allow) return null;
  const pattern = patternOf(value);
  return pattern === '' ? null : { allow, pattern };
}

function fieldOf(line: string): { readonly name: string; readonly value: string } | null {
  const hash = line.indexOf('#');
  const content = hash < 0 ? line : line.slice(0, hash);
  const colon = content.indexOf(':');
  if (colon < 0) return null;
  return {
    name: content.slice(0, colon).trim().toLowerCase(),
    value: content.slice(colon + 1).trim(),
  };
}

/** Whether the value is the product token: letters, `_` and `-`, compared without case. A version after it is ignored. */
function isToken(value: string, token: string): boolean {
  return /^[a-z_-]+/i.exec(value)?.[0].toLowerCase() === token.toLowerCase();
}

/**
 * Truncates wildcard rules beyond the limit. A truncated pattern disallows more, never less: an `Allow` beyond the limit is
 * dropped.
 */
function bounded(rules: readonly RobotsRule[]): readonly RobotsRule[] {
  let wildcards = 0;
  return rules.flatMap((rule) => {
    if (!isWild(rule.pattern)) return [rule];
    wildcards += 1;
    if (wildcards <= MAX_WILDCARD_RULES) return [rule];
    return rule.allow ? [] : [{ allow: false, pattern: beforeWildcard(rule.pattern) }];
  });
}

function beforeWildcard(pattern: string): string {
  return pattern.slice(0, pattern.indexOf('*')) || '/';
}

/**
 * Whether the policy allows the path: the longest pattern wins, Allow wins a tie, no match allows (RFC 9309 2.2.2). Wildcard
 * rules beyond the comparison limit are treated like truncated ones.
 */
export function isAllowed(policy: RobotsPolicy, pathAndQuery: string): boolean {
  const path = literalPath(pathAndQuery);
  if (path === '/robots.txt') return true;
  let best: RobotsRule | null = null;
  let left = MATCHING_COST;
  for (const rule of policy.rules) {
    const longer = best === null || rule.pattern.length > best.pattern.length;
    const tie = best !== null && rule.pattern.length === best.pattern.length && rule.allow;
    if (!longer && !tie) continue;
    if (isWild(rule.pattern)) left -= path.length;
    if (left >= 0 ? matches(rule.pattern, path) : mayMatch(rule, path)) best = rule;
  }
  return best === null || best.allow;
}

/** Like `matches`, but ignores everything after a wildcard: it disallows more, never less. */
function mayMatch({ allow, pattern }: RobotsRule, path: string): boolean {
  if (!isWild(pattern)) return matches(pattern, path);
  return !allow && path.startsWith(beforeWildcard(pattern));
}
