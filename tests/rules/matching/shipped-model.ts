// The model that ships, read once for the tests next to this file.

import { readFileSync } from 'node:fs';
import { modelFrom } from '../../../src/rules/matching/model/model.ts';

export const MODEL_FILE = new URL('../../../src/rules/matching/model/model.txt', import.meta.url);
export const MODEL = modelFrom(readFileSync(MODEL_FILE, 'utf8'));
