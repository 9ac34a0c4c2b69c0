/** Every field of the API has a typed property: each field of the schema must occur in what the fixtures render. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cloneSources,
  crons,
  dataSources,
  dataVolumes,
  importSources,
  manifest,
  profiles,
  uploadSources,
} from './constructs';
import { existing, type Loose, own, rendered } from './fixtures';

const file = (name: string): Loose =>
  JSON.parse(readFileSync(join(__dirname, '../../../../api/schema', name), 'utf8')).definitions;

/** Returns the paths of all leaves below a definition. List indexes are left out, and maps are leaves. */
function leaves(name: string, definition: string, at: string[] = []): string[] {
  return below(file(name)[definition], name, at);
}

function below(schema: Loose, name: string, at: string[]): string[] {
  if (schema.$ref) {
    const [, other, definition] = /^(.*)#\/definitions\/(.*)$/.exec(schema.$ref)!;
    return leaves(other || name, definition, at);
  }
  if (schema.type === 'array') return below(schema.items, name, at);
  if (!schema.properties || Object.keys(schema.properties).length === 0) return [at.join('.')];
  return Object.entries(schema.properties).flatMap(([key, inner]) => below(inner, name, [...at, key]));
}

/** Returns all paths of a value, in the form of {@link leaves}. */
function paths(value: Loose, at: string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, at));
  const here = at.length > 0 ? [at.join('.')] : [];
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))];
}

const disks = [...existing.map(([, disk]) => disk), ...own.map(([, disk]) => disk)].map((disk) => rendered(disk));
const specs = (manifests: Loose[]): Loose[] => manifests.map(({ spec }) => spec);
const templates = disks.flatMap(({ template }) => (template ? [template] : []));

const KUBEVIRT = 'kubevirt.io_v1.json';
const CDI = 'cdi.kubevirt.io_v1beta1.json';
/** Predecessor of a claim's dataSourceRef, which covers all of it. */
const POPULATED = ['storage.dataSource', 'pvc.dataSource'].flatMap((at) => [
  `${at}.apiGroup`,
  `${at}.kind`,
  `${at}.name`,
]);
/** Object in another namespace: `populator` accepts it, but CDI rejects it in a DataVolume. */
const ELSEWHERE = ['storage.dataSourceRef.namespace', 'pvc.dataSourceRef.namespace'];

const reached: [string, string, string, Loose[], string[]][] = [
  ['a disk', KUBEVIRT, 'Disk', disks.map(({ disk }) => disk), []],
  [
    'a volume',
    KUBEVIRT,
    'Volume',
    disks.map(({ volume }) => volume),
    // volumes of cloud-init are rendered by CloudInit
    leaves(KUBEVIRT, 'Volume').filter((leaf) => leaf.startsWith('cloudInit')),
  ],
  ['a directory', KUBEVIRT, 'Filesystem', disks.map(({ filesystem }) => filesystem), []],
  ['the DataVolume of a VM', CDI, 'DataVolumeSpec', specs(templates), [...POPULATED, ...ELSEWHERE]],
  [
    'a DataVolume',
    CDI,
    'DataVolumeSpec',
    specs(dataVolumes.map(([, dataVolume]) => manifest(dataVolume))),
    [...POPULATED, ...ELSEWHERE],
  ],
  ['a DataSource', CDI, 'DataSourceSpec', specs(dataSources()), []],
  [
    'a DataImportCron',
    CDI,
    'DataImportCronSpec',
    specs(crons()),
    // the template's spec is rendered by the same function as the rows above
    leaves(CDI, 'DataImportCronSpec').filter((leaf) => /^template\.(spec|status|apiVersion|kind|metadata)/.test(leaf)),
  ],
  ['a StorageProfile', CDI, 'StorageProfileSpec', specs(profiles()), []],
  [
    'a VolumeImportSource',
    CDI,
    'VolumeImportSourceSpec',
    specs(importSources()),
    // sources are the same as those of a DataVolume
    leaves(CDI, 'VolumeImportSourceSpec').filter((leaf) => leaf.startsWith('source.')),
  ],
  ['a VolumeUploadSource', CDI, 'VolumeUploadSourceSpec', specs(uploadSources()), []],
  ['a VolumeCloneSource', CDI, 'VolumeCloneSourceSpec', specs(cloneSources()), []],
];

const unreached = (name: string, definition: string, rendereds: Loose[]): string[] => {
  const seen = new Set(rendereds.flatMap((each) => paths(each ?? {})));
  return leaves(name, definition).filter((leaf) => !seen.has(leaf));
};

test.each(reached)('every field of %s has a property', (_, name, definition, rendereds, allowed) => {
  expect(unreached(name, definition, rendereds).filter((leaf) => !allowed.includes(leaf))).toEqual([]);
  // every allowed exception is a field of the schema
  expect(allowed.filter((leaf) => !leaves(name, definition).includes(leaf))).toEqual([]);
});

test('reports a field that no fixture renders', () => {
  expect(unreached(KUBEVIRT, 'DiskTarget', [{ bus: 'virtio', readonly: true }])).toEqual(['pciAddress']);
});
