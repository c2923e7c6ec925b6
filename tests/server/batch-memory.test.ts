// The memory that batches use, and what their lines cost to read, whatever they contain.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultError, type FaultCode } from '../../src/base/fault.ts';
import { createBatchLines } from '../../src/server/batch/batch-lines.ts';
import { createBatchSlots } from '../../src/server/batch/batch-slots.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { retainedBytes } from '../support/retained-bytes.ts';

/** Lines of a batch's maximum size, by the part that is long. */
const LONG_LINES: Readonly<Record<string, (n: number) => string>> = {
  identifiers: (n) => `{"id":"https://shop.example/${n}/${'a'.repeat(8_000)}"}`,
  'names of fields': (n) => `{"id":"${n}","${'a'.repeat(60_000)}${n}":1}`,
  'names behind blanks': (n) => `{"${'a'.repeat(60_000)}${n}"${' '.repeat(200)}:1}`,
  'names with quotes': (n) => `{"${'\\\\\\"'.repeat(10_000)}${n}":1}`,
  values: (n) => `{"id":"${n}","retailer":"${'\u4e2d'.repeat(8_000)}"}`,
};

for (const [what, line] of Object.entries(LONG_LINES)) {
  test(`what a batch holds of lines with long ${what} is counted and bounded, and each is read in little time`, () => {
    const builder = createBatchLines();
    const count = 1_000;
    let characters = 0;
    const startedMs = cpuMs();
    const stored = retainedBytes(() => {
      for (let n = 1; n <= count; n += 1) characters += builder.take(line(n), n);
    });
    assert.ok(cpuMs() - startedMs < 2 * count, `${(cpuMs() - startedMs) / count} ms a line`);
    assert.ok(stored < 2 * characters + 2_000_000, `${stored} bytes, ${characters} counted`);
    assert.ok(characters < count * 20_000, `${characters} characters`);
    assert.equal(builder.done().lines.length, count);
  });
}

test('a name that is too long to be parsed is an unknown field, and a long line without one is read', () => {
  const builder = createBatchLines();
  const lines = [`{"id":"1","${'a'.repeat(9_000)}":1}`, `{"id":"1"${' '.repeat(60_000)}}`];
  for (const [at, text] of lines.entries()) builder.take(text, at + 1);
  const [unknown, read] = builder.done().works;
  assert.ok(unknown !== undefined && 'fault' in unknown);
  assert.equal(unknown.fault.code, 'unknown_parameter');
  assert.ok(read !== undefined && 'lookup' in read);
});

const isFault = (code: FaultCode) => (error: unknown) =>
  error instanceof FaultError && error.fault.code === code;

test('batches hold a bounded number of characters, of one organization and in all, and one alone is always taken', () => {
  const slots = createBatchSlots();
  const half = 67_108_864;
  const alone = slots.enter('a');
  alone.hold(3 * half);
  assert.throws(() => slots.enter('a').hold(1), isFault('throttled'));
  assert.throws(() => slots.enter('b').hold(1), isFault('overloaded'));
  alone.leave();
  alone.leave();
  const [one, two, other] = [slots.enter('a'), slots.enter('c'), slots.enter('d')];
  one.hold(half - 10);
  two.hold(half - 10);
  other.hold(20);
  assert.throws(() => other.hold(1), isFault('overloaded'));
  two.leave();
  other.hold(half - 10);
});
