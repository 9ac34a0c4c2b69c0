import type { Loose } from '../fixtures';
import { alone, object, together } from './worlds';

const claim = (name: string, namespace?: string): Loose =>
  object('v1', 'PersistentVolumeClaim', name, { resources: { requests: { storage: '1Gi' } } }, { namespace });
const dataVolume = (name: string): Loose =>
  object('cdi.kubevirt.io/v1beta1', 'DataVolume', name, { source: { blank: {} }, storage: {} });
const cron = (managedDataSource: string): Loose =>
  object('cdi.kubevirt.io/v1beta1', 'DataImportCron', 'weekly', { managedDataSource });
const vm = (volume: Loose, more: Loose = {}): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'vm', {
    ...more,
    template: { spec: { domain: { devices: {} }, volumes: [{ name: 'root', ...volume }] } },
  });
const ofClaim = (claimName: string): Loose => vm({ persistentVolumeClaim: { claimName } });
const copyOf = (name: string): Loose =>
  vm(
    { dataVolume: { name: 'own' } },
    { dataVolumeTemplates: [{ metadata: { name: 'own' }, spec: { sourceRef: { kind: 'DataSource', name } } }] },
  );
const reported = ['reference-name spec.template.spec.volumes[0].persistentVolumeClaim.claimName'];

test.each<[string, Loose[], string[]]>([
  ['a claim by its name is found', [claim('database'), ofClaim('database')], []],
  ['a claim that is misspelt is reported', [claim('database'), ofClaim('databsae')], reported],
  ['the claim of a DataVolume that is misspelt is reported', [dataVolume('database'), ofClaim('databsae')], reported],
  ['accepts a claim of the cluster', [claim('database'), ofClaim('uploads')], []],
  ['a claim of another namespace was not meant', [claim('database', 'other'), ofClaim('databsae')], []],
  [
    'a DataVolume that is misspelt is reported',
    [dataVolume('database'), vm({ dataVolume: { name: 'databsae' } })],
    ['reference-name spec.template.spec.volumes[0].dataVolume.name'],
  ],
  ['a DataVolume of the VM itself is found', [dataVolume('owns'), copyOf('fedora')], []],
  [
    'a DataSource of a cron that is misspelt is reported',
    [cron('fedora'), copyOf('fedroa')],
    ['reference-name spec.dataVolumeTemplates[0].spec.sourceRef'],
  ],
  [
    'one of very many is not looked for',
    [...Array.from({ length: 501 }, (_, i) => claim(`database-${i}x`)), ofClaim('databsae-1x')],
    [],
  ],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));

test('labels that the API server refuses are refused of every kind', () => {
  const labelled = (each: Loose): Loose => ({
    ...each,
    metadata: { ...each.metadata, labels: { 'a b': 'c', tier: 'web' } },
  });
  for (const each of [claim('a'), dataVolume('a'), ofClaim('a')]) {
    expect(alone(labelled(each))).toContain('label metadata.labels.a b');
  }
});
