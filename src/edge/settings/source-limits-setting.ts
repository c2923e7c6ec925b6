// OPENSHELF_SOURCE_LIMITS (D79): how many requests each official API gets in 24 hours.

import { LIMITED_SOURCES, type SourceLimits } from '../../read/retailers/source-limits.ts';
import type { SettingKind } from './setting-kinds.ts';

/** `retailer_a.creators=8640,retailer_e.browse=none`; unknown names are refused. */
export const sourceLimits: SettingKind<SourceLimits> = {
  parse: (text, name) => {
    const problems: string[] = [];
    const limits = new Map<string, number | null>();
    for (const part of text.split(',').map((each) => each.trim())) {
      if (part === '') continue;
      const [, source = part, word = ''] = /^([^=]*?)\s*=\s*(.*)$/.exec(part) ?? [];
      if (!LIMITED_SOURCES.includes(source)) {
        problems.push(
          `${name}: "${source}" is not an official API with a limit. Those are ${LIMITED_SOURCES.join(', ')}.`,
        );
      } else if (limits.has(source)) {
        problems.push(`${name}: ${source} is named twice.`);
      } else if (word !== 'none' && !/^[1-9]\d{0,8}$/.test(word)) {
        problems.push(`${name}: ${source} must be a whole number from 1, or none, not "${word}".`);
      }
      limits.set(source, word === 'none' ? null : Number(word));
    }
    return problems.length === 0 ? { value: limits } : { problems };
  },
};
