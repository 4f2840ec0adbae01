/**
 * Standard descriptions with which strangers can find, cite and check an archive: a Frictionless Data Package
 * (https://datapackage.org/standard/data-package/) and a CITATION.cff (https://citation-file-format.github.io).
 * Zenodo reads CITATION.cff.
 */

import { isoTime } from '../values/iso-time.ts';
import type { ColumnType } from '../values/units.ts';
import { fileColumns } from './column.ts';
import type { Manifest } from './manifest.ts';
import type { TableSpec } from './table-spec.ts';

const TITLE = 'GoGoPool / Hypha on Avalanche';
const ABOUT =
  'Events, histories and the last state of GoGoPool, later Hypha, a liquid staking protocol on Avalanche (tokens GGP and ggAVAX, also called stAVAX).';
const KEYWORDS = ['Avalanche', 'liquid staking', 'GoGoPool', 'Hypha', 'ggAVAX', 'stAVAX', 'GGP'];

/** Types of Table Schema by our column types. */
const TYPES: Record<ColumnType, string> = {
  decimal: 'number',
  time: 'datetime',
  integer: 'integer',
  number: 'number',
  text: 'string',
  flag: 'boolean',
};

/** `datapackage.json`: each CSV file with its columns. The Parquet files have the same columns, and their own schema. */
export function toDataPackage({ day, block, files, network }: Manifest, kinds: readonly TableSpec[]): string {
  const resources = files.flatMap(({ name, kind, bytes, sha256 }) => {
    const table = kinds.find((one) => one.name === kind);
    if (!table || !name.endsWith('.csv')) return [];
    return {
      name: name.replace(/\.csv$/, ''),
      description: table.meaning,
      type: 'table',
      path: name,
      format: 'csv',
      mediatype: 'text/csv',
      encoding: 'utf-8',
      bytes,
      hash: `sha256:${sha256}`,
      schema: {
        fields: fileColumns(table.columns).map(({ name, type, meaning, unit }) => ({
          name,
          type: TYPES[type],
          description: unit ? `${meaning} Unit: ${unit}.` : meaning,
        })),
      },
    };
  });
  const content = {
    name: `gogopool-${network}`,
    title: `${TITLE}: an archive of ${day}`,
    description: ABOUT,
    version: day,
    created: isoTime(block.timestamp),
    keywords: KEYWORDS,
    resources,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** `CITATION.cff`. JSON is YAML, so strings are quoted as JSON quotes them. */
export function toCitation({ day, network, block, commit }: Manifest): string {
  return `cff-version: 1.2.0
message: If you use this data, please cite it.
type: dataset
title: ${JSON.stringify(`${TITLE}: an archive of ${day}`)}
abstract: ${JSON.stringify(`${ABOUT} Network ${network}, up to block ${block.number}.`)}
authors:
  - name: Contributors of the staking data service
version: ${JSON.stringify(day)}
date-released: ${JSON.stringify(day)}
commit: ${JSON.stringify(commit)}
keywords: ${JSON.stringify(KEYWORDS)}
`;
}
