// How a database of an older program is recognised, and the message to its operator: it is refused and left unchanged.

/** The last commit whose program opens such a database. It has `openshelf dump`, whose file this program loads. */
const DUMP_COMMIT = 'b2feee5f49a2';

/** The table of schema versions in such a database; this program's own has another name. */
export const OLDER_VERSIONS = 'schema_versions';

export const OLDER_DATABASE =
  'this is the database of an older openshelf, which this program does not open; nothing was changed. ' +
  `Check out commit ${DUMP_COMMIT} and write the data to a file with that program: \`openshelf dump FILE\`. Then load the ` +
  'file with this one, into a new folder or an empty database: `openshelf load FILE`';
