// Writes `.env.example` and the tables of docs/configuration.md from the settings table: `npm run docs:settings`.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { envExample, withTables } from './settings-pages.ts';

const ROOT = dirname(import.meta.dirname);
const PAGE = join(ROOT, 'docs', 'configuration.md');

writeFileSync(join(ROOT, '.env.example'), envExample());
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));
console.error('.env.example and docs/configuration.md are written');
