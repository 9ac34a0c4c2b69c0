import { type Loose, validVm } from '../fixtures';
import { object, together } from './worlds';

const storage = { resources: { requests: { storage: '1Gi' } } };
const dataVolume = (spec: Loose, labels?: Loose): Loose =>
  object('cdi.kubevirt.io/v1beta1', 'DataVolume', 'd', { ...spec, storage }, { namespace: 'default', labels });

/** A VM that infers its instance type from this volume. */
const vm = (volume: Loose, more: Loose = {}, templates?: Loose[]): Loose => {
  const made: Loose = validVm();
  const { spec } = made.spec.template;
  delete spec.domain.cpu;
  delete spec.domain.memory;
  spec.volumes[0] = { name: 'root', ...volume };
  made.spec.instancetype = { inferFromVolume: 'root', ...more };
  if (templates) made.spec.dataVolumeTemplates = templates;
  return made;
};
const own = (spec: Loose, labels?: Loose): Loose =>
  vm({ dataVolume: { name: 'd' } }, {}, [{ metadata: { name: 'd', labels }, spec: { ...spec, storage } }]);
const blank = { source: { blank: {} } };
const labels = { 'instancetype.kubevirt.io/default-instancetype': 'u1.small' };
const path = 'instancetype-inferred spec.instancetype.inferFromVolume';

test.each<[string, Loose[], string[]]>([
  ['accepts a claim', [vm({ persistentVolumeClaim: { claimName: 'c' } })], []],
  ['accepts a DataVolume that the app does not declare', [vm({ dataVolume: { name: 'd' } })], []],
  ['reports a container disk', [vm({ containerDisk: { image: 'registry.example/a:1' } })], [path]],
  [
    'accepts a container disk whose failure is ignored',
    [vm({ containerDisk: { image: 'registry.example/a:1' } }, { inferFromVolumeFailurePolicy: 'Ignore' })],
    [],
  ],
  ['accepts a copy of a DataSource', [own({ sourceRef: { kind: 'DataSource', name: 'f' } })], []],
  ['accepts a copy of a claim', [own({ source: { pvc: { name: 'f', namespace: 'default' } } })], []],
  ['reports an import', [own(blank)], [path]],
  ['reports an import with labels, which are not read', [own(blank, labels)], [path]],
  ['accepts the labels of a DataVolume', [dataVolume(blank, labels), vm({ dataVolume: { name: 'd' } })], []],
  ['reports a DataVolume without labels', [dataVolume(blank), vm({ dataVolume: { name: 'd' } })], [path]],
])('%s', (_, objects, want) => expect(together(...objects)).toEqual(want));
