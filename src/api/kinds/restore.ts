import { Finding, Path, root } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import type {
  VirtualMachineRestore,
  VirtualMachineRestoreSpec,
  VirtualMachineSnapshot,
  VirtualMachineSnapshotContent,
} from '../generated/snapshot-v1beta1';
import type { AdmissionContext, KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { immutableSpec, semanticDeepEqual, shaped } from './shape';
import { isVirtualMachine, snapshotGate } from './snapshot';
import { mistakesOf } from '../mistakes';

const spec = root.at('spec');
const target = spec.at('target');

export const restoreAdmission: KindAdmission<VirtualMachineRestore> = shaped<VirtualMachineRestore>(
  {
    create: (restore, context) =>
      first(
        () => snapshotGate(context.config, 'Snapshot/Restore feature gate not enabled'),
        () => [...targetRules(restore, context), ...onlyOne(restore, context)],
      ),
    update: immutableSpec,
  },
  'lenient',
);

function targetRules(restore: VirtualMachineRestore, context: AdmissionContext): Finding[] {
  const reference = isVirtualMachine(restore.spec.target, target);
  if (reference.length > 0) return reference;
  return [
    ...snapshotFits(restore, context),
    ...overrides(restore.spec),
    ...policy(restore.spec, 'volumeRestorePolicy', 'volume restore policy', [
      'InPlace',
      'RandomizeNames',
      'PrefixTargetName',
    ]),
    ...policy(restore.spec, 'volumeOwnershipPolicy', 'volume ownership policy', ['Vm', 'None']),
  ];
}

/** Validates the restore against its snapshot. A restore waits for a snapshot that does not exist yet. */
function snapshotFits(restore: VirtualMachineRestore, { find }: AdmissionContext): Finding[] {
  const { namespace } = restore.metadata;
  const name = restore.spec.virtualMachineSnapshotName ?? '';
  if (!name) return [unnamed(spec.at('virtualMachineSnapshotName'), 'write the name of the snapshot')];
  const snapshot = find('VirtualMachineSnapshot', namespace, name) as VirtualMachineSnapshot | undefined;
  if (!snapshot) return [];
  if (!restore.spec.target.name) return [unnamed(target.at('name'), 'write the name of the VM to restore')];
  const mistakes = [
    ...mistakesOf(restore.spec.patches ?? [], patchStaysInSpec),
    ...keepsSource(restore.spec, snapshot),
  ];
  const vm = find('VirtualMachine', namespace, restore.spec.target.name);
  const uid = snapshot.status?.sourceUID;
  if (vm && (uid === undefined || vm.metadata.uid === uid)) return mistakes;
  const contentName = snapshot.status?.virtualMachineSnapshotContentName;
  const at = spec.at('virtualMachineSnapshotName');
  const unfinished = (message: string): Finding[] => [
    refusal('snapshot-content', at, message, 'wait until the snapshot is ready to use', { value: name, field: '' }),
  ];
  if (contentName === undefined) return unfinished('snapshot content name is nil in vmSnapshot status');
  const content = find('VirtualMachineSnapshotContent', namespace, contentName) as
    VirtualMachineSnapshotContent | undefined;
  if (!content) return unfinished(`virtualmachinesnapshotcontents.snapshot.kubevirt.io "${contentName}" not found`);
  const source = content.spec.source.virtualMachine;
  if (!source) return unfinished('unexpected snapshot source');
  return [
    ...mistakes,
    ...when(
      keepsState(source.spec?.template?.spec),
      refusal(
        'restore-state',
        spec,
        'Restore to a different VM is not supported when snapshotted VM has backend storage (persistent TPM or EFI)',
        'restore the snapshot to its own VM',
      ),
    ),
  ];
}

/** InPlace deletes the claims of the snapshot's VM, which nothing stops or locks unless it is the target. */
function keepsSource(
  { volumeRestorePolicy, target: to }: VirtualMachineRestoreSpec,
  { spec: of }: VirtualMachineSnapshot,
) {
  const source = of?.source?.name;
  return when(
    volumeRestorePolicy === 'InPlace' && source !== undefined && source !== to.name,
    refusal(
      'restore-in-place-target',
      spec.at('volumeRestorePolicy'),
      `InPlace replaces the disks of VirtualMachine "${source}", but the target is VirtualMachine "${to.name}"`,
      `use RandomizeNames or PrefixTargetName, or the target "${source}"`,
      { value: 'InPlace', allowed: ['RandomizeNames', 'PrefixTargetName'] },
    ),
  );
}

const unnamed = (at: Path, remedy: string): Finding =>
  refusal('restore-name', at, 'resource name may not be empty', remedy, { field: '' });

function keepsState(instance: VirtualMachineInstanceSpec | undefined): boolean {
  const tpm = instance?.domain.devices?.tpm;
  const efi = instance?.domain.firmware?.bootloader?.efi;
  return (tpm?.enabled !== false && tpm?.persistent === true) || efi?.persistent === true;
}

/** Only labels, annotations and fields under /spec/ may be patched. The text is checked, as KubeVirt does. */
export function patchStaysInSpec(patch: string, index: number): Finding[] {
  const no = (message: string): Finding =>
    refusal('restore-patch', spec.at('patches', index), message, patchRemedy(patch), {
      field: 'spec.patches',
      value: patch,
    });
  return patch
    .replace(/^[{}]+|[{}]+$/g, '')
    .split(',')
    .flatMap((part) => {
      const [key, value, ...more] = part.split(':').map((text) => text.trim());
      if (value === undefined || more.length > 0) {
        return [no(`patch format is not valid - one ":" expected in a single key-value json patch: ${part}`)];
      }
      return when(
        key === '"path"' && !/^"\/(spec|metadata\/labels|metadata\/annotations)\//.test(value),
        no(`patching is valid only for elements under /spec/ only: ${part}`),
      );
    });
}

/** KubeVirt splits the text of a patch at commas and colons, also inside a value. */
function patchRemedy(patch: string): string {
  const general = 'write {"op": …, "path": "/spec/…", "value": …}';
  let value: unknown;
  try {
    value = (JSON.parse(patch) as { readonly value?: unknown } | null)?.value;
  } catch {
    return general;
  }
  if (typeof value === 'string' && /^([\da-f]{2}:){5}[\da-f]{2}$/i.test(value)) {
    return `KubeVirt accepts no colon in a value: write the address with dashes, "${value.replaceAll(':', '-')}"`;
  }
  if (typeof value === 'string' && /[:,]/.test(value)) return 'KubeVirt accepts neither a colon nor a comma in a value';
  if (typeof value === 'object' && value !== null) return 'set each field of the value by a patch of its own';
  return general;
}

function overrides({ volumeRestoreOverrides = [] }: VirtualMachineRestoreSpec): Finding[] {
  return mistakesOf(volumeRestoreOverrides, (override, i) => {
    const at = spec.at('volumeRestoreOverrides', i);
    const required = { type: 'FieldValueRequired' } as const;
    return [
      ...when(
        !override.volumeName,
        refusal(
          'override-volume',
          at.at('volumeName'),
          'must provide a volume name',
          'write the name of the volume',
          required,
        ),
      ),
      ...when(
        !override.restoreName && !override.annotations && !override.labels,
        refusal(
          'override-empty',
          at,
          'must provide at least one overriden field',
          'add restoreName, annotations or labels',
          required,
        ),
      ),
    ];
  });
}

function policy(
  restore: VirtualMachineRestoreSpec,
  field: 'volumeRestorePolicy' | 'volumeOwnershipPolicy',
  name: string,
  allowed: readonly string[],
): Finding[] {
  const got = restore[field];
  return when(
    got !== undefined && !allowed.includes(got),
    refusal('restore-policy', spec.at(field), `${name} "${got}" doesn't exist`, 'use one of the allowed values', {
      value: got,
      allowed,
    }),
  );
}

function onlyOne(restore: VirtualMachineRestore, { list }: AdmissionContext): Finding[] {
  const others = list('VirtualMachineRestore', restore.metadata.namespace) as readonly VirtualMachineRestore[];
  return others
    .filter(({ metadata, status }) => metadata.name !== restore.metadata.name && !status?.complete)
    .filter((other) => semanticDeepEqual(other.spec?.target, restore.spec.target))
    .map(({ metadata: { name } }) =>
      refusal('restore-in-progress', target, `VirtualMachineRestore "${name}" in progress`, `wait for ${name}`, {
        value: restore.spec.target?.name,
      }),
    );
}
