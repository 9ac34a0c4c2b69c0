import { join } from 'node:path';
import { installPackages, launcherImage } from '../../local/engine';
import { packageRoot } from '../package-root';
import { programsFolder } from '../programs';
import { assertCanBuild, missingToBuild } from './preflight';

export interface EnsureOptions {
  /** Whether to install missing Debian packages. */
  readonly install: boolean;
  readonly onStep: (step: string) => void;
}

/**
 * Builds the image in which VMs run, unless that of this version exists. A checkout builds it in `scripts/setup`.
 * @throws CliError if a program that the build requires is missing
 */
export async function ensureLauncherImage({ install, onStep }: EnsureOptions): Promise<void> {
  const bundles = programsFolder();
  if (bundles === join(packageRoot(), 'build')) return;
  const { makeImage, isMade } = await import('./make');
  const options = { bundles, packageRoot: packageRoot(), refresh: false, localName: launcherImage };
  if (!(await isMade('virt-launcher', bundles))) {
    const missing = missingToBuild(false);
    if (install && missing.length > 0) {
      onStep(`Debian packages: ${missing.join(' ')}`);
      await installPackages(missing);
    }
    assertCanBuild(false);
    onStep('image of the launcher, from Debian packages; built once');
  }
  await makeImage('virt-launcher', options);
}
