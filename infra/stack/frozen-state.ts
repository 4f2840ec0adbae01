/**
 * The state that a frozen stack answers from: a layer of its functions, made from an archive. History and ledger stay in
 * their tables.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Code, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { readFrozen } from '../../lib/archive/freeze.ts';
import { ArchiveError } from '../../lib/archive/manifest.ts';
import { readManifest } from '../../lib/archive/verify-files.ts';
import { frozenFile } from '../../lib/runtime/frozen-file.ts';
import { BUNDLES } from './service-function.ts';
import { type Settings, SettingsError } from './settings.ts';

const FILE = 'frozen.json.gz';

/** The folder beside the bundles that becomes the layer. */
export const FROZEN = 'frozen';

/** Writes it. Throws a {@link SettingsError} if the archive cannot be used, or is of another network. */
export async function bundleFrozenState({ archive = '', network }: Settings, bundles: string): Promise<void> {
  try {
    const manifest = readManifest(archive);
    if (manifest.network !== network)
      throw new SettingsError(`-c archive=… is of ${manifest.network}, and the stack of ${network}`);
    const frozen = await readFrozen({ folder: archive, manifest });
    mkdirSync(join(bundles, FROZEN));
    writeFileSync(join(bundles, FROZEN, FILE), frozenFile(frozen));
  } catch (error) {
    throw error instanceof ArchiveError ? new SettingsError(`-c archive=… ${error.message}`) : error;
  }
}

/** The layer, and the variables with which a function uses it. */
export function createFrozenState(scope: Construct) {
  const layer = new LayerVersion(scope, 'FrozenState', {
    description: 'What a frozen service answers from',
    code: Code.fromAsset(join(scope.node.getContext(BUNDLES), FROZEN)),
  });
  return { layers: [layer], environment: { FROZEN_STATE: `/opt/${FILE}` } };
}
