import { Finding, root } from '../findings';
import type { VirtualMachineSnapshot } from '../generated/snapshot-v1beta1';
import type { ClusterConfig } from '../cluster-config';
import type { KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { immutableSpec, shaped } from './shape';

const source = root.at('spec', 'source');

export const snapshotAdmission: KindAdmission<VirtualMachineSnapshot> = shaped<VirtualMachineSnapshot>(
  {
    create: (snapshot, { config }) =>
      first(
        () => snapshotGate(config, 'snapshot feature gate not enabled'),
        () => isVirtualMachine(snapshot.spec.source, source),
      ),
    update: immutableSpec,
  },
  'lenient',
);

/** Rejects snapshots, restores and clones while their common feature gate is off. */
export function snapshotGate(config: ClusterConfig, message: string): Finding[] {
  return when(
    !config.hasGate('Snapshot'),
    refusal(
      'gate-snapshot',
      root,
      message,
      'remove Snapshot from spec.configuration.developerConfiguration.disabledFeatureGates of the KubeVirt object',
      { field: '' },
    ),
  );
}

/** Validates a reference to a VM: its group and kind. */
export function isVirtualMachine(reference: { apiGroup?: string; kind: string } | undefined, at = source): Finding[] {
  const { apiGroup, kind } = reference ?? { kind: '' };
  if (apiGroup === undefined) {
    return [
      refusal('reference-group', at.at('apiGroup'), 'missing apiGroup', 'add apiGroup: kubevirt.io', {
        type: 'FieldValueNotFound',
      }),
    ];
  }
  if (apiGroup !== 'kubevirt.io') {
    return [
      refusal('reference-group', at.at('apiGroup'), 'invalid apiGroup', 'write kubevirt.io', {
        value: apiGroup,
        allowed: ['kubevirt.io'],
      }),
    ];
  }
  return when(
    kind !== 'VirtualMachine',
    refusal('reference-kind', at.at('kind'), 'invalid kind', 'write VirtualMachine', {
      value: kind,
      allowed: ['VirtualMachine'],
    }),
  );
}
