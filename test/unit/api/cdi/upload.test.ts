import { awaitsUpload, isUploadTarget } from '../../../../src/api/cdi/upload';

const target = { 'cdi.kubevirt.io/storage.upload.target': '' };
const claim = (annotations = {}, spec = {}) => ({ metadata: { annotations }, spec });

test.each<[string, ReturnType<typeof claim>, boolean, boolean]>([
  ['without the annotation', claim(), false, false],
  ['with the annotation', claim(target), true, true],
  ['whose upload runs', claim({ ...target, 'cdi.kubevirt.io/storage.pod.phase': 'Running' }), true, true],
  ['whose upload is complete', claim({ ...target, 'cdi.kubevirt.io/storage.pod.phase': 'Succeeded' }), true, false],
  ['that a populator fills', claim(target, { dataSourceRef: { kind: 'VolumeUploadSource' } }), false, false],
  ['that the storage fills', claim(target, { dataSource: { kind: 'VolumeSnapshot' } }), false, false],
])('a claim %s', (_, given, isTarget, awaits) => {
  expect([isUploadTarget(given), awaitsUpload(given)]).toEqual([isTarget, awaits]);
});
