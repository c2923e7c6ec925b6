// openshelf identity: creates and publishes the key with which requests to shops are signed (docs/run/retailers.md).

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { identityKeyFileIn, makeKeyFile, newKeyText } from '../../../data/secrets.ts';
import { makePrivateFolder } from '../../../data/make-folder.ts';
import type { PublishedFile } from '../../../egress/signing/key-directory.ts';
import { SETTINGS } from '../../settings/settings-table.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { identityFiles, identityKeyOf } from '../../wiring/identity.ts';
import { answer, byAction, type Command, type CommandInput } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { DATA_AND_JSON, noPositionals, onePositional } from '../options.ts';

/** The time for which a static host can serve the same signature of the directory. */
const DAYS = 90;
const KEY = SETTINGS.identityKey.name;
const URL_SETTING = SETTINGS.identityUrl.name;

export const identity: Command = {
  name: 'identity',
  summary: 'make and publish the key that signs requests to shops',
  synopsis: [
    'create [--data DIR] [--json]',
    'show [--data DIR] [--json]',
    'files DIR [--data DIR] [--json]',
  ],
  positionals: {
    DIR: 'a folder for the files that a static host serves at the address of the identity',
  },
  options: DATA_AND_JSON,
  notes: [
    `Nothing is signed without a key and ${URL_SETTING}. The service itself serves the same files.`,
    `The signature in the files is valid for ${DAYS} days: write the files again before it expires.`,
  ],
  run: byAction({ create, show, files }),
};

/** Creates the key. It never replaces an existing key, because shops may know this installation by it. */
function create(input: CommandInput): Promise<number> {
  noPositionals(input.positionals);
  const config = configOf(input);
  if (identityKeyOf(config) !== null)
    throw new Error('There is a key already: openshelf identity show displays it.');
  if (config.databaseUrl !== null) {
    const value = newKeyText();
    const lines = [`Set this for every process, and keep it secret:`, `${KEY}=${value}`];
    return Promise.resolve(answer(input, { setting: KEY, value }, lines));
  }
  makePrivateFolder(config.dataDir);
  const file = identityKeyFileIn(config.dataDir);
  makeKeyFile(file);
  const next = `Set ${URL_SETTING} to the origin that will publish it, then start the service again.`;
  return Promise.resolve(answer(input, { file }, [`The key is in ${file}.`, next]));
}

function show(input: CommandInput): Promise<number> {
  noPositionals(input.positionals);
  const config = configOf(input);
  const key = identityKeyOf(config);
  if (key === null) throw new Error('There is no key: openshelf identity create makes one.');
  const published = identityFiles(config, { nowMs: systemClock.now(), days: DAYS }) ?? [];
  const json = {
    key_id: key.thumbprint,
    url: config.identityUrl,
    files: Object.fromEntries(published.map(({ path, text }) => [path, JSON.parse(text)])),
  };
  const lines = published.flatMap(({ path, text }) => [`${config.identityUrl}${path}`, text]);
  const unsigned = `Nothing is signed until ${URL_SETTING} is set.`;
  const about = published.length === 0 ? [unsigned] : lines;
  return Promise.resolve(answer(input, json, [`Key ${key.thumbprint}`, ...about]));
}

function files(input: CommandInput): Promise<number> {
  const folder = onePositional(input.positionals, 'DIR');
  const published = identityFiles(configOf(input), { nowMs: systemClock.now(), days: DAYS });
  if (published === null) {
    throw new Error(`There is no key (openshelf identity create), or ${URL_SETTING} is not set.`);
  }
  const written = [...published, headersFile(published)].map(({ path, text }) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
  return Promise.resolve(answer(input, { files: written }, written));
}

/**
 * Returns the headers in the form that several static hosts read. On any other host the operator has to set the same
 * headers.
 */
function headersFile(published: readonly PublishedFile[]): Pick<PublishedFile, 'path' | 'text'> {
  const lines = published.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  return { path: '/_headers', text: `${lines.join('\n')}\n` };
}
