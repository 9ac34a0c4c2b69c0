import type { Action } from '../../../../../src/runtime/controller/protection/actions';
import type {
  Claim,
  Clone,
  Content,
  Restore,
  Snapshot,
  Vm,
  Vmi,
  VolumeSnapshot,
} from '../../../../../src/runtime/controller/protection/types';

export const NOW = Date.parse('2030-01-01T00:10:00Z');
const CREATED = '2030-01-01T00:09:00Z';

export const claim = (name: string, more: { metadata?: object; phase?: string; className?: string } = {}): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'n', uid: `${name}-uid`, ...more.metadata },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: more.className ?? 'local',
    volumeMode: 'Block',
    resources: { requests: { storage: '1Gi' } },
  },
  status: { phase: more.phase ?? 'Bound' },
});

/** A VM with a disk of a container image, a claim and a DataVolume of a template. */
export const vm = (more: { spec?: object; status?: object; metadata?: object } = {}): Vm =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'db', namespace: 'n', uid: 'vm-uid', resourceVersion: '5', ...more.metadata },
    spec: {
      runStrategy: 'Halted',
      dataVolumeTemplates: [{ metadata: { name: 'root-dv' }, spec: { source: { blank: {} } } }],
      template: {
        spec: {
          domain: { devices: {} },
          volumes: [
            { name: 'image', containerDisk: { image: 'tiny' } },
            { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
            { name: 'root', dataVolume: { name: 'root-dv' } },
          ],
        },
      },
      ...more.spec,
    },
    status: more.status,
  }) as Vm;

export const vmi = (phase: string, ...conditions: string[]): Vmi =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'db', namespace: 'n', uid: 'vmi-uid' },
    spec: { domain: { devices: {} }, volumes: vm().spec.template.spec!.volumes },
    status: { phase, conditions: conditions.map((type) => ({ type, status: 'True' })) },
  }) as unknown as Vmi;

/** A VolumeSnapshot that is ready to use. */
export const volumeSnapshot = (name: string, more: { metadata?: object; status?: object } = {}): VolumeSnapshot => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: { name, namespace: 'n', uid: `${name}-uid`, ...more.metadata },
  status: { readyToUse: true, ...more.status },
});

const FINALIZER = 'snapshot.kubevirt.io/vmsnapshot-protection';

export const snapshot = (more: { spec?: object; status?: object; metadata?: object } = {}): Snapshot =>
  ({
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: {
      name: 's',
      namespace: 'n',
      uid: 's-uid',
      creationTimestamp: CREATED,
      finalizers: [FINALIZER],
      ...more.metadata,
    },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' }, ...more.spec },
    status: more.status,
  }) as Snapshot;

export const content = (more: { spec?: object; status?: object; metadata?: object } = {}): Content =>
  ({
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: { name: 'vmsnapshot-content-s-uid', namespace: 'n', uid: 'c-uid', ...more.metadata },
    spec: {
      virtualMachineSnapshotName: 's',
      source: { virtualMachine: { metadata: vm().metadata, spec: vm().spec } },
      volumeBackups: [
        { volumeName: 'data', volumeSnapshotName: 'vs-data', persistentVolumeClaim: claim('data') },
        { volumeName: 'root', volumeSnapshotName: 'vs-root', persistentVolumeClaim: claim('root-dv') },
      ],
      ...more.spec,
    },
    status: more.status,
  }) as Content;

export const restore = (more: { spec?: object; status?: object; metadata?: object } = {}): Restore =>
  ({
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineRestore',
    metadata: {
      name: 'r',
      namespace: 'n',
      uid: 'r-uid',
      creationTimestamp: CREATED,
      finalizers: ['snapshot.kubevirt.io/vmrestore-protection'],
      ...more.metadata,
    },
    spec: {
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' },
      virtualMachineSnapshotName: 's',
      ...more.spec,
    },
    status: more.status ?? { complete: false },
  }) as Restore;

export const clone = (more: { spec?: object; status?: object; metadata?: object } = {}): Clone =>
  ({
    apiVersion: 'clone.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClone',
    metadata: { name: 'c', namespace: 'n', uid: 'clone-uid', ...more.metadata },
    spec: {
      source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'db' },
      target: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'copy' },
      ...more.spec,
    },
    status: more.status,
  }) as Clone;

/** Actions in a short form. */
export function lines(actions: readonly Action[]): string[] {
  return actions.map((action) => {
    switch (action.do) {
      case 'create':
        return `create ${action.object.kind} ${action.object.metadata.name}`;
      case 'delete':
        return `delete ${action.kind} ${action.name}`;
      case 'patch':
        return `patch ${action.kind}${action.subresource ? `/${action.subresource}` : ''} ${action.name}`;
      case 'event':
        return `${action.type} ${action.reason}`;
      case 'recheck':
        return `recheck ${action.afterMs}`;
      case 'patchVm':
        return `complete ${action.name}`;
      case 'stopVm':
        return `stop ${action.name}`;
      default:
        return `${action.do} ${action.vm}`;
    }
  });
}

/** Fields that the patch of this status writes. */
export function written(actions: readonly Action[]): Record<string, unknown> {
  const patch = actions.find((action) => action.do === 'patch' && action.subresource === 'status');
  return ((patch as { body?: { status?: object } } | undefined)?.body?.status ?? {}) as Record<string, unknown>;
}

/** Reason and message of a condition in the written status. */
export function condition(actions: readonly Action[], type: string): string {
  const list = (written(actions).conditions ?? []) as {
    type: string;
    status: string;
    reason: string;
    message?: string;
  }[];
  const found = list.find((each) => each.type === type);
  return found ? [found.status, found.reason, found.message].filter(Boolean).join(' ') : 'none';
}
