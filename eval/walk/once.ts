// Steps about batches and about calls at the same time with one Idempotency-Key (D21, D72, D74).

import { pick } from '../../tests/support/random.ts';
import { pay } from './accounts.ts';
import { listOf, numberAt, objectOf, textAt, valueAt, type Json } from './bodies.ts';
import { meteredOf, send, type Ask } from './calls.ts';
import { usageOf } from './keys-and-limits.ts';
import { costOf, drawQuery, drawSpelling, hasBars, lookupOf } from './lookups.ts';
import type { Step, World } from './world.ts';

/** One of them is paid; the others are told to wait, or what it was answered. */
export async function repeatAtOnce(step: Step): Promise<void> {
  const { world, random } = step;
  const drawn = drawSpelling(step);
  const query = drawQuery(step, drawn, random() < 0.3);
  const once = `at-once-${(world.made += 1)}`;
  const ask = { ...lookupOf(world.keys[0]!, drawn.spelling.text, query), once };
  const urls = world.stage.urls();
  const all = await Promise.all(
    Array.from({ length: 4 }, (_, at) => send(urls[at % urls.length] ?? '', ask)),
  );
  const fresh = all.filter(
    ({ status, headers }) => status === 200 && headers.get('idempotency-replayed') === null,
  );
  const [first] = fresh;
  if (fresh.length > 1)
    world.differs(ask.target, `${fresh.length} calls with one key were answered anew`);
  for (const said of all) {
    const isReplay = said.headers.get('idempotency-replayed') !== null;
    if (isReplay && said.text !== first?.text)
      world.differs(ask.target, 'a replay of something else');
    const isWaiting = said.status === 409 && said.headers.get('retry-after') === '1';
    if (said.status === 409 && !isWaiting)
      world.differs(ask.target, `409 ${said.text.slice(0, 200)}`);
  }
  const { of } = ask.key;
  if (first !== undefined) {
    pay(meteredOf(ask), ask.costOf?.(first.body) ?? 0, world.stage.now());
    const { request } = meteredOf(ask);
    of.kept.set(once, { request, status: 200, body: first.text, atMs: world.stage.now() });
  }
  await standAnew(world);
}

/** Nobody can tell how often calls at the same time were counted: the minute of forced refreshes passes, the throttle is read. */
async function standAnew(world: World): Promise<void> {
  const [key] = world.keys;
  if (key === undefined) return;
  key.of.isCounted = false;
  key.of.isForcedKnown = false;
  await world.caller.call(usageOf(key));
}

type Line = { readonly text: string; readonly query: URLSearchParams };

export function drawBatch(step: Step): { readonly ask: Ask; readonly lines: readonly Line[] } {
  const { world, random } = step;
  const lines = Array.from({ length: 1 + Math.floor(random() * 6) }, (): Line => {
    const drawn = drawSpelling(step);
    return { text: drawn.spelling.text, query: drawQuery(step, drawn, false) };
  });
  const ask: Ask = {
    key: world.keys[0]!,
    method: 'POST',
    target: `/v1/products/batch?order=${pick(random, ['sent', 'finished'])}`,
    route: 'GET /v1/products/{id}',
    scope: 'products:read',
    body: lines.map(lineText).join('\n'),
    contentType: 'application/x-ndjson',
  };
  return { ask, lines };
}

/** Lookups of a batch cost what they cost alone; with its key it is answered again for nothing, and another body is refused. */
export async function lookUpBatch(step: Step): Promise<void> {
  const { world, random } = step;
  const { ask, lines } = drawBatch(step);
  const once = random() < 0.6 ? `batch-${(world.made += 1)}` : null;
  const said = await send(pick(random, world.stage.urls()), { ...ask, once });
  const answers = listOf(said.body['lines']);
  if (said.status !== 200 || answers.length !== lines.length) {
    world.differs('batch', `${said.status} with ${answers.length} lines of ${lines.length}`);
    return;
  }
  for (const answer of answers) payLine(world, ask, lines, answer);
  if (once !== null) {
    const again = await send(pick(random, world.stage.urls()), { ...ask, once });
    judgeAgain(world, ask, lines, { first: answers, again: listOf(again.body['lines']) });
    const other = await send(world.stage.urls()[0] ?? '', {
      ...ask,
      once,
      body: `${ask.body}\n{"id":"x!"}`,
    });
    if (other.code !== 'idempotency_conflict')
      world.differs('batch', `another body with its key: ${other.status} ${other.code}`);
  }
  await standAnew(world);
}

function lineText({ text, query }: Line): string {
  const given = [...query].map(([name, value]): [string, unknown] => [
    name,
    value === 'true' || value === 'false' ? value === 'true' : value,
  ]);
  return JSON.stringify({ id: text, ...Object.fromEntries(given) });
}

export function payLine(world: World, ask: Ask, lines: readonly Line[], answer: Json): void {
  const line = lines[(numberAt(answer, 'line') ?? 0) - 1];
  const product = objectOf(answer['product']);
  if (line === undefined) {
    world.differs('batch', `a line ${numberAt(answer, 'line')} of ${lines.length}`);
    return;
  }
  if (answer['product'] === null) {
    if (numberAt(answer, 'problem', 'tokens_consumed') !== 0)
      world.differs('batch', 'a problem that is billed');
    if (textAt(answer, 'problem', 'code') === 'internal')
      world.differs('batch', JSON.stringify(answer).slice(0, 300));
    return;
  }
  const isRepeated = valueAt(answer, 'duplicate_of') !== null;
  const cost = isRepeated ? 0 : costOf(line.query, hasBars(product));
  if (numberAt(product, 'tokens_consumed') !== cost)
    world.differs(
      `batch ${lineText(line)}`,
      `a line costs ${numberAt(product, 'tokens_consumed')}, expected ${cost}`,
    );
  pay(meteredOf(ask), cost, world.stage.now());
}

/** Lines that were answered are replayed word for word; what was a problem is looked up again. */
function judgeAgain(
  world: World,
  ask: Ask,
  lines: readonly Line[],
  { first, again }: { readonly first: readonly Json[]; readonly again: readonly Json[] },
): void {
  const numbered = new Map(first.map((answer) => [answer['line'], answer]));
  for (const answer of again) {
    const before = numbered.get(answer['line']);
    if (before === undefined || before['product'] === null) {
      payLine(world, ask, lines, answer);
      continue;
    }
    if (
      answer['replayed'] !== true ||
      JSON.stringify(answer['product']) !== JSON.stringify(before['product'])
    )
      world.differs(
        'batch again',
        `line ${String(answer['line'])} is not what it was: replayed ${String(answer['replayed'])}`,
      );
  }
}
