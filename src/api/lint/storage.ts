/** Rules between guests, their disks and the claims of those disks. */
import { keys } from '../keys';
import { mistake, notOneOf } from '../admission/rule';
import { dataVolumeRules } from '../cdi/data-volume';
import { type Finding, type Path, root, type RuleId } from '../findings';
import type { DataImportCron, DataVolumeSpec, StorageProfile } from '../generated/cdi-v1beta1';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { isDnsSubdomain } from '../names';
import { compareQuantities, isAmount } from '../quantity';
import { withoutNulls } from '../schema';
import type { ClusterConfig } from '../cluster-config';
import { accessModesOf } from './claim-facts';
import { disksFitClaims } from './claim-uses';
import { mustMove, neverLeaves, type Obstacle } from './migration';
import { isSame, isObject, listAt, read, textAt } from './read';
import { mostGuests } from './scaling';
import {
  describeDeclared,
  diskOwner,
  type DiskOwner,
  firstOwner,
  firstWriter,
  isWriter,
  templateNames,
  templatesIn,
  type Use,
  usesOf,
} from './storage-guests';
import {
  certificatesAreThere,
  cloneIsLargeEnough,
  credentialsHaveKeys,
  filledBy,
  keysOf,
  secretHeadersAreRead,
  dataSourceHasOneKeeper,
  dataSourceIsKept,
} from './storage-sources';
import { sourceHoldsNoSecret } from './storage-secrets';
import type { World } from './world';

/**
 * Reports storage that the platform accepts but cannot create: KubeVirt accepts DataVolumes of a VM that CDI rejects once the VM exists,
 * and CDI accepts values that neither it nor Kubernetes knows. For objects of the right shape, which may contain nulls.
 */
export function storageCanBeMade(given: KubeObject): Finding[] {
  const object = withoutNulls(given);
  switch (kindOf(object)) {
    case 'DataVolume':
      return canBeFilled(read(object, 'spec') as DataVolumeSpec, root.at('spec'));
    case 'DataImportCron':
      return cronWords((object as DataImportCron).spec);
    case 'StorageProfile':
      return profileWords((object as StorageProfile).spec);
  }
  const { templates = [], templatesAt = root } = templatesIn(object) ?? {};
  return templates.flatMap((template, i) => {
    const at = templatesAt.at(i, 'spec');
    const spec = template.spec as DataVolumeSpec | undefined;
    if (!isObject(spec)) return [];
    const errors = dataVolumeRules(spec, { at, field: `${at}` });
    return errors.length > 0 ? errors : canBeFilled(spec, at);
  });
}

const VOLUME_MODES = ['Block', 'Filesystem'];
const ACCESS_MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

function canBeFilled(spec: DataVolumeSpec, at: Path): Finding[] {
  return [...claimFields(spec, at), ...content(spec, at)];
}

/** Kubernetes rejects the claim, which nobody sees who looks at the DataVolume only. */
function claimFields(spec: DataVolumeSpec, at: Path): Finding[] {
  const path = at.at(spec.pvc ? 'pvc' : 'storage');
  const { storageClassName: name, resources } = spec.pvc ?? spec.storage ?? {};
  const [request, limit] = [resources?.requests?.storage, resources?.limits?.storage];
  const isBelow = isAmount(request) && isAmount(limit) && compareQuantities(request, limit) > 0;
  return [
    ...(typeof name !== 'string' || name === '' || isDnsSubdomain(name)
      ? []
      : mistake(
          'storage-class-name',
          path.at('storageClassName'),
          `"${name}" cannot be the name of a StorageClass`,
          'use lower case letters, digits, dashes and dots',
          { value: name },
        )),
    ...(isBelow
      ? mistake(
          'claim-size-limit',
          path.at('resources', 'limits', 'storage'),
          `the limit is less than the ${String(request)} that are requested`,
          'raise the limit, or leave it out',
          { value: limit },
        )
      : []),
  ];
}

function content(spec: DataVolumeSpec, at: Path): Finding[] {
  const { volumeMode: got } = spec.pvc ?? spec.storage ?? {};
  const path = at.at(spec.pvc ? 'pvc' : 'storage', 'volumeMode');
  const errors = word('volume-mode', path, got, VOLUME_MODES);
  if (errors.length > 0 || spec.contentType !== 'archive' || got !== 'Block') return errors;
  const message = 'ContentType Archive cannot have block volumeMode';
  return mistake('archive-block', path, message, 'use Filesystem for an archive of files', {
    value: got,
    allowed: ['Filesystem'],
  });
}

