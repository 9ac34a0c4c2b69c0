import { App, Chart } from 'cdk8s';
import { DefaultInterface, EvictionStrategy, PlatformDefinitions, PlatformImages, VirtPlatform } from 'virt8s';

const app = new App();

// the kinds, in a file of their own: applied first, and left where they are when the platform goes
const definitions = new Chart(app, 'definitions', { disableResourceNameHashes: true });
new PlatformDefinitions(definitions, 'definitions');

const chart = new Chart(app, 'platform', { disableResourceNameHashes: true });
chart.addDependency(definitions);
new VirtPlatform(chart, 'platform', {
  definitions: false,
  nodes: 3,
  // `virt8s images build --push registry.example/virt8s` fills it
  images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' }),
  configuration: {
    // a drain moves guests that can move, and shuts down the others
    evictionStrategy: EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE,
    // a bridge on the Pod network would keep its VM from moving
    defaultInterface: DefaultInterface.MASQUERADE,
    bridgeOnPodNetwork: false,
  },
  // guests on nodes with this label, everything else beside the control plane
  workloads: { nodeSelector: { 'shop.example/virtualization': 'true' } },
  infra: {
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' }],
  },
  // by which the Prometheus of kube-prometheus-stack finds what to watch
  monitoring: { labels: { release: 'kube-prometheus-stack' } },
});

app.synth();
