import type { ClusterConfig } from '../cluster-config';
import { Finding, root } from '../findings';
import type { VirtualMachineExport } from '../generated/export-v1';
import type { KindAdmission } from './kind';
import { refusal, when } from './refusal';
import { immutableSpec, shaped } from './shape';

const source = root.at('spec', 'source');

export const exportAdmission: KindAdmission<VirtualMachineExport> = shaped<VirtualMachineExport>(
  {
    create: ({ spec }, { config }) => sourceRules(spec.source, config),
    update: immutableSpec,
  },
  'lenient',
);

/** Kinds that can be exported, with their group and their names in KubeVirt's messages. */
const sources: Readonly<Record<string, { group: string; named: string; grouped: string }>> = {
  PersistentVolumeClaim: { group: '', named: 'PVC', grouped: 'PVC' },
  VirtualMachineSnapshot: { group: 'snapshot.kubevirt.io', named: 'VMSnapshot', grouped: 'VMSnapshot' },
  VirtualMachine: { group: 'kubevirt.io', named: 'Virtual Machine', grouped: 'VM' },
  VirtualMachineBackup: {
    group: 'backup.kubevirt.io',
    named: 'VirtualMachineBackup',
    grouped: 'VirtualMachineBackup',
  },
  VirtualMachineTemplate: {
    group: 'template.kubevirt.io',
    named: 'VirtualMachineTemplate',
    grouped: 'VirtualMachineTemplate',
  },
};

function sourceRules(
  reference: { kind: string; name: string; apiGroup?: string } | undefined,
  config: ClusterConfig,
): Finding[] {
  const { kind = '', name, apiGroup } = reference ?? { kind: '', name: '' };
  if (!Object.hasOwn(sources, kind)) {
    return [
      refusal('export-kind', source.at('kind'), 'invalid kind', 'export one of the allowed kinds', {
        value: kind,
        allowed: Object.keys(sources),
      }),
    ];
  }
  if (kind === 'VirtualMachineTemplate' && !exportsTemplates(config)) {
    return [
      refusal(
        'gate-oci-export',
        source.at('kind'),
        'VirtualMachineTemplate source requires the OCIExport feature gate and virt-template deployment to be enabled',
        'enable both in the KubeVirt object',
        { value: kind },
      ),
    ];
  }
  const { group, named, grouped } = sources[kind];
  const must = group === '' ? 'missing or blank' : group;
  return [
    ...when(
      !name,
      refusal(
        'export-name',
        source.at('name'),
        `${named} name must not be empty`,
        'write the name of the object to export',
      ),
    ),
    ...when(
      (apiGroup ?? '') !== group,
      refusal(
        'export-group',
        source.at('apiGroup'),
        `${grouped} API group must be ${must}`,
        group === '' ? 'remove apiGroup' : `write apiGroup: ${group}`,
        { value: apiGroup, field: 'spec.source.APIGroup' },
      ),
    ),
  ];
}

function exportsTemplates(config: ClusterConfig): boolean {
  const deployed = config.hasGate('Template') && config.raw.virtTemplateDeployment?.enabled !== false;
  return config.hasGate('OCIExport') && deployed;
}
