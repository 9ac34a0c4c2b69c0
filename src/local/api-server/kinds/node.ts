import { Cell, Printer } from '../registry/kind';
import { age } from '../table/format';
import { AnyObject } from '../types';
import { define } from './define';

const ROLE = 'node-role.kubernetes.io/';

function roles(labels: Record<string, string> | undefined): string {
  const found = Object.entries(labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE)) return key.length > ROLE.length ? [key.slice(ROLE.length)] : [];
    return key === 'kubernetes.io/role' && value ? [value] : [];
  });
  return [...new Set(found)].sort().join(',') || '<none>';
}

function status(node: AnyObject): string {
  const conditions: { type: string; status: string }[] = node.status?.conditions ?? [];
  const ready = conditions.find((condition) => condition.type === 'Ready');
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (node.spec?.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

const printer: Printer = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Status', type: 'string' },
    { name: 'Roles', type: 'string' },
    { name: 'Age', type: 'string' },
    { name: 'Version', type: 'string' },
    { name: 'Internal-IP', type: 'string', priority: 1 },
    { name: 'External-IP', type: 'string', priority: 1 },
    { name: 'OS-Image', type: 'string', priority: 1 },
    { name: 'Kernel-Version', type: 'string', priority: 1 },
    { name: 'Container-Runtime', type: 'string', priority: 1 },
  ],
  row(node, now): Cell[] {
    const addresses: { type: string; address: string }[] = node.status?.addresses ?? [];
    const address = (type: string) => addresses.find((item) => item.type === type)?.address ?? '<none>';
    const info = node.status?.nodeInfo ?? {};
    return [
      node.metadata.name!,
      status(node),
      roles(node.metadata.labels),
      age(node.metadata.creationTimestamp, now),
      info.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info.osImage || '<unknown>',
      info.kernelVersion || '<unknown>',
      info.containerRuntimeVersion || '<unknown>',
    ];
  },
};

export const node = define({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  shortNames: ['no'],
  status: true,
  selectableFields: ['spec.unschedulable'],
  fields: ({ spec }) => ({ 'spec.unschedulable': String(spec?.unschedulable ?? false) }),
  printer,
  defaults(object) {
    const resources = object.status;
    if (resources?.capacity && !resources.allocatable) resources.allocatable = { ...resources.capacity };
  },
  validateUpdate(next, old, fields) {
    const spec = fields.child('spec');
    if (old.spec?.podCIDR && next.spec?.podCIDR !== old.spec.podCIDR) {
      spec.child('podCIDR').forbidden('node updates may not change podCIDR except from "" to valid');
    }
    if (old.spec?.providerID && next.spec?.providerID !== old.spec.providerID) {
      spec.child('providerID').forbidden('node updates may not change providerID except from "" to valid');
    }
  },
});
