import type { VirtualMachine, VirtualMachineInstance } from '../../../../../src/api';
import type { VirtualMachinePool } from '../../../../../src/api/generated/pool-v1beta1';
import { decide } from '../../../../../src/runtime/controller/pool/decide';
import type { Action } from '../../../../../src/runtime/controller/pool/decide';
import type { Observed } from '../../../../../src/runtime/controller/pool/observed';
import { machineOf } from '../../../../../src/runtime/controller/pool/template';
import { ago, deleting, NOW } from '../fixtures';

export type Spec = VirtualMachinePool['spec'];

export function pool(spec: Partial<Spec> = {}, metadata: object = {}): VirtualMachinePool {
  return {
    apiVersion: 'pool.kubevirt.io/v1beta1',
    kind: 'VirtualMachinePool',
    metadata: { name: 'web', namespace: 'n', uid: 'pool-uid', generation: 1, finalizers: FINALIZERS, ...metadata },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      virtualMachineTemplate: template(),
      ...spec,
    },
  };
}
const FINALIZERS = ['pool.kubevirt.io/finalizer'];

/** Template of a pool whose instances have this much memory, and disks of this size. */
export const template = (guest = '1Gi', disk?: string, labels: object = {}): Spec['virtualMachineTemplate'] => ({
  metadata: { labels: { app: 'web', ...labels } },
  spec: {
    runStrategy: 'Always',
    ...(disk && {
      dataVolumeTemplates: [
        { metadata: { name: 'data' }, spec: { storage: { resources: { requests: { storage: disk } } } } },
      ],
    }),
    template: { spec: { domain: { devices: {}, memory: { guest } } } },
  },
});

export interface Member {
  readonly vm: VirtualMachine;
  readonly vmi?: VirtualMachineInstance;
}

/** VM of a pool with a guest that is ready. */
export function member(
  index: number,
  change: (member: { vm: VirtualMachine; vmi?: VirtualMachineInstance }) => void = () => {},
  of = pool(),
): Member {
  const vm = machineOf(of, index)!;
  Object.assign(vm.metadata, { uid: `uid-${index}`, creationTimestamp: ago(100 - index) });
  vm.status = { conditions: [{ type: 'Ready', status: 'True' }], printableStatus: 'Running' };
  const vmi = {
    metadata: {
      ...structuredClone(vm.spec.template.metadata),
      name: vm.metadata.name,
      ownerReferences: [{ apiVersion: '', kind: 'VirtualMachine', name: '', uid: vm.metadata.uid, controller: true }],
    },
    spec: {},
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  } as unknown as VirtualMachineInstance;
  const made = { vm, vmi };
  change(made);
  return made;
}

type Change = NonNullable<Parameters<typeof member>[1]>;
export const leaving: Change = ({ vm }) => deleting(1)(vm);
export const halted: Change = (of) => void (delete of.vmi, (of.vm.status = { printableStatus: 'Stopped' }));
export const starting: Change = ({ vmi }) => void (vmi!.status = { phase: 'Scheduling' });
export const foreign: Change = ({ vm }) => void (vm.metadata.labels = {});
export const ownerless: Change = ({ vm }) => void delete vm.metadata.ownerReferences;
export const all =
  (...changes: Change[]): Change =>
  (of) =>
    changes.forEach((change) => change(of));

export function seen(
  of: VirtualMachinePool | undefined,
  members: readonly Member[],
  more: Partial<Observed> = {},
): Observed {
  return {
    pool: of,
    vms: members.map(({ vm }) => vm),
    now: NOW,
    isTaken: (name) => members.some(({ vm }) => vm.metadata.name === name),
    vmiOf: (vm) => members.find((each) => each.vm === vm)?.vmi,
    nodeLabelsOf: () => undefined,
    ...more,
  };
}

/** Actions as texts: `createVm web-0`. */
export const shown = (...args: Parameters<typeof seen>): string[] => decide(seen(...args)).map(text);

function text(action: Action): string {
  if (action.do === 'recheck') return `recheck in ${action.afterMs} ms`;
  const disks = action.do === 'deleteVm' && action.withDisks ? ' with its disks' : '';
  return `${action.do}${'vm' in action ? ` ${action.vm.metadata.name}` : ''}${disks}`;
}
