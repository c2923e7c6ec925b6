// The operator is notified of each trouble once when it begins and once when it is over, through a channel like any other.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createOperatorNotices } from '../../../src/answer/indexer/operator-notices.ts';
import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import type { SourceFailureKind } from '../../../src/base/source-state.ts';
import { noteBackup } from '../../../src/answer/metrics/process-figures.ts';
import type { InstallationFigures } from '../../../src/rules/troubles.ts';
import { runCommand } from '../../support/command.ts';
import { isOnPostgres } from '../../support/databases.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

const GIB = 1_073_741_824;

const SOUND: InstallationFigures = {
  nowMs: 0,
  freeBytes: 9 * GIB,
  backupAtMs: 0,
  clockOffsetMs: 3_000,
  lockedChannels: 0,
  sources: [],
};

const source = (kind: SourceFailureKind | null) => ({
  ...SOUND,
  sources: [
    {
      source: 'retailer_e.browse',
      question: '',
      kind,
      reason: kind === null ? null : '401 invalid_client',
      sinceMs: 1,
      heardAtMs: 1,
      restMs: 0,
    },
  ],
});

const titlesAt = ({ received }: Receiver, path: string): readonly string[] =>
  received
    .filter((each) => each.path === path)
    .map(({ body }) => (JSON.parse(body) as { data: { title: string } }).data.title);

/** Judges these figures an hour after the last ones; sends what is due. */
function operatorOf({ service, clock, log }: WatchService, channelId: string, host = 'm1') {
  let figures = SOUND;
  const round = createOperatorNotices({
    store: service.app.store,
    clock,
    log: { warn: (message) => void (log as string[]).push(message) },
    installation: { figures: () => Promise.resolve(figures) },
    host,
    channelId,
  });
  return async (now: InstallationFigures) => {
    figures = now;
    clock.advance(HOUR_MS);
    await round();
    await service.app.deliverNotices();
  };
}

test('each trouble is notified once when it begins and once when it is over', async () => {
  await using receiver = await startReceiver();
  await using watching = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  const rounds = operatorOf(watching, await watching.hook(`${receiver.url}/all`));
  const disk = 'The disk is nearly full';
  const api = 'The official API retailer_e.browse refuses this installation';
  const table: readonly (readonly [InstallationFigures, readonly string[]])[] = [
    [SOUND, []],
    [{ ...SOUND, freeBytes: 0.9 * GIB }, [`openshelf: ${disk}`]],
    [{ ...SOUND, freeBytes: 0.1 * GIB }, []],
    // A little more room is not the end of it.
    [{ ...SOUND, freeBytes: 1.1 * GIB }, []],
    // What is unknown says nothing.
    [{ ...SOUND, freeBytes: null }, []],
    [{ ...SOUND, freeBytes: 2 * GIB }, [`openshelf, solved: ${disk}`]],
    [SOUND, []],
    [{ ...SOUND, freeBytes: 1 }, [`openshelf: ${disk}`]],
    [SOUND, [`openshelf, solved: ${disk}`]],
    [{ ...SOUND, nowMs: 9 * DAY_MS }, ['openshelf: The last backup is too old']],
    [SOUND, ['openshelf, solved: The last backup is too old']],
    // A note of a clock that has since been set back does not show when it was.
    [{ ...SOUND, backupAtMs: DAY_MS }, ['openshelf: The last backup is too old']],
    [SOUND, ['openshelf, solved: The last backup is too old']],
    [{ ...SOUND, clockOffsetMs: -DAY_MS }, ['openshelf: The clock of m1 is wrong']],
    [{ ...SOUND, clockOffsetMs: 119_000 }, ['openshelf, solved: The clock of m1 is wrong']],
    [{ ...SOUND, lockedChannels: 2 }, ['openshelf: The key of channel secrets is missing on m1']],
    [SOUND, ['openshelf, solved: The key of channel secrets is missing on m1']],
    [source('throttled'), []],
    [source('credentials_refused'), [`openshelf: ${api}`]],
    [source('not_eligible'), []],
    [source(null), [`openshelf, solved: ${api}`]],
  ];
  const expected: string[] = [];
  for (const [figures, titles] of table) {
    await rounds(figures);
    expected.push(...titles);
    assert.deepEqual(titlesAt(receiver, '/all'), expected);
  }
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { data: object });
  assert.ok(bodies.every(({ data }) => 'watch_id' in data && data.watch_id === null));
  assert.match(JSON.stringify(bodies), /0\.9 GiB are free for the data\. Free some space/);
  assert.match(JSON.stringify(bodies), /401 invalid_client\. openshelf doctor --probe says/);
});

