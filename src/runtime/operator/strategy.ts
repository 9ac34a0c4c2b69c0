import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isInstalledKind } from '../../api/install/kinds';
import { installStrategy, strategyHash } from '../../api/install/strategy';
import type { PlatformObject } from '../../api/platform';

/** Objects of the platform that this operator installs. */
export interface Strategy {
  readonly version: string;
  readonly objects: readonly PlatformObject[];
}

/**
 * Reads the install strategy from the folder in which its ConfigMap is mounted.
 *
 * @throws Error if it is that of another version of the platform, or has objects that virt-operator does not install
 */
export function readStrategy(folder: string, hash: string): Strategy {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const version = read(installStrategy.version).trim();
  const text = read(installStrategy.objects);
  if (strategyHash(version, text) !== hash) {
    throw new Error(
      `ConfigMap ${installStrategy.configMap} (version ${version}) is not the one that this operator was deployed with; ` +
        'apply all manifests of one version of the platform',
    );
  }
  return { version, objects: parseObjects(text) };
}

/** Parses the objects of an install strategy. @throws Error naming the object that is not allowed */
export function parseObjects(text: string): PlatformObject[] {
  const documents = parseAllDocuments(text);
  const list = Array.isArray(documents) ? documents : [];
  return list.map((document, i) => {
    const [error] = document.errors;
    if (error) throw new Error(`${installStrategy.objects}, document ${i + 1}: ${error.message}`);
    const object = document.toJS() as Partial<PlatformObject> | null;
    if (!isInstalledKind(object?.kind ?? '') || !object?.metadata?.name) {
      const what = object?.kind ? `${object.kind} "${object.metadata?.name ?? ''}"` : 'object without a kind';
      throw new Error(`${installStrategy.objects}, document ${i + 1}: virt-operator installs no ${what}`);
    }
    return object as PlatformObject;
  });
}
