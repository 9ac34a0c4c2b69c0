import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Chart, Size, Testing, Yaml } from 'cdk8s';
import {
  PlatformCertificates,
  PlatformImages,
  PlatformSize,
  VirtPlatform,
  type VirtPlatformProps,
} from '../../../../src';
import { expectGolden } from '../../../support/golden';
import { testApp } from '../../../support/app';
import { withInstalled } from '../../../support/platform';

const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' });

function manifests(props: Partial<VirtPlatformProps>): object[] {
  const chart = new Chart(testApp(), 'virt');
  new VirtPlatform(chart, 'platform', { images, definitions: false, ...props });
  return withInstalled(Testing.synth(chart));
}
const golden = (name: string, objects: readonly object[]): void =>
  expectGolden(join(__dirname, 'manifests', `${name}.txt`), Yaml.stringify(...objects));

// what an administrator applies, as a whole: above all who may do what, and which Pods are privileged
test('the platform is the reviewed one', () => golden('platform', manifests({})));

test.each<[string, Partial<VirtPlatformProps>]>([
  [
    'with-cert-manager',
    {
      certificates: PlatformCertificates.certManager(),
      monitoring: {},
      nodes: 1,
      configuration: { useEmulation: true },
    },
  ],
  [
    'with-everything',
    {
      monitoring: { labels: { release: 'prometheus' } },
      infra: { tolerations: [{ key: 'control-plane', operator: 'Exists' }], nodeSelector: { role: 'infra' } },
      workloads: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } },
      images: PlatformImages.of({ registry: 'registry.example', tag: 'v2', pullSecrets: [{ name: 'registry' }] }),
      size: PlatformSize.forNodes(100, { virtApi: { memoryLimit: Size.gibibytes(1), cpuLimit: '2' } }),
      runtimeDirectories: ['/run/k3s/containerd'],
      webhookAllowedNames: ['front-proxy-client'],
      createNamespace: false,
    },
  ],
])('what is different %s is the reviewed difference', (name, props) => {
  const usual = manifests({});
  golden(
    name,
    manifests(props).filter((object) => !usual.some((each) => isDeepStrictEqual(each, object))),
  );
});
