// Metrics in the Prometheus text format, version 0.0.4.

export type Labels = Readonly<Record<string, string>>;

export type Sample = {
  readonly labels: Labels;
  readonly value: number;
  /** The suffix of a histogram's sample: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
};

export type Family = {
  /** The name: letters, digits and underscores, as in the names of labels. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
};

/** Formats all families as one text. A family without samples is left out. */
export function prometheusText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}`,
  );
  const escapedHelp = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return [`# HELP ${name} ${escapedHelp}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}
