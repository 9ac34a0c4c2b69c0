import { nameFits } from '../cdi/data-volume';
import { contentTypeIsKnown, inside, mistakeAt, oneSource, sourceRules, type CdiField } from '../cdi/sources';
import { Finding, root } from '../findings';
import type { VolumeImportSource, VolumeImportSourceSpec, VolumeUploadSource } from '../generated/cdi-v1beta1';
import type { KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const spec: CdiField = { at: root.at('spec'), field: 'spec' };
const name: CdiField = { at: root.at('metadata', 'name'), field: '' };
const LABEL_LENGTH = 63;

export const volumeImportSourceAdmission: KindAdmission<VolumeImportSource> = shaped<VolumeImportSource>({
  create: importRules,
  update: (source, old) =>
    first(
      () =>
        unchanged('VolumeImportSource', withoutSteps(source.spec, source.spec), withoutSteps(old.spec, source.spec)),
      () => importRules(source),
    ),
});

export const volumeUploadSourceAdmission: KindAdmission<VolumeUploadSource> = shaped<VolumeUploadSource>({
  create: uploadRules,
  update: (source, old) =>
    first(
      () => unchanged('VolumeUploadSource', source.spec, old.spec),
      () => uploadRules(source),
    ),
});

function uploadRules({ metadata, spec: { contentType } }: VolumeUploadSource): Finding[] {
  return first(
    () => nameFits(metadata.name, LABEL_LENGTH, name),
    () => contentTypeIsKnown(contentType, spec),
  );
}

function importRules({ metadata, spec: given }: VolumeImportSource): Finding[] {
  const { source = {}, contentType, targetClaim } = given;
  return first(
    () => nameFits(metadata.name, LABEL_LENGTH, name),
    () => contentTypeIsKnown(contentType, spec),
    () => oneSource(source, 'VolumeImport', spec),
    () =>
      inSteps(given) && !targetClaim
        ? mistakeAt(
            inside(spec, ['targetClaim']),
            'import-target',
            'Unable to do multi-stage import without specifying a target claim',
            'write the name of the claim in targetClaim',
          )
        : [],
    () => sourceRules(source, contentType, spec),
  );
}

/** Whether it is a multi-stage import, which continues with each further checkpoint. */
function inSteps({ checkpoints = [], source }: VolumeImportSourceSpec): boolean {
  return checkpoints.length > 0 && Boolean(source?.vddk ?? source?.imageio);
}

function withoutSteps(of: VolumeImportSourceSpec, now: VolumeImportSourceSpec): unknown {
  const { checkpoints: _checkpoints, finalCheckpoint: _final, ...rest } = of;
  return inSteps(now) ? rest : of;
}

function unchanged(kind: string, now: unknown, was: unknown): Finding[] {
  return when(
    !semanticDeepEqual(now, was),
    refusal('spec-immutable', spec.at, `Cannot update ${kind} Spec`, 'create another one', {
      type: 'FieldValueDuplicate',
      field: `${kind}.Spec`,
    }),
  );
}
