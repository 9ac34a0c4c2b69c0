import { Cell, Printer } from '../registry/kind';
import { age } from '../table/format';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isCidr, isLabelValue, isQualifiedName } from '../validation/names';
import { define, fieldLabelNotSupported } from './define';
import { validateResourceAmount } from './resource-names';

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
      [info.kernelVersion || '<unknown>', info.architecture && `(${info.architecture})`].filter(Boolean).join(' '),
      info.containerRuntimeVersion || '<unknown>',
    ];
  },
};

interface Taint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function validateTaints(taints: readonly Taint[], at: Fields): void {
  const seen = new Set<string>();
  taints.forEach(({ key = '', value = '', effect = '' }, i) => {
    const here = at.index(i);
    here.child('key').invalidEach(key, isQualifiedName(key));
    if (value) here.child('value').invalidEach(value, isLabelValue(value));
    if (!effect) here.child('effect').required();
    else if (!EFFECTS.includes(effect)) here.child('effect').notSupported(effect, EFFECTS);
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) here.duplicate({ Key: key, Value: value, Effect: effect, TimeAdded: null });
    seen.add(identity);
  });
}

function validateResources({ status }: AnyObject, at: Fields): void {
  for (const list of ['capacity', 'allocatable']) {
    for (const [name, amount] of Object.entries((status?.[list] ?? {}) as Record<string, string>)) {
      validateResourceAmount(name, amount, at.child(list, name));
    }
  }
}

function validateAddresses({ status }: AnyObject, at: Fields): void {
  const seen = new Set<string>();
  ((status?.addresses ?? []) as { type: string; address: string }[]).forEach(({ type, address }, i) => {
    const identity = JSON.stringify([type, address]);
    if (seen.has(identity)) at.index(i).duplicate({ Type: type, Address: address });
    seen.add(identity);
  });
}

function validateRanges(ranges: readonly string[], at: Fields): void {
  ranges.forEach((range, i) => at.index(i).invalidEach(range, isCidr(range)));
  if (ranges.length < 2) return;
  const wrong = ranges.findIndex((range) => isCidr(range).length > 0);
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`;
    at.internal(`invalid PodCIDRs. failed to check with dual stack with error:${why}`);
  }
  const both = wrong < 0 && new Set(ranges.map((range) => range.includes(':'))).size === 2;
  if (!both || ranges.length > 2) at.invalid(ranges, 'may specify no more than one CIDR for each IP family');
}

export const node = define({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  shortNames: ['no'],
  status: true,
  selectableFields: ['spec.unschedulable'],
  unsupportedField: fieldLabelNotSupported,
  fields: ({ spec }) => ({ 'spec.unschedulable': String(spec?.unschedulable ?? false) }),
  printer,
  // Kubelets register themselves together with their status.
  createsStatus: true,
  defaults(object) {
    const { spec } = object;
    // The single range is that of older clients, which do not know the list.
    if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
    if (spec?.podCIDRs?.length) spec.podCIDR = spec.podCIDRs[0];
    const resources = object.status;
    if (resources?.capacity && !resources.allocatable) resources.allocatable = { ...resources.capacity };
  },
  validate(node, fields) {
    validateTaints(node.spec?.taints ?? [], fields.child('metadata', 'taints'));
    validateResources(node, fields.child('status'));
    validateRanges(node.spec?.podCIDRs ?? [], fields.child('spec', 'podCIDRs'));
  },
  validateUpdate(next, old, fields) {
    validateResources(next, fields.child('status'));
    validateAddresses(next, fields.child('status', 'addresses'));
    const spec = fields.child('spec');
    const [ranges, before]: string[][] = [next.spec?.podCIDRs ?? [], old.spec?.podCIDRs ?? []];
    const changed = before.filter((range, i) => ranges.length !== before.length || range !== ranges[i]);
    // One error for each changed range, or one for another number of ranges.
    for (const _ of ranges.length === before.length ? changed : changed.slice(0, 1)) {
      spec.child('podCIDRs').forbidden('node updates may not change podCIDR except from "" to valid');
    }
    if (old.spec?.providerID && next.spec?.providerID !== old.spec.providerID) {
      spec.child('providerID').forbidden('node updates may not change providerID except from "" to valid');
    }
    validateTaints(next.spec?.taints ?? [], fields.child('metadata', 'taints'));
    // Kubernetes validates the new object as a whole before the change.
    const whole = Fields.root();
    this.validate!(next, whole);
    fields.causes.unshift(...whole.causes);
  },
});
