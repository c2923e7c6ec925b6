// Promise 4 over HTTP: `kill -9` of a service that gives cached answers. Every answer that a caller received is in the ledger
// by its id, once.

import { Agent, request } from 'node:http';
import { join } from 'node:path';

import { integerBelow, randomFrom, seedOf } from '../../tests/support/random.ts';
import { makeStoredData, startProcess } from './held-service.ts';
import { lookAt } from './looked-at.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const CONNECTIONS = 32;
const MOST_ANSWERS = 1_500;
const ROUNDS_OF_ONE = 25;

const SEED = 20_261_123;

export const keptCrashes: Proof = {
  name: 'kept-crashes',
  promise: 4,
  says: 'No paid call that is answered from the cache is lost or charged twice by a crash.',
  run: async ({ isLong, say }) => {
    const rounds = isLong ? 200 : 2;
    const problems = createProblems();
    const found = await killsOfKept(rounds, randomFrom(seedOf(SEED)), { problems, say });
    problems.check(found.kept === rounds, 'some services returned no cached answer');
    return problems.result([
      `seed ${seedOf(SEED)}`,
      `${rounds} kill -9 of a service that returns cached answers: ${found.answered} answered calls, each once in ` +
        `the ledger by its id; ${found.unanswered} charged but cut off`,
    ]);
  },
};

type KeptKills = { readonly answered: number; readonly kept: number; readonly unanswered: number };

/** Kills the service this many times, in the middle of calls. */
async function killsOfKept(
  count: number,
  random: () => number,
  { problems, say }: { readonly problems: Problems; readonly say: (line: string) => void },
): Promise<KeptKills> {
  const sum = { answered: 0, kept: 0, unanswered: 0 };
  for (let from = 0; from < count; from += ROUNDS_OF_ONE) {
    using data = await makeStoredData();
    const path = join(data.dataDir, 'openshelf.db');
    const before = lookAt(path);
    const known = new Set(before.ledger().keys());
    before[Symbol.dispose]();
    for (let round = from; round < Math.min(count, from + ROUNDS_OF_ONE); round += 1) {
      const service = await startProcess({ ...data, port: 0 });
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const answered: string[] = [];
      const ask = async () => {
        const id = await idOfAnswer(`${service.url}${data.path}`, data.key, agent);
        if (id !== null) answered.push(id);
        return id !== null;
      };
      // The first ones are computed; later ones are cached.
      let isKept = false;
      for (let asked = 0; asked < 8 && !isKept; asked += 1) {
        await ask();
        const text = await (await fetch(`${service.url}/metrics`)).text();
        isKept = /^openshelf_prepared_answers_total [1-9]/m.test(text);
      }
      if (isKept) sum.kept += 1;
      const killAfter = 1 + integerBelow(random, MOST_ANSWERS);
      let isKilled = false;
      const callers = Array.from({ length: CONNECTIONS }, async () => {
        while (!isKilled) {
          if (!(await ask()) || answered.length < killAfter || isKilled) continue;
          isKilled = true;
          await service.stop('SIGKILL');
        }
      });
      await Promise.all(callers);
      agent.destroy();
      using held = lookAt(path);
      for (const problem of await held.problems())
        problems.note(`after kill ${round} of a cached answer: ${problem}`);
      const ledger = held.ledger();
      for (const id of answered) {
        problems.check(
          ledger.get(id) === 1 && !known.has(id),
          `round ${round}: ${id} was answered`,
        );
        known.add(id);
      }
      const more = [...ledger.keys()].filter((id) => !known.has(id));
      problems.check(
        more.length <= CONNECTIONS,
        `round ${round}: ${more.length} charged unanswered`,
      );
      for (const id of more) known.add(id);
      sum.answered += answered.length;
      sum.unanswered += more.length;
    }
    say(`${Math.min(count, from + ROUNDS_OF_ONE)} of ${count} kills of cached answers`);
  }
  return sum;
}

/** Returns the id of a complete 200; null: it was cut off. */
function idOfAnswer(url: string, key: string, agent: Agent): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const asked = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
    const id = response.headers['x-request-id'];
    const isRight = response.statusCode === 200 && typeof id === 'string';
    response.on('end', () => resolve(response.complete && isRight ? id : null));
    response.on('error', () => resolve(null));
    response.resume();
  });
  asked.on('error', () => resolve(null));
  asked.end();
  return promise;
}