test('two processes notify once, each of its own clock and key, also after a start', async () => {
  await using receiver = await startReceiver();
  await using watching = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  const id = await watching.hook(`${receiver.url}/both`);
  const [one, other] = [operatorOf(watching, id), operatorOf(watching, id, 'm2')];
  const off = { ...SOUND, freeBytes: 1, clockOffsetMs: DAY_MS, lockedChannels: 2 };
  await Promise.all([one(off), other({ ...SOUND, freeBytes: 1 })]);
  await operatorOf(watching, id)(off);
  assert.deepEqual([...titlesAt(receiver, '/both')].sort(), [
    'openshelf: The clock of m1 is wrong',
    'openshelf: The disk is nearly full',
    'openshelf: The key of channel secrets is missing on m1',
  ]);
});

test('what the receiver refused for a day is sent again; an unusable channel is said in the log, at most hourly', async () => {
  await using receiver = await startReceiver();
  await using watching = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  const id = await watching.hook(`${receiver.url}/later`);
  const rounds = operatorOf(watching, id);
  const low = { ...SOUND, freeBytes: 1 };
  receiver.answers(400);
  await rounds(low);
  const refused = titlesAt(receiver, '/later').length;
  assert.ok(refused >= 1);
  receiver.answers(204);
  watching.clock.advance(DAY_MS);
  await rounds(low);
  await rounds(low);
  assert.equal(titlesAt(receiver, '/later').length, refused + 1);
  await watching.call('PATCH', `/v1/channels/${id}`, { paused: true });
  await rounds(SOUND);
  assert.equal(titlesAt(receiver, '/later').length, refused + 1);
  assert.equal(watching.log.filter((line) => line.includes(`channel ${id} is`)).length, 1);
  await watching.call('PATCH', `/v1/channels/${id}`, { paused: false });
  await rounds(SOUND);
  assert.equal(titlesAt(receiver, '/later').at(-1), 'openshelf, solved: The disk is nearly full');
});

test(
  'a running service judges itself in its rounds, by the note that a backup leaves',
  { skip: isOnPostgres() },
  async () => {
    using folder = temporaryFolder();
    await using receiver = await startReceiver();
    const env = { OPENSHELF_DATA: folder.path, OPENSHELF_NOTIFY_ALLOW: receiver.place };
    const url = `${receiver.url}/own`;
    const args = ['channel', 'add', 'webhook', '--url', url, '--org', 'o', '--json'];
    const key = await runCommand(['keys', 'create', '--org', 'o'], { env });
    assert.equal(key.code, 0, key.stderr);
    const added = await runCommand(args, { env });
    assert.equal(added.code, 0, added.stderr);
    const id = String(added.json['channel_id']);
    noteBackup(folder.path, Date.now() - 9 * DAY_MS);
    const shifted = shiftedClock();
    // No round waits long.
    const sleep = (ms: number, signal?: AbortSignal) => shifted.sleep(Math.min(ms, 50), signal);
    const clock = { ...shifted, sleep };
    const lines: string[] = [];
    await using service = await startService({
      clock,
      logTo: (text) => void lines.push(text),
      env: { ...env, OPENSHELF_OPERATOR_CHANNEL: id },
    });
    const titled = async (title: string) => {
      for (let round = 0; round < 20_000; round += 1) {
        if (titlesAt(receiver, '/own').at(-1) === title) return;
        await service.app.store.sql.probe();
      }
      assert.fail(`${title}: ${lines.join('')}`);
    };
    await titled('openshelf: The last backup is too old');
    const copy = `${folder.path}/copy.db`;
    const made = await runCommand(['backup', copy], { env });
    assert.equal(made.code, 0, made.stderr);
    shifted.advance(HOUR_MS);
    await titled('openshelf, solved: The last backup is too old');
    assert.equal(receiver.received.length, 2);
    const checked = await runCommand(['check'], { env });
    assert.equal(checked.code, 0, checked.stdout);
  },
);
