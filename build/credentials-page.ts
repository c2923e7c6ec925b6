// Renders what answers with which credentials as the table of docs/run/retailers.md.

import { QUESTIONS, type Cell, type OfficialSource, type Question } from './credential-cells.ts';

const BEGIN = '<!-- credentials: npm run docs -- credentials -->\n';
const END = '<!-- end of credentials -->';

/** Questions that no shop is asked for at once. */
const LATER: ReadonlySet<Question> = new Set(['watch']);

/** Returns the page with its table regenerated; the text outside its marks is unchanged. */
export function withCredentialTable(page: string, cells: readonly Cell[]): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error('the page has no markers for the table');
  return `${page.slice(0, from)}${BEGIN}\n${tableOf(cells)}\n${page.slice(to)}`;
}

function tableOf(cells: readonly Cell[]): string {
  const rows = QUESTIONS.filter((question) => !LATER.has(question)).map((question) => {
    const alone = cells.flatMap((cell) => {
      const [source, second] = cell.mix;
      const isOf = cell.question === question && cell.pages === 'off';
      return isOf && source !== undefined && second === undefined && cell.status === 200
        ? [`\`${source}\` ${requestsOf(cell, source)}`]
        : [];
    });
    return `| ${question} | ${alone.length === 0 ? 'none' : alone.join(', ')} |`;
  });
  return `${['| Asked for | Answered with, and requests to it |', '|---|---|', ...rows].join('\n')}\n`;
}

function requestsOf({ requests }: Cell, source: OfficialSource): number {
  return requests[source] ?? 0;
}
