import { runParts } from './support/parts.ts';

runParts(import.meta.filename);
