// openshelf identify <text>: what an identifier may mean, in the order it would be tried (D6, D11).

import { FaultError } from '../core/fault.ts';
import { parseInput } from '../lookup/parse-input.ts';
import { DONE, onePositional, printJson, textOption, type Command } from './command.ts';

export const identifyCommand: Command = {
  name: 'identify',
  summary: 'say what an identifier may mean, in the order it would be tried',
  usage: [
    'Usage: openshelf identify <text> [--format F] [--json]',
    '',
    '  --format F   UPC, EAN, ISBN, GTIN, ASIN or item_id: only what it may mean in this format',
    '  --json       print what it may mean as one JSON list',
  ].join('\n'),
  options: { format: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: true,
  run: ({ values, positionals, io }) => {
    const answer = parseInput(
      onePositional(positionals, 'identifier'),
      textOption(values, 'format'),
    );
    if (!answer.ok) throw new FaultError(answer.fault);
    if (values['json'] === true) printJson(io, answer.identifiers);
    else {
      answer.identifiers.forEach((identifier, at) => {
        const code = 'gtin14' in identifier ? `  gtin ${identifier.gtin14}` : '';
        const retailer = 'retailer' in identifier ? `  ${identifier.retailer}` : '';
        io.out(`${at + 1}. ${identifier.kind}  ${identifier.value}${code}${retailer}`);
      });
    }
    return Promise.resolve(DONE);
  },
};
