import { App, Chart } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { PlatformDefinitions, type PlatformImages, VirtPlatform, type VirtPlatformProps } from '../../src';
import { installStrategy } from '../../src/api/install/strategy';
import type { PlatformObject } from '../../src/api/platform';
import type { TestEngine } from './engine';

export interface PlatformManifests {
  readonly definitions: object[];
  readonly platform: object[];
}

/** Manifests of a platform for one node, as `examples/platform` writes them: the definitions first. */
export function platformManifests(images: PlatformImages, props: Partial<VirtPlatformProps> = {}): PlatformManifests {
  const app = new App();
  const definitions = new Chart(app, 'definitions', { disableResourceNameHashes: true });
  new PlatformDefinitions(definitions, 'definitions');
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  new VirtPlatform(platform, 'platform', {
    definitions: false,
    nodes: 1,
    images,
    // /dev/kvm is missing, or cannot run guests, on many machines that run the tests
    runtimeDirectories: [],
    ...props,
    configuration: { useEmulation: true, ...props.configuration },
  });
  return { definitions: definitions.toJson() as object[], platform: platform.toJson() as object[] };
}

/** Applies the manifests of a platform, new or of another version, until VMs can be created. */
export async function applyPlatform(engine: TestEngine, { definitions, platform }: PlatformManifests): Promise<void> {
  // virt-operator has written the definitions as well
  await engine.mustApply(definitions, '--server-side', '--force-conflicts');
  await engine.kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=5m');
  await engine.mustApply(platform);
  await engine.kubectl('wait', 'kubevirt/kubevirt', '-n', 'kubevirt', '--for=condition=Available', '--timeout=5m');
}

/** Returns the objects that virt-operator installs from these manifests. */
export function installedBy(manifests: readonly object[]): PlatformObject[] {
  const strategy = (manifests as PlatformObject[]).find(({ metadata }) => metadata.name === installStrategy.configMap);
  const text = (strategy?.data as Record<string, string> | undefined)?.[installStrategy.objects];
  if (text === undefined) throw new Error('the manifests contain no install strategy');
  return parseAllDocuments(text).map((document) => document.toJS() as PlatformObject);
}

/** Returns the manifests and everything that virt-operator installs from them, in place of its ConfigMap. */
export const withInstalled = (manifests: readonly object[]): object[] => [
  ...(manifests as PlatformObject[]).filter(({ metadata }) => metadata.name !== installStrategy.configMap),
  ...installedBy(manifests),
];
