// The alert rules and the dashboard in deploy/: every metric, label and value in them is served by a service, and promtool
// accepts them where it is installed. No Grafana has shown the dashboard.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';

import { SANDBOX_ACCESS } from '../sandbox/tokens.ts';
import { SOURCE_FAILURES } from '../src/base/source-state.ts';
import { noteBackup } from '../src/answer/metrics/process-figures.ts';
import { productPage } from './contract/support/own-shop.ts';
import { isOnPostgres } from './support/databases.ts';
import { startReceiver } from './support/receiver.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { startWatchService } from './support/watch-service.ts';

const DEPLOY = join(dirname(import.meta.dirname), 'deploy');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};

type Panel = {
  readonly id: number;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
};

const RULES = (
  parse(readFileSync(join(DEPLOY, 'alerts', 'openshelf.yml'), 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  }
).groups.flatMap(({ rules }) => rules);
const DASHBOARD = JSON.parse(readFileSync(join(DEPLOY, 'grafana', 'openshelf.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: unknown }[] };
};
const QUERIES = DASHBOARD.panels.flatMap(({ targets }) => targets);

/** Prometheus makes these metrics and labels itself. */
const OF_PROMETHEUS = {
  names: ['up', 'ALERTS'],
  labels: ['job', 'instance', 'alertname', 'alertstate'],
};

/** Values that the service can give, though not in this test. */
const POSSIBLE: Readonly<Record<string, readonly string[]>> = {
  state: [...SOURCE_FAILURES, 'ok'],
  outcome: ['delivered', 'retry', 'refused'],
};

type Series = { readonly name: string; readonly labels: ReadonlyMap<string, string> };

const LABEL = /(\w+)(=~|!~|!=|=)"((?:[^"\\]|\\.)*)"/g;

function seriesOf(metrics: string): readonly Series[] {
  return metrics
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      name: /^\w+/.exec(line)?.[0] ?? '',
      labels: new Map(
        [...line.matchAll(LABEL)].map(([, label = '', , value = '']) => [label, value]),
      ),
    }));
}

