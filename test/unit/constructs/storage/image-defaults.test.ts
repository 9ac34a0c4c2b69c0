import { Size } from 'cdk8s';
import {
  ClusterInstancetype,
  DataImportCron,
  DataSource,
  DataVolume,
  DataVolumeSource,
  Disk,
  ImageLocation,
  Instancetype,
  Preference,
  VirtualMachine,
} from '../../../../src';
import { mistakeOf, synthMistake, testChart } from '../fixtures';

const size = Size.gibibytes(10);
const source = DataVolumeSource.registry('registry.example/os:1');
const labelsOf = ({ apiObject }: { readonly apiObject: { toJson(): unknown } }) =>
  (apiObject.toJson() as { metadata: { labels?: object } }).metadata.labels;

test('DataVolume, DataSource and DataImportCron carry the labels that KubeVirt infers from', () => {
  const chart = testChart();
  const defaults = {
    defaultInstancetype: new Instancetype(chart, 'small', { cpus: 1, memory: size }),
    defaultPreference: { name: 'fedora' },
    metadata: { labels: { team: 'a' } },
  };
  const labels = {
    team: 'a',
    'instancetype.kubevirt.io/default-instancetype': defaults.defaultInstancetype.name,
    'instancetype.kubevirt.io/default-instancetype-kind': 'VirtualMachineInstancetype',
    'instancetype.kubevirt.io/default-preference': 'fedora',
  };
  expect(labelsOf(new DataVolume(chart, 'volume', { source, size, ...defaults }))).toEqual(labels);
  expect(labelsOf(new DataSource(chart, 'source', defaults))).toEqual(labels);
  expect(labelsOf(new DataImportCron(chart, 'cron', { source, size, ...defaults }))).toEqual(labels);
});

test('an imported preference keeps its kind, and no defaults add no labels', () => {
  const chart = testChart();
  const named = new DataSource(chart, 'named', { defaultPreference: Preference.fromName('server') });
  expect(labelsOf(named)).toEqual({
    'instancetype.kubevirt.io/default-preference': 'server',
    'instancetype.kubevirt.io/default-preference-kind': 'VirtualMachinePreference',
  });
  expect(labelsOf(new DataSource(chart, 'bare'))).toBeUndefined();
});

test('a VM infers the defaults of the DataSource of its disk', () => {
  const chart = testChart();
  const instancetype = new ClusterInstancetype(chart, 'small', { cpus: 1, memory: size });
  const golden = ImageLocation.claim({ name: 'golden' }, { namespace: 'images' });
  const image = new DataSource(chart, 'image', { image: golden, defaultInstancetype: instancetype });
  new VirtualMachine(chart, 'vm', {
    disks: [Disk.dataSource(image, { name: 'root', size })],
    inferInstancetype: { volume: 'root' },
  });
  expect(synthMistake(chart)).toBe('nothing was thrown');
});

test('rejects an object of another kind', () => {
  const chart = testChart();
  const preference = new Preference(chart, 'preference');
  expect(mistakeOf(() => new DataSource(chart, 'image', { defaultInstancetype: preference }))).toContain(
    'is a VirtualMachinePreference, not a VirtualMachineInstancetype or VirtualMachineClusterInstancetype',
  );
});
