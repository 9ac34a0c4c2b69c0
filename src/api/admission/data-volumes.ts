import type { DataVolumeSource } from '../generated/cdi-v1beta1';
import { type Finding, type Path, text } from '../findings';
import type { DataVolumeTemplateSpec, VirtualMachineInstanceSpec, VirtualMachineSpec } from '../generated/kubevirt-v1';
import type { ObjectMeta } from '../meta';
import { mistake } from './rule';
import { mistakesOf } from '../mistakes';

/** Validates the DataVolumes that are created for this VM. Clients know the list by its singular. */
export function dataVolumeTemplates(
  { dataVolumeTemplates: templates }: VirtualMachineSpec,
  { volumes = [] }: VirtualMachineInstanceSpec,
  at: Path,
): Finding[] {
  const used = new Set(
    volumes.flatMap(({ persistentVolumeClaim, dataVolume: own }) => [persistentVolumeClaim?.claimName, own?.name]),
  );
  return mistakesOf(templates ?? [], (given, i) => {
    const template = given ?? { spec: {} };
    const path = at.at('dataVolumeTemplates', i);
    const field = at.at('dataVolumeTemplate', i);
    const errors = dataVolume(template, path, field);
    if (errors.length > 0) return errors;
    const name = nameOf(template);
    if (used.has(name)) return [];
    const message = text`DataVolumeTemplate entry ${field} must be referenced in the VMI template's 'volumes' list`;
    const extra = { value: name, type: 'FieldValueRequired', field: `${field}` } as const;
    return mistake('data-volume-used', path, message, `add a volume with dataVolume: {name: ${name}}`, extra);
  });
}

function nameOf({ metadata }: DataVolumeTemplateSpec): string | undefined {
  return ((metadata ?? {}) as ObjectMeta).name;
}

/** Returns the first mistake of a template. */
function dataVolume(template: DataVolumeTemplateSpec, path: Path, field: Path): Finding[] {
  if (!nameOf(template)) {
    const own = field.at('name');
    const message = text`'name' field must not be empty for DataVolumeTemplate entry ${own}.`;
    const extra = { type: 'FieldValueRequired', field: `${own}` } as const;
    return mistake('data-volume-name', path.at('metadata', 'name'), message, 'name it', extra);
  }
  const { pvc, storage, source, sourceRef } = template.spec ?? {};
  const at = path.at('spec');
  if (!pvc === !storage) {
    const message = pvc
      ? 'Duplicate storage definition, both target storage and target pvc defined'
      : 'Missing Data volume PVC or Storage';
    const remedy = pvc ? 'keep storage' : 'add storage: {resources: {requests: {storage: 10Gi}}}';
    return mistake('data-volume-storage', at, message, remedy, { field: `${field.at('PVC', 'Storage')}` });
  }
  const target = pvc ?? storage;
  const populated = target?.dataSourceRef ?? target?.dataSource;
  if (populated && (source || sourceRef)) {
    const message = 'External population is incompatible with Source and SourceRef';
    return mistake('data-volume-source', at, message, 'keep one', { field: `${field.at('source')}` });
  }
  if (!populated && !source && !sourceRef) {
    const message = 'Data volume should have either Source, SourceRef, or be externally populated';
    const remedy = 'add source, for example blank: {}';
    return mistake('data-volume-source', at, message, remedy, { field: `${field.at('source', 'sourceRef')}` });
  }
  return source ? oneSource(source, at.at('source'), field.at('source')) : [];
}

function oneSource(source: DataVolumeSource, path: Path, field: Path): Finding[] {
  const named = Object.keys(source);
  if (named.length === 1) return [];
  const [message, remedy] = named.length
    ? ['Multiple dataVolume sources', `keep one of ${named.join(', ')}`]
    : ['Missing dataVolume valid source', 'add one, for example blank: {}'];
  return mistake('data-volume-one-source', path, message, remedy, { value: named, field: `${field}` });
}

/** The DataVolumes of a VM must be in its namespace. */
export function dataVolumesAreHere(vm: { metadata: ObjectMeta; spec: VirtualMachineSpec }, at: Path): Finding[] {
  const { namespace } = vm.metadata;
  return mistakesOf(vm.spec.dataVolumeTemplates ?? [], (template, i) => {
    const got = (template?.metadata as ObjectMeta | undefined)?.namespace;
    // a VM without a namespace gets one when it is applied
    if (!got || !namespace || got === namespace) return [];
    const path = at.at('dataVolumeTemplates', i);
    const message = `Embedded DataVolume namespace ${got} differs from VM namespace ${namespace}`;
    const extra = { value: got, allowed: [namespace], field: `${path}` };
    return mistake('data-volume-namespace', path.at('metadata', 'namespace'), message, 'leave it out', extra);
  });
}