function cronWords({ template, retentionPolicy }: DataImportCron['spec']): Finding[] {
  return [
    ...canBeFilled(template.spec, root.at('spec', 'template', 'spec')),
    ...word('retention-policy', root.at('spec', 'retentionPolicy'), retentionPolicy, ['None', 'All']),
  ];
}

function profileWords(spec: StorageProfile['spec']): Finding[] {
  const at = root.at('spec');
  const format = spec.dataImportCronSourceFormat;
  return [
    ...word('clone-strategy', at.at('cloneStrategy'), spec.cloneStrategy, ['copy', 'snapshot', 'csi-clone']),
    ...word('import-format', at.at('dataImportCronSourceFormat'), format, ['snapshot', 'pvc']),
    ...(spec.claimPropertySets ?? []).flatMap(({ accessModes }, i) => [
      ...(accessModes.length > 0
        ? []
        : mistake(
            'profile-access-modes',
            at.at('claimPropertySets', i, 'accessModes'),
            'a combination without access modes fits no claim',
            'add an access mode, such as ReadWriteOnce',
          )),
      ...accessModes.flatMap((mode, k) =>
        word('access-mode', at.at('claimPropertySets', i, 'accessModes', k), mode, ACCESS_MODES),
      ),
    ]),
  ];
}

// the schema reports other types; null means absent
const word = (rule: RuleId, path: Path, got: string | null | undefined, allowed: readonly string[]): Finding[] =>
  typeof got === 'string' ? notOneOf(rule, path, got, allowed, `Unsupported value: "${got}"`) : [];

/** Returns the findings of every storage rule that needs the other objects of the app. */
export function storageTogether(object: KubeObject, world: World, config: ClusterConfig): Finding[] {
  const owner = diskOwner(object);
  const errors = owner
    ? guestRules(owner, world, config)
    : [...dataSourceIsKept(object, world), ...dataSourceHasOneKeeper(object, world)];
  const namespace = textAt(object, 'metadata', 'namespace');
  for (const filled of filledBy(object, owner)) {
    errors.push(
      ...cloneIsLargeEnough(filled, namespace, world),
      ...credentialsHaveKeys(filled, namespace, world),
      ...certificatesAreThere(filled, namespace, world),
      ...secretHeadersAreRead(filled, namespace, world),
      ...sourceHoldsNoSecret(filled),
    );
  }
  return errors;
}

function guestRules(owner: DiskOwner, world: World, config: ClusterConfig): Finding[] {
  const uses = usesOf(owner);
  return [
    ...(mustMove(owner, config) ? disksThatStay(owner, uses, world).flatMap(neverLeaves) : []),
    ...(uses.length === 0 && owner.templates.length === 0 ? [] : claimRulesOf(owner, uses, world)),
    ...answersAreThere(owner, world),
    ...disksFitClaims(owner, uses, world),
  ];
}

const claimRulesOf = (owner: DiskOwner, uses: readonly Use[], world: World): Finding[] => [
  ...dataVolumeIsOne(owner, world),
  ...claimHasOneWriter(owner, uses, world),
  ...templateHasOneOwner(owner, world),
];

/** Returns the disks that prevent a live migration, during which two nodes use the claims of the guest. */
export function disksThatStay(owner: DiskOwner, uses: readonly Use[], world: World): Obstacle[] {
  const claims = uses
    .filter(({ device, readOnly }) => device !== 'cdrom' || !readOnly)
    .flatMap(({ claim, disk, path }): Obstacle[] => {
      const modes = accessModesOf(claim, owner, world);
      if (modes.length === 0 || modes.includes('ReadWriteMany')) return [];
      const cause = `disk "${disk}" is on claim "${claim}", which is ${modes.join(', ')}`;
      const extra = { value: modes, allowed: ['ReadWriteMany'] };
      return [{ rule: 'migration-claim', path, cause, remedy: 'choose ReadWriteMany', extra }];
    });
  const files = listAt(owner.spec, 'volumes').flatMap(({ name, hostDisk }, i): Obstacle[] => {
    if (!isObject(hostDisk) || hostDisk.shared === true) return [];
    const cause = `disk "${String(name)}" is a file of its node`;
    const path = owner.at.at('volumes', i, 'hostDisk');
    return [{ rule: 'migration-host-disk', path, cause, remedy: 'set shared if all nodes have it' }];
  });
  return [...claims, ...files];
}

