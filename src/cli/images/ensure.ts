import { join } from 'node:path';
import { ENGINE_IMAGES, installPackages } from '../../local/engine';
import { packageRoot } from '../package-root';
import { programsFolder } from '../programs';
import { assertCanBuild, missingToBuild } from './preflight';

export interface EnsureOptions {
  /** Whether to install missing Debian packages. */
  readonly install: boolean;
  readonly onStep: (step: string) => void;
}

/**
 * Builds the images of the engine's Pods, unless those of this version exist. A checkout builds it in `scripts/setup`.
 * @throws CliError if a program that the build requires is missing
 */
export async function ensureImages({ install, onStep }: EnsureOptions): Promise<void> {
  const bundles = programsFolder();
  if (bundles === join(packageRoot(), 'build')) return;
  const { makeImage, isMade } = await import('./make');
  const made = await Promise.all(Object.keys(ENGINE_IMAGES).map((name) => isMade(name, bundles)));
  if (made.includes(false)) {
    const missing = missingToBuild(false);
    if (install && missing.length > 0) {
      onStep(`Debian packages: ${missing.join(' ')}`);
      await installPackages(missing);
    }
    assertCanBuild(false);
    onStep('images of launcher and importer, from Debian packages; built once');
  }
  for (const [name, localName] of Object.entries(ENGINE_IMAGES)) {
    await makeImage(name, { bundles, packageRoot: packageRoot(), refresh: false, localName });
  }
}
