import { DefaultInterface, EvictionStrategy, PlatformDefinitions, PlatformImages, VirtPlatform } from 'virt8s/pulumi';

// `pulumi destroy` leaves the definitions in the cluster: deleting one deletes all objects of its kind
const definitions = new PlatformDefinitions('definitions', {}, { retainOnDelete: true });

const platform = new VirtPlatform(
  'platform',
  {
    definitions: false,
    nodes: 3,
    // `virt8s images build --push registry.example/virt8s` pushes the images
    images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' }),
    configuration: {
      // a drain migrates guests that can migrate, and shuts down the others
      evictionStrategy: EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE,
      // a VM with a bridge on the Pod network cannot migrate
      defaultInterface: DefaultInterface.MASQUERADE,
      bridgeOnPodNetwork: false,
    },
    // guests run on nodes with this label, the other components on control plane nodes
    workloads: { nodeSelector: { 'shop.example/virtualization': 'true' } },
    infra: {
      nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
      tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' }],
    },
    // the Prometheus of kube-prometheus-stack selects monitors by this label
    monitoring: { labels: { release: 'kube-prometheus-stack' } },
  },
  { dependsOn: definitions },
);

export const namespace = platform.namespace;
