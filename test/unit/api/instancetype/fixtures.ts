import { AdmissionContext, ClusterConfig, clusterConfig, KubeObject, VirtualMachine } from '../../../../src/api';
import type { Loose } from '../fixtures';

/** Observed state of a cluster with these objects. */
export function cluster(objects: Loose[] = [], config: ClusterConfig = clusterConfig()): AdmissionContext {
  const all = objects as KubeObject[];
  return {
    config,
    by: { trusted: false },
    find: (kind, namespace, name) =>
      all.find((o) => o.kind === kind && o.metadata.name === name && o.metadata.namespace === namespace),
    list: (kind, namespace) =>
      all.filter((o) => o.kind === kind && (namespace === undefined || o.metadata.namespace === namespace)),
  };
}

const api = 'instancetype.kubevirt.io/v1beta1';

/** Two vCPUs and 2Gi, of the cluster; `more` of its spec. */
export const instancetype = (more: Loose = {}, kind = 'VirtualMachineClusterInstancetype'): Loose => ({
  apiVersion: api,
  kind,
  metadata: {
    name: 'small',
    uid: 'uid-small',
    generation: 3,
    ...(kind.includes('Cluster') ? {} : { namespace: 'default' }),
  },
  spec: { cpu: { guest: 2 }, memory: { guest: '2Gi' }, ...more },
});

export const preference = (spec: Loose = {}, kind = 'VirtualMachineClusterPreference'): Loose => ({
  apiVersion: api,
  kind,
  metadata: {
    name: 'linux',
    uid: 'uid-linux',
    generation: 1,
    ...(kind.includes('Cluster') ? {} : { namespace: 'default' }),
  },
  spec,
});

/** A VM without a size; refers to `small` and `linux` by default. */
export function sizedVm(change: (vm: Loose) => void = () => {}): VirtualMachine {
  const vm: Loose = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web', namespace: 'default', uid: 'uid-web' },
    spec: {
      runStrategy: 'Always',
      instancetype: { name: 'small' },
      template: {
        spec: {
          domain: { devices: {} },
          volumes: [{ name: 'root', containerDisk: { image: 'localhost/virt8s/tiny:latest' } }],
        },
      },
    },
  };
  change(vm);
  return vm;
}

export const reported = (errors: readonly { type?: string; path: unknown; field?: string }[]): string[] =>
  errors.map(({ type, path, field }) => `${type} ${field ?? String(path)}`);
