/** Contents of a guest's box in the diagram. Pure; accepts manifests of any shape. */
import type { KubeObject } from '../../api';
import { guestTemplateOf } from '../../api/kinds/registry';
import { isObject } from '../../api/lint/read';

/** A row of a guest's box. Edges to other objects start here. */
export interface Row {
  /** `volumes0`, `networks1`. */
  readonly id: string;
  readonly text: string;
}

const at = (value: unknown, ...fields: string[]): unknown =>
  fields.reduce<unknown>((inner, field) => (isObject(inner) ? inner[field] : undefined), value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const guestOf = (object: KubeObject): unknown => {
  const template = guestTemplateOf(object);
  return template && at(object, ...template, 'spec');
};

/** Rows for the disks and interfaces of a guest; empty for other kinds. */
export function rowsOf(object: KubeObject): Row[] {
  const spec = guestOf(object);
  const devices = at(spec, 'domain', 'devices');
  const disks = new Map(list(at(devices, 'disks')).map((disk) => [text(at(disk, 'name')), disk]));
  const interfaces = new Map(list(at(devices, 'interfaces')).map((nic) => [text(at(nic, 'name')), nic]));
  return [
    ...list(at(spec, 'volumes')).map((volume, i) => {
      const name = text(at(volume, 'name'));
      return { id: `volumes${i}`, text: words([name, attachment(disks.get(name)), source(volume)]) };
    }),
    ...list(at(spec, 'networks')).map((network, i) => {
      const name = text(at(network, 'name'));
      const nic = interfaces.get(name);
      const ports = list(at(nic, 'ports')).map((port) => text(at(port, 'port')));
      return { id: `networks${i}`, text: words([name, binding(nic), ports.join(', ')]) };
    }),
  ];
}

/** Size of a guest, a claim or a set. */
export function summaryOf(object: KubeObject): string | undefined {
  const spec = guestOf(object);
  const cpu = at(spec, 'domain', 'cpu');
  const topology = ['sockets', 'cores', 'threads'].map((field) => Number(text(at(cpu, field)) || 1));
  const cpus = isObject(cpu) ? topology.reduce((a, b) => a * b, 1) : undefined;
  const memory =
    text(at(spec, 'domain', 'memory', 'guest')) || text(at(spec, 'domain', 'resources', 'requests', 'memory'));
  const storage =
    text(at(object, 'spec', 'storage', 'resources', 'requests', 'storage')) ||
    text(at(object, 'spec', 'pvc', 'resources', 'requests', 'storage')) ||
    text(at(object, 'spec', 'resources', 'requests', 'storage'));
  const replicas = at(object, 'spec', 'replicas');
  const ports =
    object.kind === 'Service' ? list(at(object, 'spec', 'ports')).map((port) => text(at(port, 'port'))) : [];
  const parts = [
    replicas === undefined ? '' : `${text(replicas)} ×`,
    cpus === undefined ? '' : `${cpus} ${cpus === 1 ? 'CPU' : 'CPUs'}`,
    memory,
    storage,
    ports.length > 0 ? `port ${ports.join(', ')}` : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

const words = (parts: readonly string[]): string => parts.filter(Boolean).join(' · ');

/** Device type and bus: `disk virtio`, `cdrom sata`. A volume without a disk is a file system or serves the launcher. */
function attachment(disk: unknown): string {
  const type = ['disk', 'cdrom', 'lun'].find((each) => isObject(at(disk, each)));
  return type ? [type, text(at(disk, type, 'bus'))].filter(Boolean).join(' ') : '';
}

function source(volume: unknown): string {
  const kind = Object.keys(isObject(volume) ? volume : {}).find((field) => field !== 'name') ?? '';
  const detail =
    text(at(volume, kind, 'image')) || text(at(volume, kind, 'capacity')) || text(at(volume, kind, 'path'));
  return words([kind, detail]);
}

const BINDINGS = ['masquerade', 'bridge', 'sriov', 'passt', 'passtBinding', 'slirp', 'macvtap'];

const binding = (nic: unknown): string =>
  BINDINGS.find((each) => isObject(at(nic, each))) ?? text(at(nic, 'binding', 'name'));
