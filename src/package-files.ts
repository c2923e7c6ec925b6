// Files of the package that the service reads: its manifest, the trained matcher and the recorded examples.

import { readFileSync } from 'node:fs';

import { modelFrom, type MatchModel } from './matching/model.ts';
import type { Example } from './http/examples.ts';

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** The version of the package, as `--version` and the User-Agent say it. */
export function versionText(): string {
  return (readJson('../package.json') as { version: string }).version;
}

/** The trained matcher (docs/matching.md). */
export function readMatchModel(): MatchModel {
  return modelFrom(readFileSync(new URL('./matching/model.txt', import.meta.url), 'utf8'));
}

/** The recorded answers that the OpenAPI document shows. */
export function readExamples(): readonly Example[] {
  return readJson('./http/examples.json') as readonly Example[];
}
