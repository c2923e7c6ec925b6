// The text of docs/figures.md, generated from build/figures.json, which has the newest value of each figure that only a long
// run yields. To replace a value, edit the JSON file and run `npm run docs -- figures`. tests/docs.test.ts compares the two.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);

/** How a value was obtained; fields that a figure omits are taken from its group. */
type Source = {
  /** The command or source that prints the value, in backticks if it is a command of this repository. */
  readonly command?: string;
  readonly data?: string;
  /** Day of the measurement, YYYY-MM-DD. */
  readonly date?: string;
};

type Figure = Source & {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly goal?: string;
};

type FigureGroup = Source & {
  readonly title: string;
  readonly note?: string;
  readonly figures: readonly Figure[];
};

const HEAD = `# Figures

The newest value of each figure, with the program and the data that it was measured with. \`npm run docs -- figures\` writes this page from
\`build/figures.json\`. \`npm run lab -- shape\` counts the source: files, lines, wings, arrows between them. \`PATH\`, \`FILE\` and \`DIR\` are data
of your own; goals are in brackets; *a program of its own* is not in the repository.`;

/** @throws SyntaxError if build/figures.json is not JSON. */
export function figureGroups(): readonly FigureGroup[] {
  const text = readFileSync(join(ROOT, 'build', 'figures.json'), 'utf8');
  return (JSON.parse(text) as { readonly groups: readonly FigureGroup[] }).groups;
}

/** Returns the text of docs/figures.md. */
export function figuresPage(groups: readonly FigureGroup[]): string {
  return `${[HEAD, ...groups.map(sectionOf)].join('\n\n')}\n`;
}

function sectionOf({ title, note, figures, ...shared }: FigureGroup): string {
  const runs: Figure[][] = [];
  for (const figure of figures.map((each) => ({ ...shared, ...each }))) {
    const run = runs.at(-1);
    if (run?.[0]?.command === figure.command) run?.push(figure);
    else runs.push([figure]);
  }
  return [`## ${title}`, ...(note === undefined ? [] : [note]), ...runs.map(runLines), '']
    .join('\n\n')
    .trimEnd();
}

/** Figures that one command prints. Data and date are shown with the command if all figures share them. */
function runLines(run: readonly Figure[]): string {
  const common = (['data', 'date'] as const).filter((key) =>
    run.every((each) => each[key] === run[0]?.[key]),
  );
  const rows = run.map((figure) => {
    const own = [
      figure.goal,
      ...(['data', 'date'] as const)
        .filter((key) => !common.includes(key))
        .map((key) => figure[key]),
    ];
    const remarks = own.filter((each) => each !== undefined && each !== '').join('; ');
    const value = [figure.value, figure.unit].filter(Boolean).join(' ');
    return `- ${figure.name}: **${value}**${remarks === '' ? '' : ` (${remarks})`}`;
  });
  const heading = [run[0]?.command, ...common.map((key) => run[0]?.[key])]
    .filter(Boolean)
    .join(', ');
  return [`${heading}:`, '', ...rows].join('\n');
}
