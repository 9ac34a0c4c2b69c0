/** Objects that create an exported VM elsewhere. Pure. */
import type { ExportedMachine } from '../../../api/export/export-request';
import type { cdi, KubeObject, VirtualMachine } from '../../../api';
import { claimNamesOf, type ExportSource, type ExportVolume } from './source';

/** The VM without its status and cluster-specific metadata, and DataVolumes for claims that it has no template for. */
export function exportedMachine(
  vm: VirtualMachine,
  source: ExportSource,
  links: ExportedMachine['links'],
): ExportedMachine {
  const { name, labels, annotations } = vm.metadata;
  const templates = (vm.spec.dataVolumeTemplates ?? []).filter((template) => template !== null);
  const served = new Map(
    source.volumes.filter(({ content }) => content === 'disk').map((volume) => [volume.name, volume]),
  );
  const others = claimNamesOf(vm).flatMap(({ claimName }) => {
    const volume = served.get(claimName);
    const hasTemplate = templates.some((template) => template.metadata?.name === claimName);
    return volume && !hasTemplate ? [dataVolume(claimName, volume)] : [];
  });
  const dataVolumeTemplates = templates.map((template) => {
    if (!served.has(template.metadata?.name ?? '')) return template;
    const { sourceRef: _, ...spec } = template.spec as cdi.DataVolumeSpec;
    return { ...template, spec: { ...spec, source: { http: { url: '' } } } };
  });
  return {
    volumes: Object.fromEntries([...served].map(([key, { claim }]) => [key, claim.metadata.name ?? ''])),
    objects: [
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata: { name, labels, annotations },
        spec: { ...vm.spec, ...(templates.length > 0 && { dataVolumeTemplates }) },
      } as KubeObject,
      ...others,
    ],
    links,
  };
}

function dataVolume(name: string, { claim }: ExportVolume): KubeObject {
  const { accessModes, volumeMode, resources } = claim.spec;
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name },
    spec: {
      source: { http: { url: '' } },
      storage: { accessModes, ...(volumeMode && { volumeMode }), resources: { requests: resources?.requests } },
    },
  } as KubeObject;
}
