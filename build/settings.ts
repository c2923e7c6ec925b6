// Writes `.env.example` and the tables of docs/run/settings.md from the settings table: `npm run docs:settings`.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { envExample, withTables } from './settings-pages.ts';

const ROOT = dirname(import.meta.dirname);
const PAGE = join(ROOT, 'docs', 'run', 'settings.md');

writeFileSync(join(ROOT, '.env.example'), envExample());
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));
console.error('.env.example and docs/run/settings.md are written');
