// One route of the reference page: its parameters, answers and errors.

import type { DocumentedOperation, DocumentedResponse } from '../openapi.ts';
import { html, jsonBlock, line, prose, type Html } from './markup.ts';
import { componentOf, limitsOf, row, typeOf, type Schema } from './schema.ts';

export type ShownOperation = DocumentedOperation & {
  readonly method: string;
  readonly path: string;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

export type ShownExample = {
  readonly summary: string;
  /** The call's method and path. */
  readonly description: string;
  readonly value: unknown;
};

const PARAMETER_KINDS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

/** Renders a route's section. `resolve` follows the document's references. */
export function operationSection(
  operation: ShownOperation,
  resolve: (value: unknown) => unknown,
): Html {
  const { method, path, operationId, summary, description } = operation;
  const parameters = operation.parameters.map((each) => resolve(each) as Parameter);
  const needsKey = operation.security.length > 0;
  const parameterLists = PARAMETER_KINDS.map(([kind, title]) => {
    const ofKind = parameters.filter((each) => each.in === kind);
    return parameterList(title, ofKind);
  });
  const answers = Object.entries(operation.responses);
  const successes = answers.filter(([status]) => Number(status) < 400);
  const errors = answers.filter(([status]) => Number(status) >= 400);
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
    <h2 id="${operationId}-title">${summary}</h2>
    <p class="route"><span class="method">${method}</span> <code>${path}</code></p>
    ${prose(description)}
    <p class="note">${needsKey ? 'Requires an API key.' : 'Requires no key.'}</p>
    ${parameterLists} ${samples(operation)}
    ${successes.map(([status, answer]) => answerOf(status, answer))} ${errorList(errors)}
  </section>`;
}

/** Renders the call's samples. They are collapsed, because each answer shows its curl line too. */
function samples({ 'x-codeSamples': all = [] }: ShownOperation): Html {
  return html`${all.map(
    ({ label, source }) =>
      html`<details>
        <summary>${label}</summary>
        <pre class="sample" tabindex="0"><code>${source}</code></pre>
      </details>`,
  )}`;
}

function parameterList(title: string, parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map(({ name, schema, required = false, description = '' }) => {
    const notes = [...limitsOf(schema), html`${required ? 'Required.' : 'Optional.'}`];
    return row({ name, type: typeOf(schema), meaning: description, notes });
  });
  return html`<h3>${title}</h3>
    <dl>${rows}</dl>`;
}

function answerOf(status: string, { description, headers = {}, content = {} }: DocumentedResponse) {
  const names = Object.keys(headers).map((name, at) => {
    return html`${at === 0 ? '' : ', '}<a href="#header-${name}">${name}</a>`;
  });
  const bodies = Object.values(content).map(({ schema, examples = {} }) => {
    const shown = Object.values(examples).map((each) => exampleOf(each as ShownExample));
    return html`<p>Body: ${typeOf(schema as Schema)}${fieldsHint(schema as Schema)}</p>
      ${shown}`;
  });
  return html`<h3>Response ${status}</h3>
    <p>${line(description)}</p>
    <p class="note">Headers: ${names}.</p>
    ${bodies}`;
}

function fieldsHint(schema: Schema): string {
  return componentOf(schema) === null ? '' : ' (fields below).';
}

/** Renders a recorded answer, collapsed below its summary. */
export function exampleOf({ summary, description, value }: ShownExample): Html {
  return html`<details>
    <summary>${summary}: <code>${description}</code></summary>
    ${curl(description)} ${jsonBlock(value)}
  </details>`;
}

/** Renders an example's call, to be pasted into a shell that has BASE and KEY. */
function curl(call: string): Html {
  const [, method = 'GET', path = ''] = /^([A-Z]+) (\S+)$/.exec(call) ?? [];
  if (path === '') return html``;
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const key = path.startsWith('/v1') ? '-H "Authorization: Bearer $KEY" ' : '';
  // Within double quotes a shell interprets these four characters.
  const quoted = path.replaceAll(/["$`\\]/g, (sign) => `\\${sign}`);
  return html`<pre class="call" tabindex="0"><code>curl ${verb}${key}"$BASE${quoted}"</code></pre>`;
}

function errorList(answers: readonly (readonly [string, DocumentedResponse])[]): Html {
  if (answers.length === 0) return html``;
  return html`<h3>Errors</h3>
    <ul>
      ${answers.map(([status, answer]) => errorOf(status, answer))}
    </ul>`;
}

/** Renders a status's codes, each with a link to its section, and this route's recorded answers. */
function errorOf(status: string, { description, content = {} }: DocumentedResponse): Html {
  const codes = [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
  if (codes.length === 0) return html`<li>${status}: ${line(description)}</li>`;
  const links = codes.map((code, at) => {
    return html`${at === 0 ? '' : ', '}<a href="#error-${code}"><code>${code}</code></a>`;
  });
  const own = Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples) as Partial<ShownExample>[])
    .filter((each): each is ShownExample => 'value' in each);
  return html`<li>${status}: ${links}${own.map(exampleOf)}</li>`;
}