/** Returns what a query names that no series has. */
function unservedIn(query: string, served: readonly Series[]): readonly string[] {
  const unserved: string[] = [];
  const named = new Set<Series>();
  for (const [, name = '', , selectors = ''] of query.matchAll(
    /\b((?:openshelf|process|nodejs)_\w+|up\b|ALERTS\b)(\{((?:[^{}"]|"(?:[^"\\]|\\.)*")*)\})?/g,
  )) {
    if (OF_PROMETHEUS.names.includes(name)) continue;
    const own = served.filter((each) => each.name === name);
    own.forEach((each) => named.add(each));
    if (own.length === 0) unserved.push(name);
    for (const [, label = '', how, value = ''] of selectors.matchAll(LABEL)) {
      if (OF_PROMETHEUS.labels.includes(label)) continue;
      const values = own.flatMap(({ labels }) => labels.get(label) ?? []);
      if (values.length === 0) unserved.push(`${name}{${label}}`);
      const wanted =
        how === '=' || how === '!=' ? [value] : /^[\w|]+$/.test(value) ? value.split('|') : [];
      for (const each of wanted) {
        const isPossible = values.includes(each) || POSSIBLE[label]?.includes(each) === true;
        if (!isPossible) unserved.push(`${name}{${label}="${each}"}`);
      }
    }
  }
  for (const [, list = ''] of query.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of list.split(',').map((each) => each.trim())) {
      if (![...named].some(({ labels }) => labels.has(label))) unserved.push(`by (${label})`);
    }
  }
  return unserved;
}

test(
  'every metric, label and value of the rules and the dashboard is served by a service that is used',
  { skip: isOnPostgres() },
  async () => {
    await using receiver = await startReceiver();
    await using watching = await startWatchService({
      OPENSHELF_NOTIFY_ALLOW: receiver.place,
      OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey,
      OPENSHELF_RETAILER_E_CLIENT_ID: 'not-the-client',
      OPENSHELF_RETAILER_E_CLIENT_SECRET: 'not-the-secret',
    });
    const { service } = watching;
    noteBackup(service.dataDir, watching.clock.now());
    assert.equal((await service.lookup(service.sandbox.describe().upc)).status, 200);
    await service.untilQueueIdle();
    const soon = productPage({ name: 'Desk', sku: 'desk' }, { availability: 'when it rains' });
    await service.lookup(watching.shows('/desk', soon));
    const channel = await watching.hook(`${receiver.url}/hook`);
    const page = watching.prices('/lamp', '20.00');
    const watch = await watching.watch({ identifier: page, below: 10, channels: [channel] });
    await watching.tell(watch);
    await service.app.deliverNotices();
    const served = seriesOf(await (await fetch(`${service.url}/metrics`)).text());
    const wrong = [
      ...RULES.map(({ alert, expr }) => [alert, unservedIn(expr, served)] as const),
      ...QUERIES.map(({ expr }) => [expr, unservedIn(expr, served)] as const),
    ].filter(([, unserved]) => unserved.length > 0);
    assert.deepEqual(wrong, []);
    for (const { alert, expr, annotations } of RULES) {
      const inText = Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g);
      for (const [, label = ''] of inText) {
        const isKnown =
          OF_PROMETHEUS.labels.includes(label) ||
          served.some(({ name, labels }) => expr.includes(name) && labels.has(label));
        assert.ok(isKnown, `${alert} names ${label}`);
      }
    }
  },
);

test('a metric, label or value that no service has is noticed', () => {
  const served = seriesOf('openshelf_jobs{state="waiting"} 1\n');
  for (const [query, unserved] of [
    ['max(openshelf_jobs{state="waiting"})', []],
    ['openshelf_job', ['openshelf_job']],
    ['openshelf_jobs{stat="waiting"}', ['openshelf_jobs{stat}', 'openshelf_jobs{stat="waiting"}']],
    ['openshelf_jobs{state="late"}', ['openshelf_jobs{state="late"}']],
    ['sum by (kind) (openshelf_jobs)', ['by (kind)']],
  ] as const) {
    assert.deepEqual(unservedIn(query, served), unserved, query);
  }
});

test('each rule says how urgent it is, what is wrong and what to do, and the test file makes each fire', () => {
  const tests = readFileSync(join(DEPLOY, 'alerts', 'openshelf.test.yml'), 'utf8');
  assert.equal(new Set(RULES.map(({ alert }) => alert)).size, RULES.length);
  for (const { alert, labels, annotations } of RULES) {
    assert.match(labels['severity'] ?? '', /^(?:page|ticket)$/, alert);
    for (const text of ['summary', 'description'])
      assert.match(annotations[text] ?? '', /\.$/, alert);
    assert.ok(tests.includes(`'{alertname="${alert}"}', value: `), alert);
  }
});

test('the panels of the dashboard have their own place, and their queries their own name', () => {
  const { panels } = DASHBOARD;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Set<string>();
  for (const { title, gridPos, targets } of panels) {
    const { x, y, w, h } = gridPos;
    assert.ok(x + w <= 24, title);
    for (let at = 0; at < w * h; at += 1) {
      const cell = `${x + (at % w)} ${y + Math.floor(at / w)}`;
      assert.ok(!taken.has(cell), `${title} covers another panel`);
      taken.add(cell);
    }
    assert.equal(new Set(targets.map(({ legendFormat }) => legendFormat)).size, targets.length);
  }
});

test('promtool accepts the rules, their tests and the queries of the dashboard, where it is installed', (t) => {
  if (spawnSync('promtool', ['--version']).error !== undefined) {
    t.skip('no promtool on this machine');
    return;
  }
  using folder = temporaryFolder();
  const queries = join(folder.path, 'queries.yml');
  const rules = QUERIES.map(({ expr }, index) => ({
    record: `query:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  writeFileSync(queries, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const alerts = join(DEPLOY, 'alerts');
  for (const args of [
    ['check', 'rules', join(alerts, 'openshelf.yml'), queries],
    ['test', 'rules', join(alerts, 'openshelf.test.yml')],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
  }
});
