/** Claims, DataVolumes and DataSources whose name is nearly that of a declared one. */
import { mistake } from '../admission/rule';
import { type Finding, type Path, root } from '../findings';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { misspeltReference } from './misspelt';
import { guestsIn } from './network-guests';
import { listAt, objectAt, textAt } from './read';
import type { World } from './world';

interface Named {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly path: Path;
}

interface NamespacedName {
  readonly name: string;
  readonly namespace?: string;
}

/** Limit of candidates: each name that the cluster holds is compared with all of them. */
const MOST_COMPARED = 500;

type Names = ReadonlyMap<string | undefined, ReadonlySet<string>>;
const known = new WeakMap<World, Map<string, Names>>();

/** Names of claims or of DataSources that exist once everything is applied, by namespace. */
function namesOf(kind: string, namespace: string | undefined, world: World): ReadonlySet<string> {
  let all = known.get(world);
  if (!all) known.set(world, (all = new Map()));
  const group = kind === 'DataSource' ? kind : 'claims';
  let names = all.get(group);
  if (!names) all.set(group, (names = byNamespace(group === 'claims' ? claims(world) : dataSources(world))));
  return names.get(namespace) ?? new Set();
}

function byNamespace(places: readonly NamespacedName[]): Names {
  const names = new Map<string | undefined, Set<string>>();
  for (const { name, namespace } of places) {
    const here = names.get(namespace);
    if (here) here.add(name);
    else names.set(namespace, new Set([name]));
  }
  return names;
}

/** The only namespace that has one of this name. Without a namespace, it may be applied to any. */
function otherNamespace(kind: string, name: string, world: World): string | undefined {
  const group = kind === 'DataSource' ? kind : 'claims';
  const having = [...(known.get(world)?.get(group) ?? [])].filter(([, names]) => names.has(name));
  return having.length === 1 ? having[0][0] : undefined;
}

const claims = (world: World): NamespacedName[] => [
  ...world.all('PersistentVolumeClaim'),
  ...world.all('DataVolume'),
  ...world.all('VirtualMachine').flatMap(({ object, namespace }) =>
    listAt(object(), 'spec', 'dataVolumeTemplates').flatMap((template) => {
      const name = textAt(template, 'metadata', 'name');
      return name === undefined ? [] : [{ name, namespace }];
    }),
  ),
];

const dataSources = (world: World): NamespacedName[] => [
  ...world.all('DataSource'),
  ...world.all('DataImportCron').flatMap(({ object, namespace }) => {
    const name = textAt(object(), 'spec', 'managedDataSource');
    return name === undefined ? [] : [{ name, namespace }];
  }),
];

/** Names that a guest's disks and their sources use, without those created with the guest. Allocates little: there may be many guests. */
function namedBy(object: KubeObject): Named[] {
  const guests = guestsIn(object);
  if (!guests) return [];
  const templates = listAt(object, ...guests.ownerAt, 'dataVolumeTemplates');
  const own = templates.map((template) => textAt(template, 'metadata', 'name'));
  const named: Named[] = [];
  listAt(guests.spec, 'volumes').forEach((volume, i) => {
    const at = (...fields: string[]): Path => guests.at.at('volumes', i, ...fields);
    const claim = textAt(volume, 'persistentVolumeClaim', 'claimName');
    if (claim !== undefined) {
      named.push({ kind: 'PersistentVolumeClaim', name: claim, path: at('persistentVolumeClaim', 'claimName') });
    }
    for (const fields of OTHER_CLAIMS) {
      const name = textAt(volume, ...fields, 'claimName');
      if (name !== undefined) named.push({ kind: 'PersistentVolumeClaim', name, path: at(...fields, 'claimName') });
    }
    const dataVolume = textAt(volume, 'dataVolume', 'name');
    if (dataVolume !== undefined && !own.includes(dataVolume)) {
      named.push({ kind: 'DataVolume', name: dataVolume, path: at('dataVolume', 'name') });
    }
  });
  templates.forEach((template, i) => {
    const at = root.at(...guests.ownerAt, 'dataVolumeTemplates', i, 'spec');
    named.push(...namedBySource(objectAt(template, 'spec'), at));
  });
  return named;
}

function namedBySource(spec: unknown, at: Path): Named[] {
  const found: Named[] = [];
  for (const [kind, ...fields] of SOURCES) {
    const name = textAt(spec, ...fields, 'name');
    if (name === undefined) continue;
    found.push({ kind, name, namespace: textAt(spec, ...fields, 'namespace'), path: at.at(...fields) });
  }
  return found;
}

const SOURCES = [
  ['DataSource', 'sourceRef'],
  ['DataSource', 'source', 'dataSource'],
  ['PersistentVolumeClaim', 'source', 'pvc'],
] as const;

/** Volumes of a guest that name a claim and do not show it as it is. */
const OTHER_CLAIMS = [['ephemeral', 'persistentVolumeClaim'], ['memoryDump']] as const;

/** Returns the names that an object uses. */
function namesIn(object: KubeObject): Named[] {
  const at = root.at('spec');
  const kind = 'PersistentVolumeClaim';
  switch (kindOf(object)) {
    case 'DataVolume':
    case 'DataSource':
      return namedBySource(objectAt(object, 'spec'), at);
    case 'VirtualMachineBackup': {
      const name = textAt(object, 'spec', 'pvcName');
      return name === undefined ? [] : [{ kind, name, path: at.at('pvcName') }];
    }
    case 'VirtualMachineExport':
    case 'VolumeCloneSource': {
      const source = objectAt(object, 'spec', 'source');
      const name = textAt(source, 'kind') === kind ? textAt(source, 'name') : undefined;
      return name === undefined ? [] : [{ kind, name, path: at.at('source', 'name') }];
    }
  }
  return namedBy(object);
}

/** An undeclared name may be in the cluster. Reported when a declared name is nearly the same. */
export function storageIsSpeltRight(object: KubeObject, world: World): Finding[] {
  const named = namesIn(object);
  if (named.length === 0) return [];
  const own = textAt(object, 'metadata', 'namespace');
  const verb = kindOf(object) === 'DataSource' ? 'refers to' : 'copies';
  return named.flatMap(({ kind, name: got, namespace = own, path }) => {
    const names = namesOf(kind, namespace, world);
    if (names.has(got) || names.size > MOST_COMPARED) return [];
    const other = namespace === undefined ? undefined : otherNamespace(kind, got, world);
    if (
      other !== undefined &&
      path.parts.some((part) => part === 'sourceRef' || part === 'pvc' || part === 'dataSource')
    ) {
      const cause = `${kind} "${got}" is in the namespace "${other}", and this ${verb} one of "${namespace}"`;
      const remedy = `write namespace: "${other}", or pass the construct, which knows its namespace`;
      return mistake('reference-namespace', path, cause, remedy, { value: got });
    }
    return misspeltReference(kind, got, path, [...names], kind === 'DataSource');
  });
}
