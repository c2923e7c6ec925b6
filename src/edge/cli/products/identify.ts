// openshelf identify: the possible meanings of an identifier, in the order in which they would be tried (D6, D11).

import { FaultError } from '../../../base/fault.ts';
import { barcodeRemark } from '../../../base/identifiers/code-remarks.ts';
import type { Element } from '../../../base/identifiers/element-string.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { parseInput } from '../../../answer/lookup/steps/parse-input.ts';
import { answer, type Command } from '../command.ts';
import { IDENTIFIER_HELP, onePositional, textOption } from '../options.ts';

export const identifyCommand: Command = {
  name: 'identify',
  summary: 'list what an identifier may mean, in the order in which the meanings are tried',
  synopsis: ['IDENTIFIER [--format F] [--json]'],
  positionals: { IDENTIFIER: IDENTIFIER_HELP },
  options: {
    format: {
      value: 'F',
      help: 'print only what it may mean in this format: UPC, EAN, ISBN, GTIN, ASIN or item_id',
    },
    json: { help: 'print the list as one line of JSON' },
  },
  run: (input) => {
    const { values, positionals } = input;
    const parsed = parseInput(
      onePositional(positionals, 'IDENTIFIER'),
      textOption(values, 'format'),
    );
    if (!parsed.ok) throw new FaultError(parsed.fault);
    const { identifiers, otherElements: others = [] } = parsed;
    return Promise.resolve(
      answer(input, presented(identifiers, others), [
        ...identifiers.map(lineOf),
        ...remarkOn(identifiers),
        ...(others.length === 0 ? [] : ['The code also contains this, which no lookup uses:']),
        ...others.map(({ ai, title, value }) => `   (${ai}) ${title}  ${value}`),
      ]),
    );
  },
};

function lineOf(identifier: Identifier, at: number): string {
  const code = 'gtin14' in identifier ? `  gtin ${identifier.gtin14}` : '';
  const retailer = 'retailer' in identifier ? `  ${identifier.retailer}` : '';
  return `${at + 1}. ${identifier.kind}  ${identifier.value}${code}${retailer}`;
}

/** Returns why a barcode-like input is not one, if it can mean nothing else. */
function remarkOn([only]: readonly Identifier[]): readonly string[] {
  const remark = only?.kind === 'item_id' ? barcodeRemark(only.value).trim() : '';
  return remark === '' ? [] : [remark];
}

/** Other application identifiers of a GS1 code are shown with the barcode that they belong to (D75). */
function presented(identifiers: readonly Identifier[], others: readonly Element[]) {
  return identifiers.map((each) =>
    'gtin14' in each && others.length > 0 ? { ...each, application_identifiers: others } : each,
  );
}
