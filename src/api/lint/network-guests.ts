/** Objects that run guests, and the labels that select those guests. */
import { type Path, root } from '../findings';
import { keys } from '../keys';
import { GUEST_TEMPLATES, guestTemplateOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { type Json, objectAt, read, textAt, textsAt } from './read';
import type { Declared, World } from './world';

type Labels = Readonly<Record<string, string>>;

/** Object that runs one guest, or several equal ones. */
export interface Guests {
  readonly object: KubeObject;
  readonly namespace?: string;
  /** Spec of each guest, as its author wrote it. */
  readonly spec: Json;
  /** Path of that spec in the object. */
  readonly at: Path;
  /** Path of the spec of the VM, replica set or instance in the object. */
  readonly ownerAt: readonly string[];
  /** Number of guests, as far as the object says. */
  readonly count: number;
  /** Labels of the VirtualMachineInstances, which migration policies read. */
  readonly labels: Labels;
  /** Annotations of the VirtualMachineInstances. */
  readonly annotations: Labels;
  /** Whether other programs add containers to their Pods, which may also answer. */
  readonly hasSidecars: boolean;
  /** Labels of their Pods, which Services, policies and budgets read. */
  readonly podLabels: Labels;
}

/** On a launcher Pod: the host name of its guest. */
export const HOST_LABEL = keys.vmName;
/** On a launcher Pod: the name of its VirtualMachineInstance. */
export const INSTANCE_LABEL = keys.vmiId;

/** Host name of the guest, which is also a label of its Pod: from the spec, else the first part of the name. */
const hostOf = (name: string, hostname: string | undefined): string => hostname || name.split('.')[0];

/**
 * Label that selects the Pod of one VM or instance: the host name of the guest, which every version of KubeVirt
 * writes; the name of the instance where the host name differs.
 */
export function labelOfGuest(name: string, hostname?: string): Labels {
  return hostOf(name, hostname) === name ? { [HOST_LABEL]: name } : { [INSTANCE_LABEL]: name };
}

/** Annotations of an instance whose Pod gets further containers. */
const SIDECARS = [keys.hookSidecars, 'sidecar.istio.io/inject', 'linkerd.io/inject'];

const known = new WeakMap<KubeObject, Guests>();
/** Rules run one after the other on the same object: most calls need no look into the map. */
let latest: { readonly object?: KubeObject; readonly guests?: Guests } = {};

/** Returns the guests that an object runs, or undefined. Cached, because many rules read them. */
export function guestsIn(object: KubeObject): Guests | undefined {
  if (latest.object === object) return latest.guests;
  let guests = known.get(object);
  if (!guests) {
    guests = readGuests(object);
    if (guests) known.set(object, guests);
  }
  latest = { object, guests };
  return guests;
}

function readGuests(object: KubeObject): Guests | undefined {
  const path = guestTemplateOf(object);
  if (!path) return undefined;
  const spec = objectAt(object, ...path, 'spec');
  if (!spec) return undefined;
  const labels = textsAt(object, ...path, 'metadata', 'labels');
  const isOne = object.kind === 'VirtualMachine' || object.kind === 'VirtualMachineInstance';
  const name = textAt(object, 'metadata', 'name') ?? '';
  const own: Labels = isOne ? { [HOST_LABEL]: hostOf(name, textAt(spec, 'hostname')), [INSTANCE_LABEL]: name } : {};
  const replicas = read(object, 'spec', 'replicas');
  const annotations = textsAt(object, ...path, 'metadata', 'annotations');
  return {
    object,
    namespace: textAt(object, 'metadata', 'namespace'),
    spec,
    at: root.at(...path, 'spec'),
    ownerAt: path.length === 0 ? ['spec'] : path.slice(0, -1),
    count: isOne || typeof replicas !== 'number' ? 1 : replicas,
    labels,
    annotations,
    hasSidecars: SIDECARS.some((name) => !['false', 'disabled', undefined].includes(annotations[name])),
    podLabels: { ...labels, 'kubevirt.io': 'virt-launcher', ...own },
  };
}

interface Index {
  readonly guests: readonly Guests[];
  /** Guests by `namespace label=value` of their Pods. */
  readonly byLabel: ReadonlyMap<string, readonly Guests[]>;
}

const indexes = new WeakMap<World, Index>();

function indexOf(world: World): Index {
  let index = indexes.get(world);
  if (!index) {
    const kinds = Object.keys(GUEST_TEMPLATES);
    const guests = kinds.flatMap((kind) => world.all(kind).flatMap((declared) => guestsIn(declared.object()) ?? []));
    const byLabel = new Map<string, Guests[]>();
    for (const each of guests) {
      for (const [label, value] of Object.entries(each.podLabels)) {
        const key = `${each.namespace ?? ''} ${label}=${value}`;
        const list = byLabel.get(key);
        if (list) list.push(each);
        else byLabel.set(key, [each]);
      }
    }
    indexes.set(world, (index = { guests, byLabel }));
  }
  return index;
}

/** Returns all guests of the world. */
export const guestsOf = (world: World): readonly Guests[] => indexOf(world).guests;

/** Returns the guests whose Pods have all these labels in this namespace. */
export function selectedGuests(world: World, namespace: string | undefined, labels: Labels): readonly Guests[] {
  const carries = ({ podLabels }: Guests): boolean => entries.every(([label, value]) => podLabels[label] === value);
  const entries = Object.entries(labels);
  if (entries.length === 0) return [];
  const named = guestNamed(world, namespace, labels[HOST_LABEL] ?? labels[INSTANCE_LABEL]);
  if (named && carries(named)) return [named];
  const { byLabel } = indexOf(world);
  const lists = entries.map(([label, value]) => byLabel.get(`${namespace ?? ''} ${label}=${value}`) ?? []);
  const shortest = lists.reduce((least, list) => (list.length < least.length ? list : least));
  return shortest.filter(carries);
}

/** Fast path: most Services select one VM by its name. */
function guestNamed(world: World, namespace: string | undefined, name: string | undefined): Guests | undefined {
  const found = name === undefined ? undefined : world.find('VirtualMachine', namespace, name);
  return found && guestsIn(found);
}

/** `Service "web" (shop/web)`: names an object so that its author finds it. */
export const describeObject = ({ kind, name, where }: Pick<Declared, 'kind' | 'name' | 'where'>): string =>
  `${kind} "${name}" (${where})`;
