/** Manifests that import an exported VM elsewhere. Pure. */
import type { KubeObject } from '../../api';
import { formatsOf, TOKEN_HEADER, type ExportedMachine, type LinkType } from '../../api/export/export-request';

interface DataVolumeSpec {
  source?: object;
}

/** The VM, its DataVolumes, and the ConfigMap with the authority of this exporter. Undefined without such a link. */
export function machineManifests(name: string, machine: ExportedMachine, type: LinkType): KubeObject[] | undefined {
  const link = machine.links[type];
  if (!link) return undefined;
  const certConfigMap = `export-ca-cm-${name}`;
  const source = (volume: string): object => ({
    http: {
      url: link.base + formatsOf(volume, 'disk').find(({ format }) => format === 'gzip')!.path,
      certConfigMap,
      secretExtraHeaders: [headerSecretName(name)],
    },
  });
  const pointed = <T extends DataVolumeSpec>(target: string, spec: T): T => {
    const volume = machine.volumes[target];
    return volume === undefined ? spec : { ...spec, source: source(volume) };
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: certConfigMap },
      data: { 'ca.pem': link.certificate },
    } as KubeObject,
    ...machine.objects.map((object) => {
      const { metadata, spec } = object as unknown as Importable;
      if (object.kind === 'DataVolume') return { ...object, spec: pointed(metadata.name, spec) };
      const templates = spec.dataVolumeTemplates?.map((template) => ({
        ...template,
        spec: pointed(template.metadata.name, template.spec),
      }));
      return { ...object, spec: { ...spec, ...(templates && { dataVolumeTemplates: templates }) } };
    }),
  ];
}

interface Importable {
  readonly metadata: { readonly name: string };
  readonly spec: DataVolumeSpec & {
    readonly dataVolumeTemplates?: readonly { metadata: { name: string }; spec: DataVolumeSpec }[];
  };
}

/** Secret with the header that a download needs, for `secretExtraHeaders`. */
export const headerSecret = (name: string, token: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: headerSecretName(name) },
    stringData: { token: `${TOKEN_HEADER}:${token}` },
  }) as KubeObject;

const headerSecretName = (name: string): string => `header-secret-${name}`;

/** Text of objects: a List, or documents of a YAML stream, whose values are JSON, which is YAML as well. */
export function manifestText(objects: readonly KubeObject[], accept = ''): { type: string; text: string } {
  if (!accept.includes('yaml')) {
    const list = { apiVersion: 'v1', kind: 'List', metadata: {}, items: objects };
    return { type: 'application/json', text: `${JSON.stringify(list, undefined, 4)}\n` };
  }
  const text = objects.map((object) => `${JSON.stringify(object, undefined, 2)}\n---\n`).join('');
  return { type: 'application/yaml', text };
}
