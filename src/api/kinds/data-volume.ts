import { keys } from '../keys';
import { adoptsClaims } from '../cdi/adoption';
import { cloneIsAllowed } from '../cdi/clone-source';
import { dataVolumeRules, nameFits } from '../cdi/data-volume';
import type { CdiField } from '../cdi/sources';
import { Finding, root } from '../findings';
import type { CDIConfig, DataVolume, DataVolumeSpec } from '../generated/cdi-v1beta1';
import type { AdmissionContext, KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const spec: CdiField = { at: root.at('spec'), field: 'spec' };
const name: CdiField = { at: root.at('metadata', 'name'), field: '' };

export const dataVolumeAdmission: KindAdmission<DataVolume> = shaped<DataVolume>({
  create: (volume, context) =>
    first(
      () => cloneIsAllowed(volume.metadata, volume.spec, spec.at, context),
      () => nameFits(volume.metadata.name, 253, name),
      () => claimIsFree(volume, context),
      () => dataVolumeRules(volume.spec, spec),
    ),
  update: (volume, old) =>
    first(
      () => unchanged(volume.spec, old.spec),
      () => nameFits(volume.metadata.name, 253, name),
      () => dataVolumeRules(volume.spec, spec),
    ),
});

/** Only a multi-stage import may get further checkpoints. */
function unchanged(now: DataVolumeSpec, was: DataVolumeSpec): Finding[] {
  const steps = Boolean(now.checkpoints?.length) && Boolean(now.source?.vddk ?? now.source?.imageio);
  const compared = ({ checkpoints, finalCheckpoint, ...rest }: DataVolumeSpec): unknown =>
    steps ? rest : { ...rest, checkpoints, finalCheckpoint };
  return when(
    !semanticDeepEqual(compared(now), compared(was)),
    refusal('spec-immutable', spec.at, 'Cannot update DataVolume Spec', 'create another DataVolume', {
      type: 'FieldValueDuplicate',
      field: 'DataVolume.Spec',
    }),
  );
}

/** Rejects a DataVolume whose claim exists already: the claim gets the name of the DataVolume. */
function claimIsFree({ metadata }: DataVolume, { find }: AdmissionContext): Finding[] {
  const claim = metadata.name && find('PersistentVolumeClaim', metadata.namespace, metadata.name);
  if (!claim || claim.metadata.ownerReferences?.some((owner) => owner.controller && owner.kind === 'DataVolume')) {
    return [];
  }
  const { annotations = {} } = claim.metadata;
  if (annotations[keys.populatedFor] === metadata.name) return [];
  if (adoptsClaims({ metadata }, find('CDIConfig', undefined, 'config') as CDIConfig | undefined)) return [];
  return [
    refusal(
      'claim-exists',
      name.at,
      `Destination PVC ${claim.metadata.namespace}/${claim.metadata.name} already exists`,
      'choose another name, or annotate it cdi.kubevirt.io/allowClaimAdoption: "true" to adopt that claim',
      { type: 'FieldValueDuplicate', field: 'DataVolume.Name', value: metadata.name },
    ),
  ];
}
