import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestEngine } from '../engine';

/** Kinds of which an operation must leave no object. */
const KINDS = [
  ...['datavolumes', 'volumeimportsources', 'volumeuploadsources', 'volumeclonesources'],
  ...['volumesnapshots', 'volumesnapshotcontents'],
  ...['virtualmachinesnapshots', 'virtualmachinesnapshotcontents', 'virtualmachinerestores'],
];

export interface Kept {
  /** Claims as `namespace/name`. */
  readonly claims: readonly string[];
  readonly dataVolumes: readonly string[];
  /** Number of Pods. */
  readonly pods: number;
}

/** Differences between what an engine has and what it should have: objects, volumes, loop devices, folders of Pods, temporary files. */
export async function leftovers(engine: TestEngine, kept: Kept): Promise<string[]> {
  const objects = await engine.list([...KINDS, 'pods', 'persistentvolumeclaims', 'persistentvolumes'].join(','), '-A');
  const of = (kind: string) => objects.filter((object) => object.kind === kind);
  const names = (kind: string): string[] =>
    of(kind).map(({ metadata: { namespace, name } }) => (namespace ? `${namespace}/${name}` : name));
  const pods = of('Pod').filter(({ metadata }) => metadata.namespace !== 'kubevirt');
  const volumes: string[] = names('PersistentVolume');
  const claims = names('PersistentVolumeClaim');
  const others = objects.filter(
    ({ kind, metadata }) =>
      !['Pod', 'PersistentVolumeClaim', 'PersistentVolume'].includes(kind) &&
      !(kind === 'DataVolume' && kept.dataVolumes.includes(metadata.name)),
  );
  return [
    ...difference('claim', claims, kept.claims),
    ...(volumes.length === claims.length ? [] : [`${volumes.length} volumes of ${claims.length} claims`]),
    ...(pods.length === kept.pods ? [] : [`${pods.length} Pods: ${pods.map(shown).join('; ')}`]),
    ...others.map((object) => `${object.kind} ${shown(object)}`),
    ...difference('folder of a volume', readdirSync(join(engine.stateDir, 'storage')), volumes),
    ...loopDevices(engine, volumes),
    ...difference(
      'folder of a Pod',
      podFolders(engine),
      of('Pod').map(({ metadata }) => metadata.uid),
    ),
    ...temporaryFiles(engine),
  ];
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any object
const shown = ({ metadata: { name, finalizers, deletionTimestamp }, status }: any): string =>
  `${name} (${[status?.phase, deletionTimestamp && 'deleted', finalizers?.join(',')].filter(Boolean).join(', ')})`;

function difference(what: string, got: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...got.filter((name) => !wanted.includes(name)).map((name) => `${what} ${name} is left`),
    ...wanted.filter((name) => !got.includes(name)).map((name) => `${what} ${name} is missing`),
  ];
}

/** Loop devices over files of this engine: at most one for each volume, and none for another file. */
function loopDevices(engine: TestEngine, volumes: readonly string[]): string[] {
  const { stateDir } = engine;
  const lines = execFileSync('losetup', ['--list', '--noheadings', '--raw', '--output', 'NAME,BACK-FILE'], {
    encoding: 'utf8',
  }).split('\n');
  // once the mount namespace of a device has ended, its path has no state directory, but still the name of the volume
  const created = engine.audit().filter(({ verb, resource }) => verb === 'create' && resource === 'persistentvolumes');
  // the name is empty if the request ended before its object was known, and every line includes an empty text
  const names = [stateDir, ...volumes, ...created.map(({ name }) => name).filter(Boolean)];
  const own = lines.filter((line) => names.some((name) => line.includes(name)));
  const images = volumes.map((name) => join('/storage', name, 'volume.img'));
  const files = own.map((line) => line.slice(line.indexOf(' ') + 1).replace(stateDir, ''));
  return own.filter((_, index) => !images.includes(files[index]!) || files.indexOf(files[index]!) !== index);
}

function podFolders({ stateDir }: TestEngine): string[] {
  const nodes = join(stateDir, 'nodes');
  return readdirSync(nodes).flatMap((node) => readdirSync(join(nodes, node, 'kubelet/pods')));
}

/** Files that a program writes before it renames them, and folders of unfinished work. */
function temporaryFiles(engine: TestEngine): string[] {
  const { stateDir } = engine;
  // volumes are mounted only for the engine
  const volumes = `/proc/${engine.componentPid('engine')}/root${stateDir}/storage`;
  return [
    ...find(stateDir, '-xdev', '-name', '*.tmp'),
    ...find(volumes, '-maxdepth', '3', '(', '-name', '.partial-*', '-o', '-name', '.virt8s-import', ')'),
  ];
}

const find = (...args: string[]): string[] =>
  execFileSync('find', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