/** Reports a claim that is named as a DataVolume: the guest would wait for the DataVolume. */
function dataVolumeIsOne(owner: DiskOwner, world: World): Finding[] {
  const { spec, at, namespace } = owner;
  return listAt(spec, 'volumes').flatMap((volume, i) => {
    const got = textAt(volume, 'dataVolume', 'name');
    const claim = got === undefined ? undefined : world.find('PersistentVolumeClaim', namespace, got);
    if (got === undefined || !claim || world.find('DataVolume', namespace, got)) return [];
    if (templateNames(owner).includes(got)) return [];
    const message = `"${got}" is ${describeDeclared(claim, world)}, but this field takes a DataVolume`;
    const path = at.at('volumes', i, 'dataVolume', 'name');
    return mistake('data-volume-kind', path, message, 'use Disk.persistentVolumeClaim', { value: got });
  });
}

/** Reports two guests that write to one claim: QEMU locks it, and the second guest does not start. */
function claimHasOneWriter(owner: DiskOwner, uses: readonly Use[], world: World): Finding[] {
  if (owner.running === 0) return [];
  const own = owner.object.kind === 'VirtualMachinePool' ? templateNames(owner) : [];
  const remedy = 'give each guest a claim of its own, or set shareable on the disks if their file system allows it';
  return uses.filter(isWriter).flatMap(({ claim, disk, path }) => {
    if (own.includes(claim)) return [];
    const running = Math.max(owner.running, mostGuests(owner.object, world));
    if (running > 1) {
      const message = `disk "${disk}": all ${running} guests write to claim "${claim}", and only one can`;
      return mistake('claim-one-writer', path, message, remedy, { value: claim });
    }
    const first = firstWriter(claim, owner.namespace, world);
    if (!first || isSame(first, owner.object)) return [];
    const message = `disk "${disk}": ${describeDeclared(first, world)} also writes to claim "${claim}", and only one can`;
    return mistake('claim-one-writer', path, message, remedy, { value: claim });
  });
}

/** Reports a DataVolume that two VMs create: the name VM-DISK may be the same for both. */
function templateHasOneOwner(owner: DiskOwner, world: World): Finding[] {
  const { object, namespace } = owner;
  if (object.kind !== 'VirtualMachine') return [];
  return owner.templates.flatMap((template, i) => {
    const got = textAt(template, 'metadata', 'name');
    if (got === undefined) return [];
    const adopts = read(template, 'metadata', 'annotations', keys.allowClaimAdoption) !== undefined;
    const other =
      world.find('DataVolume', namespace, got) ??
      (adopts ? undefined : world.find('PersistentVolumeClaim', namespace, got)) ??
      firstOwner(got, namespace, world);
    if (!other || isSame(other, object)) return [];
    const who = describeDeclared(other, world);
    const message =
      other.kind === 'VirtualMachine'
        ? `${who} also creates DataVolume "${got}"`
        : `${who} has the name of this DataVolume`;
    const path = owner.templatesAt.at(i, 'metadata', 'name');
    const extra = { value: got, type: 'FieldValueDuplicate' } as const;
    return mistake('data-volume-owner', path, message, 'rename the disk or its DataVolume', extra);
  });
}

const ANSWERS = ['autounattend.xml', 'unattend.xml'];

/** Reports Sysprep without an answer file: the launcher does not start such a guest. */
function answersAreThere({ spec, at, namespace }: DiskOwner, world: World): Finding[] {
  return listAt(spec, 'volumes').flatMap((volume, i) =>
    (['configMap', 'secret'] as const).flatMap((field) => {
      const name = textAt(volume, 'sysprep', field, 'name');
      const kind = field === 'secret' ? 'Secret' : 'ConfigMap';
      const keys = name === undefined ? [] : keysOf(world.find(kind, namespace, name));
      if (keys.length === 0 || keys.some((key) => ANSWERS.includes(key.toLowerCase()))) return [];
      const path = at.at('volumes', i, 'sysprep', field, 'name');
      const message = `${kind} "${name}" has no answer file for the setup of Windows`;
      return mistake('sysprep-answers', path, message, 'add the key autounattend.xml', {
        value: keys,
        allowed: ANSWERS,
      });
    }),
  );
}
