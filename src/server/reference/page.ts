// The reference page: the OpenAPI document as one HTML page that is complete without a script. It has two files, a style
// sheet and a script that searches in the page. All texts on it are escaped.

import type { OpenApiDocument as Document } from '../openapi.ts';
import { METHODS } from '../route.ts';
import { html, line, prose, type Html } from './markup.ts';
import {
  exampleOf,
  operationSection,
  type ShownExample,
  type ShownOperation,
} from './operation.ts';
import { priceSection, type PricedRoute } from './prices.ts';
import { row, fieldRows, typeOf, type Schema } from './schema.ts';

type Header = {
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string | number;
};

/** The paths of the page's files. */
type PageFiles = { readonly stylePath: string; readonly searchPath: string };

/** Renders the page of a document generated from these routes. */
export function referencePage(
  document: Document,
  routes: readonly PricedRoute[],
  { stylePath, searchPath }: PageFiles,
): string {
  const operations = operationsOf(document);
  const schemas = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  const { title, version, description } = document.info;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} ${version}: reference</title>
        <link rel="stylesheet" href="${stylePath}" />
        <script src="${searchPath}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the reference</a>
        <nav aria-label="Contents">
          <div role="search" hidden>
            <label for="search">Search this page</label>
            <input id="search" type="search" autocomplete="off" spellcheck="false" />
            <p id="found-count" class="note" aria-live="polite"></p>
            <ul id="found" hidden></ul>
          </div>
          <details>
            <summary>${title} ${version}: contents</summary>
            ${contents(operations)}
          </details>
        </nav>
        <main id="content">
          <h1>${title} reference</h1>
          ${prose(description)}
          <p>
            For programs:
            <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1). To try a call:
            <code>curl -H "Authorization: Bearer $KEY" "$BASE/v1/usage"</code>, with
            <code>$BASE</code> the address of this page without <code>/docs</code> and
            <code>$KEY</code> a key from <code>openshelf keys create</code>. The samples in
            TypeScript (with <code>clients/typescript</code>) and Python read both from the
            environment.
          </p>
          ${priceSection(routes)}
          ${operations.map((each) => operationSection(each, (value) => resolved(document, value)))}
          ${errors(document, operations)} ${headers(document)}
          <section id="schemas" aria-labelledby="schemas-title">
            <h2 id="schemas-title">Fields</h2>
            ${schemas.map(([name, schema]) => schemaSection(name, schema))}
          </section>
        </main>
      </body>
    </html> `.markup;
}

function operationsOf(document: Document): readonly ShownOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ ...operation, method: method.toUpperCase(), path }];
    }),
  );
}

/** Returns the target of a local reference (`#/components/...`); any other value unchanged. */
function resolved(document: Document, value: unknown): unknown {
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref !== 'string') return value;
  return $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
}

function contents(operations: readonly ShownOperation[]): Html {
  const routes = operations.map(({ operationId, method, path }) => {
    return html`<li>
      <a href="#${operationId}"><span class="method">${method}</span> ${path}</a>
    </li>`;
  });
  return html`<ul>
    <li><a href="#prices">What a call costs</a></li>
    ${routes}
    <li><a href="#errors">Errors</a></li>
    <li><a href="#headers">Headers</a></li>
    <li><a href="#schemas">Fields</a></li>
  </ul>`;
}

/** Renders every error code once, with a recorded answer that has it. */
function errors(document: Document, operations: readonly ShownOperation[]): Html {
  const byCode = new Map<string, string>();
  for (const { responses } of operations) {
    for (const [status, { description }] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      for (const [, code = ''] of description.matchAll(/`(\w+)`/g)) byCode.set(code, status);
    }
  }
  const examples: Readonly<Record<string, ShownExample>> = {
    ...document['x-other-problems'],
    ...document.components.examples,
  };
  const recorded = Object.entries(examples).map(([code, { value }]) => {
    return [code, String((value as { readonly status: number }).status)] as const;
  });
  const all = [...new Map([...byCode, ...recorded])].sort((a, b) => Number(a[1]) - Number(b[1]));
  const shown = all.map(([code, status]) => {
    const example = examples[code];
    return html`<li id="error-${code}">
      <p>${status} <code>${code}</code></p>
      ${example === undefined ? null : exampleOf(example)}
    </li>`;
  });
  return html`<section id="errors" aria-labelledby="errors-title">
    <h2 id="errors-title">Errors</h2>
    <p>
      ${line(
        'Every error has the body `Problem` (fields below). Branch on `code`; `detail` states what ' +
          'happened and what to do.',
      )}
    </p>
    <ul class="plain">
      ${shown}
    </ul>
  </section>`;
}

function headers(document: Document): Html {
  const all = Object.entries(document.components.headers) as [string, Header][];
  const rows = all.map(([name, { description, schema, example }]) => {
    const notes = example === undefined ? [] : [html`Example: <code>${example}</code>`];
    return row({ name, type: typeOf(schema), meaning: description, notes, id: `header-${name}` });
  });
  return html`<section id="headers" aria-labelledby="headers-title">
    <h2 id="headers-title">Headers</h2>
    <dl>${rows}</dl>
  </section>`;
}

function schemaSection(name: string, schema: Schema): Html {
  const about = typeof schema['description'] === 'string' ? prose(schema['description']) : null;
  return html`<section id="schema-${name}" aria-labelledby="schema-${name}-title">
    <h3 id="schema-${name}-title">${name}</h3>
    ${about}
    <dl>${fieldRows(schema)}</dl>
  </section>`;
}
