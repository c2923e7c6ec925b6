// Measures the agreement of invented groups (lab/eval/agreement.ts): what a wrong listing affects, and what is lost.

import { HELD_OUT, DEVELOPMENT } from './words.ts';
import { GROUP_KINDS, makeGroup, type GroupKind, type MadeGroup } from './groups.ts';
import type { Matching } from '../../../src/rules/matching/matcher.ts';

type MadeCount = {
  groups: number;
  /** Groups in which the wrong listing may supply values, because it is among those that agree. */
  wrong: number;
  /** Of these, those reported by a disagreement. */
  named: number;
  /** Groups with a wrong listing and a score above 0.5. */
  sure: number;
  sound: number;
  left: number;
  /** Correct groups with a disagreement. */
  doubted: number;
};

const newCount = (): MadeCount => ({
  groups: 0,
  wrong: 0,
  named: 0,
  sure: 0,
  sound: 0,
  left: 0,
  doubted: 0,
});

/** `majority`: two or three correct listings, all of which state what differs; `silent`: one of them omits it. */
const CASES = ['majority', 'silent', 'pair'] as const;
type Case = (typeof CASES)[number];

type MadeTally = Record<Case, Record<GroupKind, MadeCount>>;

function countGroup(matching: Matching, group: MadeGroup, count: MadeCount): void {
  const { listings, wrong } = group;
  const { agreeing, disagreements, score } = matching.agreementOf(listings);
  count.groups += 1;
  const sound = listings.filter((_, at) => at !== wrong);
  count.sound += sound.length;
  count.left += sound.filter((each) => !agreeing.includes(each)).length;
  const intruder = wrong === null ? undefined : listings[wrong];
  if (intruder === undefined) {
    if (disagreements.length > 0) count.doubted += 1;
    return;
  }
  if ((score ?? 0) > 0.5) count.sure += 1;
  if (!agreeing.includes(intruder)) return;
  count.wrong += 1;
  if (disagreements.length > 0) count.named += 1;
}

/** If most listings are correct and none is silent, none of these may reach a record. */
const NONE_WRONG: readonly GroupKind[] = [
  'pack',
  'accessory',
  'bundle',
  'capacity',
  'model',
  'count',
];
const MOST_LEFT = 0.01;
const LEAST_NAMED = 0.8;

/** Returns the goals that a measurement misses, in words. */
export function goalsMissed({ majority }: MadeTally): readonly string[] {
  const counts = Object.values(majority);
  const sum = (key: keyof MadeCount): number => counts.reduce((all, each) => all + each[key], 0);
  const missed = NONE_WRONG.filter((kind) => majority[kind].wrong > 0).map(
    (kind) =>
      `${majority[kind].wrong} wrong listings of kind ${kind} among those that agree, goal 0`,
  );
  const left = sum('left') / Math.max(1, sum('sound'));
  if (left > MOST_LEFT)
    missed.push(`${(100 * left).toFixed(2)} % of sound listings left out, goal 1`);
  const named = sum('named') / Math.max(1, sum('wrong'));
  if (sum('wrong') > 0 && named < LEAST_NAMED) {
    missed.push(`${(100 * named).toFixed(0)} % of the wrong ones that agree are named, goal 80`);
  }
  return missed;
}

type MadeOptions = {
  readonly groups: number;
  readonly seed: number;
  readonly heldOut: boolean;
  readonly onMiss?: (group: MadeGroup) => void;
};

/** Makes the groups and counts; kinds alternate, and in every third group the wrong listing is at the anchor. */
export function measureMade(matching: Matching, options: MadeOptions): MadeTally {
  const { groups, seed, heldOut, onMiss } = options;
  const words = heldOut ? HELD_OUT : DEVELOPMENT;
  const each = (): Record<GroupKind, MadeCount> =>
    Object.fromEntries(GROUP_KINDS.map((kind) => [kind, newCount()])) as Record<
      GroupKind,
      MadeCount
    >;
  const tally: MadeTally = { majority: each(), silent: each(), pair: each() };
  for (let turn = 0; turn < groups; turn += 1) {
    const kind = GROUP_KINDS[turn % GROUP_KINDS.length] as GroupKind;
    const round = Math.floor(turn / GROUP_KINDS.length);
    const rights = round % 7 === 6 ? 1 : round % 3 === 2 ? 3 : 2;
    const at = round % 3 === 0 ? 0 : (round >> 1) % (rights + 1);
    const isNone = kind.startsWith('none');
    const group = makeGroup(words, (heldOut ? 1_000_000_007 : 0) + seed * 100_003 + turn, {
      kind,
      rights: isNone ? Math.max(2, rights) : rights,
      at,
    });
    const of: Case = rights === 1 && !isNone ? 'pair' : group.isSilent ? 'silent' : 'majority';
    const count = tally[of][kind];
    const before = count.wrong + count.left;
    countGroup(matching, group, count);
    if (count.wrong + count.left > before) onMiss?.(group);
  }
  return tally;
}

const LINE = (
  name: string,
  { groups, wrong, named, sure, sound, left, doubted }: MadeCount,
): string =>
  [
    name.padEnd(20),
    ...[groups, wrong, wrong - named, named, sure, left, sound, doubted].map((each) =>
      String(each).padStart(8),
    ),
  ].join('');

/** Formats one line for each kind and case, and the sums. */
export function madeLines(tally: MadeTally): readonly string[] {
  const lines: string[] = [];
  const all = newCount();
  for (const of of CASES) {
    lines.push(
      `${of}:`,
      `${'kind'.padEnd(20)}${['groups', 'wrong', 'unnamed', 'named', '> 0.5', 'left', 'sound', 'doubted'].map((each) => each.padStart(8)).join('')}`,
    );
    for (const kind of GROUP_KINDS) {
      const count = tally[of][kind];
      if (count.groups > 0) lines.push(LINE(kind, count));
      for (const key of Object.keys(all) as (keyof MadeCount)[]) all[key] += count[key];
    }
  }
  return [...lines, LINE('all', all)];
}
