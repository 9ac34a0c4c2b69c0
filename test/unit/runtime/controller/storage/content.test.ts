import { keys } from '../../../../../src/api/keys';
import { contents } from '../../../../../src/runtime/controller/storage/content';

test.each([
  ['db/then/disk.qcow2', 'db/then/disk.qcow2'],
  ['..a/b..c/.d', '..a/b..c/.d'],
  [undefined, undefined],
  ['', undefined],
  ['/etc/passwd', undefined],
  ['../other', undefined],
  ['db/../../other', undefined],
  ['db/..', undefined],
  ['./db', undefined],
  ['db//disk', undefined],
  ['db/', undefined],
])('the image %j of a VolumeCloneSource: %j', (image, expected) => {
  const fill = contents.VolumeCloneSource.fillOf({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'VolumeCloneSource',
    metadata: { name: 'c', namespace: 'n', annotations: { [keys.sourceImage]: image } },
    spec: { source: { kind: 'PersistentVolumeClaim', name: 'golden' } },
  } as never);
  expect(fill.kind === 'clone' && fill.image).toBe(expected);
});
