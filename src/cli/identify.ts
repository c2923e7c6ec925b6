// openshelf identify: what an identifier may mean, in the order it would be tried (D6, D11).

import { FaultError } from '../core/fault.ts';
import { barcodeRemark } from '../identifiers/code-remarks.ts';
import type { Element } from '../identifiers/element-string.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import { parseInput } from '../lookup/steps/parse-input.ts';
import { DONE, printJson, type Command } from './command.ts';
import { IDENTIFIER_HELP, onePositional, textOption } from './options.ts';

export const identifyCommand: Command = {
  name: 'identify',
  summary: 'list what an identifier may mean, in the order it would be tried',
  synopsis: ['IDENTIFIER [--format F] [--json]'],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    format: {
      value: 'F',
      help: 'UPC, EAN, ISBN, GTIN, ASIN or item_id: only what it may mean in this format',
    },
    json: { help: 'one JSON list on one line' },
  },
  run: ({ values, positionals, io }) => {
    const answer = parseInput(
      onePositional(positionals, 'IDENTIFIER'),
      textOption(values, 'format'),
    );
    if (!answer.ok) throw new FaultError(answer.fault);
    const others = answer.otherElements ?? [];
    if (values['json'] === true) printJson(io, presented(answer.identifiers, others));
    else {
      answer.identifiers.forEach((identifier, at) => {
        const code = 'gtin14' in identifier ? `  gtin ${identifier.gtin14}` : '';
        const retailer = 'retailer' in identifier ? `  ${identifier.retailer}` : '';
        io.out(`${at + 1}. ${identifier.kind}  ${identifier.value}${code}${retailer}`);
      });
      const [only] = answer.identifiers;
      const remark = only?.kind === 'item_id' ? barcodeRemark(only.value).trim() : '';
      if (remark !== '') io.out(remark);
      if (others.length > 0) io.out('The code says beside it, and no lookup uses it:');
      for (const { ai, title, value } of others) io.out(`   (${ai}) ${title}  ${value}`);
    }
    return Promise.resolve(DONE);
  },
};

/** The other application identifiers of a GS1 code stand with the barcode that they belong to (D75). */
function presented(identifiers: readonly Identifier[], others: readonly Element[]) {
  return identifiers.map((each) =>
    'gtin14' in each && others.length > 0 ? { ...each, application_identifiers: others } : each,
  );
}
