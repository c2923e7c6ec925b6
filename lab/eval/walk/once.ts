// Steps about batches and about concurrent calls with one Idempotency-Key (D21, D72, D74).

import { pick } from '../../../tests/support/random.ts';
import { pay } from './accounts.ts';
import { listOf, numberAt, objectOf, textAt, valueAt, type Json } from './bodies.ts';
import { meteredOf, send, type Ask } from './calls.ts';
import { usageOf } from './keys-and-limits.ts';
import { costOf, drawQuery, drawSpelling, hasBars, lookupOf } from './lookups.ts';
import type { Step, World } from './world.ts';

/** One of them is paid; the others are told to wait, or get the same answer. */
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
    world.differs(ask.target, `${fresh.length} calls with one key were answered again`);
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
  await startAgain(world);
}

/**
 * It is unknown how often concurrent calls were counted: waits out the minute of forced refreshes and reads the throttle.
 */
export async function startAgain(world: World): Promise<void> {
  const [key] = world.keys;
  if (key === undefined) return;
  key.of.isCounted = false;
  key.of.isForcedKnown = false;
  await world.caller.call(usageOf(key));
}

type Line = {
  readonly text: string;
  readonly query: URLSearchParams;
  /** As sent. */
  readonly sent: string;
  /** The earlier line, from 1, with the same request; null: none. */
  readonly sameAs: number | null;
  /** The code of its error; null: it has none. */
  readonly wrong: string | null;
};

const WRONG_LINES = [
  ['{"id":"no identifier!"}', 'invalid_identifier'],
  ['{"id":614141000005}', 'invalid_identifier'],
  ['{"barcode":"614141000005"}', 'unknown_parameter'],
  ['{"id":"614141000005","include_offers":"perhaps"}', 'invalid_parameter'],
  ['{"id":"614141000005"', 'invalid_parameter'],
  ['[]', 'invalid_parameter'],
] as const;

export function drawBatch(step: Step): { readonly ask: Ask; readonly lines: readonly Line[] } {
  const { world, random } = step;
  const lines: Line[] = [];
  for (let count = 1 + Math.floor(random() * 6); count > 0; count -= 1)
    lines.push(drawLine(step, lines));
  const ask: Ask = {
    key: world.keys[0]!,
    method: 'POST',
    target: `/v1/products/batch?order=${pick(random, ['sent', 'finished'])}`,
    route: 'GET /v1/products/{id}',
    scope: 'products:read',
    body: lines.map(({ sent }) => sent).join('\n'),
    contentType: 'application/x-ndjson',
  };
  return { ask, lines };
}

/**
 * Lookups in a batch cost the same as alone; with its key the batch is replayed for free, and a different body is refused.
 */
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
  await startAgain(world);
}

/** Draws a new line, an earlier one in other words, or an invalid line. */
function drawLine(step: Step, before: readonly Line[]): Line {
  const { random } = step;
  const nothing = { text: '', query: new URLSearchParams(), sameAs: null };
  const drawn = random();
  if (drawn < 0.12) {
    const [sent, wrong] = pick(random, WRONG_LINES);
    return { ...nothing, sent, wrong };
  }
  const able = before.filter(({ wrong }) => wrong === null);
  if (drawn < 0.35 && able.length > 0) {
    const { text, query } = pick(random, able);
    const sent = lineText(text, new URLSearchParams([...query].toReversed()), random);
    return { text, query, sent, wrong: null, sameAs: firstLike(before, text, query) };
  }
  const { good, spelling } = drawSpelling(step);
  const query = drawQuery(step, { good, spelling }, false);
  const { text } = spelling;
  const sent = lineText(text, query, random);
  return { text, query, sent, wrong: null, sameAs: firstLike(before, text, query) };
}

/** D74: the same identifier, as spelt, and the same parameters in any order. */
function firstLike(before: readonly Line[], text: string, query: URLSearchParams): number | null {
  const nameOf = (of: URLSearchParams): string => [...of].map(String).toSorted().join(' ');
  const at = before.findIndex((line) => line.text === text && nameOf(line.query) === nameOf(query));
  return at < 0 ? null : at + 1;
}

function lineText(text: string, query: URLSearchParams, random: () => number): string {
  const given = [...query].map(([name, value]): [string, unknown] => {
    if (value === 'true') return [name, pick(random, [true, 'true', 'TRUE', 1, '1'])];
    return [name, value === 'false' ? pick(random, [false, 'false', 0, '0']) : value];
  });
  const fields = Object.entries({ id: text, ...Object.fromEntries(given) });
  return JSON.stringify(Object.fromEntries(random() < 0.5 ? fields : fields.toReversed()));
}

export function payLine(world: World, ask: Ask, lines: readonly Line[], answer: Json): void {
  const line = lines[(numberAt(answer, 'line') ?? 0) - 1];
  const product = objectOf(answer['product']);
  if (line === undefined) {
    world.differs('batch', `a line ${numberAt(answer, 'line')} of ${lines.length}`);
    return;
  }
  if (line.wrong !== null && textAt(answer, 'problem', 'code') !== line.wrong)
    world.differs(
      `batch ${line.sent}`,
      `is ${textAt(answer, 'problem', 'code')}, not ${line.wrong}`,
    );
  if (answer['product'] === null) {
    if (numberAt(answer, 'problem', 'tokens_consumed') !== 0)
      world.differs('batch', 'a problem that is billed');
    if (textAt(answer, 'problem', 'code') === 'internal')
      world.differs('batch', JSON.stringify(answer).slice(0, 300));
    return;
  }
  if (valueAt(answer, 'duplicate_of') !== line.sameAs)
    world.differs(
      `batch ${line.sent}`,
      `is the same as line ${String(answer['duplicate_of'])}, expected ${line.sameAs}`,
    );
  const cost = line.sameAs !== null ? 0 : costOf(line.query, hasBars(product));
  if (numberAt(product, 'tokens_consumed') !== cost)
    world.differs(
      `batch ${line.sent}`,
      `a line costs ${numberAt(product, 'tokens_consumed')}, expected ${cost}`,
    );
  pay(meteredOf(ask), cost, world.stage.now());
}

/** Answered lines are replayed word for word; lines with a problem are looked up again. */
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
