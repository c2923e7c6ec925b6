// Seeded damage to a text: what networks, truncating proxies and redesigns do to pages and answers.

import { integerBelow, pick } from './random.ts';

const NESTS = ['{"a":', '[', '<div>', '{"__proto__":', '"'];
const VALUES = ['null', '[]', '{}', '""', '0', '-1', 'true', '1e999', '[[]]', '{"a":{"b":[1]}}'];

type Mutation = (text: string, random: () => number) => string;

const MUTATIONS: readonly Mutation[] = [
  // Cut off.
  (text, random) => text.slice(0, integerBelow(random, text.length + 1)),
  // A few characters changed.
  (text, random) => {
    const characters = text.split('');
    for (let count = 0; count < 8; count += 1) {
      const at = integerBelow(random, characters.length);
      characters[at] = String.fromCharCode(32 + integerBelow(random, 95));
    }
    return characters.join('');
  },
  // A piece taken out, or moved elsewhere.
  (text, random) => {
    const from = integerBelow(random, text.length);
    const to = from + integerBelow(random, 400);
    const rest = text.slice(0, from) + text.slice(to);
    if (random() < 0.5) return rest;
    const at = integerBelow(random, rest.length + 1);
    return rest.slice(0, at) + text.slice(from, to) + rest.slice(at);
  },
  // A value of another type.
  (text, random) => {
    const values = [...text.matchAll(/:\s?("[^"\\]{0,80}"|-?\d[\d.]*|true|false|null)/g)];
    if (values.length === 0) return '';
    const { index, 0: whole } = pick(random, values);
    return `${text.slice(0, index)}:${pick(random, VALUES)}${text.slice(index + whole.length)}`;
  },
  // Something nested into the middle.
  (text, random) => {
    const at = integerBelow(random, text.length);
    return (
      text.slice(0, at) + pick(random, NESTS).repeat(integerBelow(random, 200)) + text.slice(at)
    );
  },
  // Doubled, or empty.
  (text, random) => (random() < 0.2 ? '' : text + text),
];

/** Returns the text with one to three kinds of damage. */
export function mutated(text: string, random: () => number): string {
  let damaged = text;
  for (let times = 1 + integerBelow(random, 3); times > 0; times -= 1) {
    damaged = pick(random, MUTATIONS)(damaged === '' ? text : damaged, random);
  }
  return damaged;
}
