// The fault of a request that does not fit its schema (D22): an unknown name, a name given twice, an invalid value.

import type { Fault } from '../../base/fault.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { allowedBy, type SchemaIssue } from '../../answer/wire/allowed.ts';

/** Returns the fault of the first issue. `given`: the values of each name; `known`: the route's parameters. */
export function faultOfIssues(
  issues: readonly SchemaIssue[],
  given: Readonly<Record<string, readonly string[]>>,
  known: readonly string[],
): Fault {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  const name = unknown?.keys?.[0];
  if (name !== undefined) return unknownParameter(name, known);
  const issue = issues[0];
  const parameter = String(issue?.path[0] ?? '');
  if ((given[parameter] ?? []).length > 1) {
    return {
      code: 'invalid_parameter',
      parameter,
      detail: `"${parameter}" is given more than once. Send it once.`,
    };
  }
  if (given[parameter] === undefined) {
    return {
      code: 'invalid_parameter',
      parameter,
      detail: `The parameter "${parameter}" is required.`,
    };
  }
  return notAccepted(parameter, issue);
}

/** Returns the fault of a header's first issue; the header's name is the `parameter`. */
export function faultOfHeader(issues: readonly SchemaIssue[]): Fault {
  const issue = issues[0];
  return notAccepted(String(issue?.path[0] ?? ''), issue);
}

/** The fault of a body that is not what routes with a body accept. */
export const NO_JSON_OBJECT: Fault = {
  code: 'invalid_parameter',
  parameter: 'body',
  detail: 'The body must be a JSON object, sent with Content-Type: application/json.',
};

/** Returns the fault of a JSON body's first issue; the field is the `parameter`. `fields`: those that the route accepts. */
export function faultOfBody(issues: readonly SchemaIssue[], fields: readonly string[]): Fault {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  const name = unknown?.keys?.[0];
  if (name !== undefined) {
    const shown = name.slice(0, 64);
    const near = nearestName(name, fields);
    const hint =
      near === null ? 'GET /docs shows the fields of this route.' : `Did you mean "${near}"?`;
    return {
      code: 'invalid_parameter',
      parameter: shown,
      detail: `This route does not accept the field "${shown}" in its body. ${hint}`,
    };
  }
  const issue = issues[0];
  if (issue === undefined || issue.path.length === 0) return NO_JSON_OBJECT;
  return notAccepted(issue.path.map(String).join('.'), issue);
}

function notAccepted(parameter: string, issue: SchemaIssue | undefined): Fault {
  const allowed = issue === undefined ? [] : allowedBy(issue);
  const rule =
    allowed.length === 0 ? 'GET /docs shows what it accepts.' : `Allowed: ${allowed.join(', ')}.`;
  return {
    code: 'invalid_parameter',
    parameter,
    ...(allowed.length === 0 ? {} : { allowed }),
    detail: `The value of "${parameter}" is invalid. ${rule}`,
  };
}

/** Names used by callers of other services for the identifier in our path. */
const IDENTIFIER_NAMES: ReadonlySet<string> = new Set([
  'upc',
  'ean',
  'gtin',
  'isbn',
  'barcode',
  'code',
  'asin',
  'sku',
  'id',
  'item_id',
  'product_id',
  'identifier',
]);

function unknownParameter(name: string, known: readonly string[]): Fault {
  const shown = name.slice(0, 64);
  if (IDENTIFIER_NAMES.has(name.toLowerCase())) {
    return {
      code: 'unknown_parameter',
      parameter: shown,
      allowed: known,
      detail:
        `"${shown}" is not a parameter: the identifier is part of the path. Send GET /v1/products/{id}, for example ` +
        '/v1/products/614141000005.',
    };
  }
  const near = nearestName(name, known);
  const hint =
    near === null
      ? known.length === 0
        ? 'This route accepts none.'
        : `This route accepts ${known.join(', ')}.`
      : `Did you mean "${near}"?`;
  return {
    code: 'unknown_parameter',
    parameter: shown,
    allowed: known,
    detail: `Unknown parameter "${shown}". ${hint}`,
  };
}
