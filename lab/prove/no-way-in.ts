// Promise 1: no request reaches an address that is not public. The cases run through the real fetcher, recording every
// socket that the process tries to open; the address table is compared with two independent oracles.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { classifyAddress } from '../../src/egress/guard/address-guard.ts';
import { isSpecial, randomAddresses } from '../../tests/support/address-registry.ts';
import { openPublicWorld, type PublicWorld } from '../../tests/support/public-world.ts';
import { pick, randomFrom } from '../../tests/support/random.ts';
import {
  readJsonLines,
  readUrlTable,
  runDnsCase,
  runUrlCase,
  type DnsCase,
  type UrlCase,
} from '../../tests/support/vector-cases.ts';
import type { Proof } from './proof.ts';

const OWN = join(import.meta.dirname, '../../tests/vectors');
const SEED = 20_261_122;

export const noWayIn: Proof = {
  name: 'no-way-in',
  promise: 1,
  says: 'No request reaches an address that is not public.',
  run: async ({ isLong, vectors, say }) => {
    const world = await openPublicWorld();
    const problems: string[] = [];
    try {
      const urls = [
        ...readUrlTable(join(OWN, 'ssrf.tsv')),
        ...further<UrlCase>(vectors, 'ssrf-cases.jsonl'),
      ];
      const names = [
        ...readJsonLines<DnsCase>(join(OWN, 'dns.jsonl')),
        ...further<DnsCase>(vectors, 'dns-cases.jsonl'),
      ];
      for (const literals of [false, true]) {
        for (const one of urls) note(problems, await runUrlCase(world, one, literals));
      }
      for (const one of names) note(problems, await runDnsCase(world, one));
      const chains = isLong ? 3_000 : 200;
      const sockets = await rebind(world, chains, problems);
      const addresses = isLong ? 500_000 : 50_000;
      const { special, foreign } = oracles(addresses);
      for (const problem of problems.slice(0, 10)) say(problem);
      return {
        holds: problems.length === 0 && special === 0 && (foreign ?? 0) === 0,
        figures: [
          `${urls.length} addresses in two modes, ${names.length} sequences of DNS answers: ${problems.length} wrong`,
          `${chains} chains of redirects over names that change their addresses (seed ${SEED}), ${sockets} sockets`,
          `${2 * addresses} random addresses: ${special} that the registries call special were called public`,
          foreign === null
            ? 'not compared with Python, which is not on this machine'
            : `the same compared with Python's ipaddress: ${foreign} called public that it does not call global`,
        ],
      };
    } finally {
      await world.close();
    }
  },
};

function note(problems: string[], problem: string | null): void {
  if (problem !== null) problems.push(problem);
}

/** Reads cases from the folder of additional cases, if one is given and has the file. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the file's form is the caller's word
function further<T>(folder: string | null, file: string): readonly T[] {
  if (folder === null || !existsSync(join(folder, file))) return [];
  return readJsonLines<T>(join(folder, file));
}

const PUBLIC = ['93.184.215.14', '151.101.1.140', '2a04:4e42::396', '9.9.9.9'];
const PRIVATE = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
];

/**
 * Two names that redirect to each other; each may resolve differently at each lookup. Returns the number of opened sockets.
 */
async function rebind(world: PublicWorld, count: number, problems: string[]): Promise<number> {
  const random = randomFrom(SEED);
  let sockets = 0;
  for (let chain = 0; chain < count; chain += 1) {
    const sequence = () =>
      Array.from({ length: 4 }, () =>
        Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
          pick(random, random() < 0.7 ? PUBLIC : PRIVATE),
        ),
      );
    const [first, second] = [sequence(), sequence()];
    const hops = Math.floor(random() * 4);
    const redirects = Array.from({ length: hops }, (_, hop) => ({
      status: pick(random, [301, 302, 303, 307, 308]),
      location: `https://${hop % 2 === 0 ? 'b' : 'a'}.shop.example.com/${hop}`,
    }));
    world.reset();
    await runDnsCase(world, {
      id: `chain-${chain}`,
      class: 'robots-rebind',
      host: 'a.shop.example.com',
      url: 'https://a.shop.example.com/p',
      answers: first,
      hosts: { 'b.shop.example.com': second },
      must: 'allow',
      connect: PUBLIC,
      max_lookups: 64,
      redirects,
    }).then((problem) => note(problems, problem));
    sockets += world.attempts.length;
  }
  return sockets;
}

type Disagreements = { readonly special: number; readonly foreign: number | null };

/** Counts the addresses that we call public and an oracle does not; null without Python. */
function oracles(ofEachFamily: number): Disagreements {
  const called = [...randomAddresses(SEED, ofEachFamily)].filter(
    (text) => classifyAddress(text).public,
  );
  const special = called.filter((text) => isSpecial(text)).length;
  const program =
    'import sys, ipaddress\nprint(sum(not ipaddress.ip_address(line.strip()).is_global for line in sys.stdin))';
  const python = spawnSync('python3', ['-c', program], {
    input: called.join('\n'),
    encoding: 'utf8',
  });
  return { special, foreign: python.status === 0 ? Number(python.stdout) : null };
}
