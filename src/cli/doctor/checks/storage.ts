import { keys } from '../../../api/keys';
import type { StorageClass } from '../../../local/core-v1';
import { warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { nameOf, subjectOf, listed } from '../words';

/** Storage classes, and whether disks on the default one can be sized and snapshotted. */
export const storage: Check = {
  name: 'storage',
  reads: ['storageClasses', 'snapshotClasses', 'storageProfiles'],
  find,
};

const DEFAULT = 'storageclass.kubernetes.io/is-default-class';
const DEFAULT_SNAPSHOTS = 'snapshot.storage.kubernetes.io/is-default-class';

const marked = <T extends { metadata: { annotations?: Record<string, string> } }>(
  list: readonly T[],
  annotation: string,
): T[] => list.filter(({ metadata }) => metadata.annotations?.[annotation] === 'true');

function find(facts: Facts): Finding[] {
  const { storageClasses: classes } = facts;
  if (!classes) return [];
  if (classes.length === 0) {
    const remedy = 'install a storage provisioner; without one, VMs can only have container disks and empty disks';
    return [warning('Storage', 'the cluster has no StorageClass, so no claim is provisioned', remedy)];
  }
  // CDI's annotation takes precedence for VMs
  const defaults = ([keys.defaultVirtClass, DEFAULT] as const)
    .map((annotation) => ({ annotation, found: marked(classes, annotation) }))
    .find(({ found }) => found.length > 0);
  if (!defaults) {
    const remedy = `mark one: kubectl annotate storageclass NAME ${DEFAULT}=true (existing: ${listed(classes.map(nameOf))})`;
    return [warning('Storage', 'no StorageClass is the default, so claims without a class stay pending', remedy)];
  }
  const [first, ...others] = defaults.found as [StorageClass, ...StorageClass[]];
  const several =
    others.length > 0
      ? [
          warning(
            subjectOf('StorageClass', defaults.found.map(nameOf)),
            'several are the default, and the newest one is used',
            `remove the annotation ${defaults.annotation} from all but one`,
          ),
        ]
      : [];
  return [...several, ...ofSnapshots(facts, first), ...ofProfile(facts, first)];
}

function ofSnapshots({ snapshotClasses, absent }: Facts, of: StorageClass): Finding[] {
  const subject = `StorageClass "${nameOf(of)}"`;
  const consequence = 'each snapshot of a VM copies its disks of this class completely';
  if (absent.has('snapshotClasses')) {
    const remedy = 'install the definitions and the controller of kubernetes-csi/external-snapshotter';
    return [warning(subject, `the cluster has no VolumeSnapshots: ${consequence}`, remedy)];
  }
  if (!snapshotClasses) return [];
  const own = snapshotClasses.filter(({ driver }) => driver === of.provisioner);
  if (own.length === 0) {
    const remedy = `create a VolumeSnapshotClass with driver ${of.provisioner}, if the driver supports snapshots`;
    return [warning(subject, `no VolumeSnapshotClass has its driver ${of.provisioner}: ${consequence}`, remedy)];
  }
  const several = marked(own, DEFAULT_SNAPSHOTS);
  if (several.length < 2) return [];
  return [
    warning(
      subjectOf('VolumeSnapshotClass', several.map(nameOf)),
      `several are the default of driver ${of.provisioner}, so snapshots that name no class fail`,
      `remove the annotation ${DEFAULT_SNAPSHOTS} from all but one`,
    ),
  ];
}

function ofProfile({ storageProfiles, absent }: Facts, of: StorageClass): Finding[] {
  if (!storageProfiles || absent.has('storageProfiles')) return [];
  const name = nameOf(of);
  const profile = storageProfiles.find((each) => nameOf(each) === name);
  if (profile?.status?.claimPropertySets?.length) return [];
  const cause = profile
    ? `it has no access modes for ${of.provisioner}, so DataVolumes must set accessModes themselves`
    : 'it does not exist, so DataVolumes must set accessModes themselves';
  const remedy = `set spec.claimPropertySets: kubectl edit storageprofile ${name}`;
  return [warning(`StorageProfile "${name}"`, cause, remedy)];
}
