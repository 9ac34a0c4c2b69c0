import type { KubeVirtSpec } from '../../../api/generated/kubevirt-v1';

/**
 * Reports images of another version than that of the install strategy. Objects and images belong together: an image of
 * another version may need permissions and flags that these objects do not have.
 */
export function imageMistakes(
  { imageTag, imageRegistry }: KubeVirtSpec,
  { version, registry }: { readonly version: string; readonly registry: string },
): string[] {
  const remedy = 'apply the manifests of the version that you want, which contain its images';
  return [
    ...(imageTag && imageTag !== version
      ? [`spec.imageTag is ${imageTag}, but this operator installs ${version}; ${remedy}`]
      : []),
    ...(imageRegistry && registry && imageRegistry !== registry
      ? [`spec.imageRegistry is ${imageRegistry}, but this operator installs from ${registry}; ${remedy}`]
      : []),
  ];
}
