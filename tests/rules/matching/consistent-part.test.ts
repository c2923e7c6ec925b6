// The largest part of a group without a contradiction, from the graph of contradictions and the similarity of each pair.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  largestConsistentPart,
  titleRanks,
} from '../../../src/rules/matching/group/consistent-part.ts';

const NOBODY = new Set<number>();

/** Ranks listings in their order, if nothing else distinguishes two parts. */
function inOrder(likeness: readonly (readonly number[])[]) {
  return { likeness, ranks: [...likeness.keys()], favoured: null };
}

test('the larger part stays, however alike the smaller one is', () => {
  const against = [new Set([1, 2]), new Set([0]), new Set([0])];
  const likeness = [
    [0, 6, 6],
    [6, 0, -6],
    [6, -6, 0],
  ];
  assert.deepEqual([...largestConsistentPart(against, inOrder(likeness))], [1, 2]);
});

test('of equally large parts the more alike one stays, and then the one that is more like everybody', () => {
  const against = [new Set([1]), new Set([0]), NOBODY];
  const withSecond = [
    [0, -6, 1],
    [-6, 0, 3],
    [1, 3, 0],
  ];
  assert.deepEqual([...largestConsistentPart(against, inOrder(withSecond))], [2, 1]);
  const alone = [new Set([1, 2]), new Set([0, 2]), new Set([0, 1])];
  assert.deepEqual([...largestConsistentPart(alone, inOrder(withSecond))], [2]);
});

test('of two listings, which are as like each other as the other way round, the first stays', () => {
  const against = [new Set([1]), new Set([0])];
  const likeness = [
    [0, -2],
    [-2, 0],
  ];
  assert.deepEqual([...largestConsistentPart(against, inOrder(likeness))], [0]);
});

test('of parts that are equally large and equally alike the one with the foremost listing stays, wherever it stands', () => {
  const against = [new Set([1, 2]), new Set([0, 2]), new Set([0, 1])];
  const likeness = against.map(() => [0, 0, 0]);
  assert.deepEqual(
    [...largestConsistentPart(against, { likeness, ranks: [2, 0, 1], favoured: null })],
    [1],
  );
});

test('a title that says less stands before one that says more, and equally long ones stand by the alphabet', () => {
  assert.deepEqual(titleRanks(['Drive 10 Pack', 'Drive', 'Drums', 'Drive']), [3, 0, 2, 1]);
});

test('eight threes of 24 listings that contradict each other are searched within half a second of processor time', () => {
  const against = Array.from({ length: 24 }, (_, at) => {
    const three = at - (at % 3);
    return new Set([three, three + 1, three + 2].filter((other) => other !== at));
  });
  const likeness = against.map((_, one) => against.map((__, two) => (one === two ? 0 : one % 3)));
  const began = process.cpuUsage().user;
  const camp = largestConsistentPart(against, inOrder(likeness));
  assert.deepEqual(
    [...camp],
    Array.from({ length: 8 }, (_, at) => 3 * at + 2),
  );
  assert.ok(process.cpuUsage().user - began < 500_000);
});
