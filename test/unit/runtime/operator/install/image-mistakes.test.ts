import { imageMistakes } from '../../../../../src/runtime/operator/install/image-mistakes';

const own = { version: 'v1.0.0', registry: 'registry.example/virt8s' };
const REMEDY = 'apply the manifests of the version that you want, which contain its images';

test.each([
  ['nothing is set', {}, own, []],
  ['its own images are set', { imageTag: 'v1.0.0', imageRegistry: 'registry.example/virt8s' }, own, []],
  ['the operator does not know its registry', { imageRegistry: 'other.example' }, { ...own, registry: '' }, []],
])('reports nothing if %s', (_, spec, of, want) => expect(imageMistakes(spec, of)).toEqual(want));

test('reports another tag and another registry', () => {
  expect(imageMistakes({ imageTag: 'v2', imageRegistry: 'other.example' }, own)).toEqual([
    `spec.imageTag is v2, but this operator installs v1.0.0; ${REMEDY}`,
    `spec.imageRegistry is other.example, but this operator installs from registry.example/virt8s; ${REMEDY}`,
  ]);
});
