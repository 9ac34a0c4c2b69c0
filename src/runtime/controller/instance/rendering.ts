import { keys } from '../../../api/keys';
import { createHash } from 'node:crypto';
import { COMPUTE, renderPod } from '../pod';
import type { Pod, RenderInput } from '../pod';

/**
 * Fingerprint of the rendering from which a Pod was created, and that of its image. The API server adds defaults, so specs
 * cannot be compared.
 */
const ANNOTATION = keys.rendering;

/** Returns the Pod with the fingerprint of its rendering. */
export function marked(pod: Pod): Pod {
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: markOf(pod) };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/** Whether the same VMI would get a different Pod today. */
export function isOutdated(input: RenderInput, pod: Pod): boolean {
  const before = pod.metadata.annotations?.[ANNOTATION];
  if (before === undefined) return false;
  try {
    return before !== markOf(renderPod(input));
  } catch {
    // an object that the new Pod needs is missing: there is no better Pod to replace this one
    return false;
  }
}

/**
 * Whether the launcher has another image than new launchers get. If a webhook of the cluster rewrites images, for example to
 * those of a mirror, a Pod that was created for this image has it although its spec names another one: without this rule, its
 * guest would be restarted again and again.
 */
export function hasOtherImage(pod: Pod, launcherImage: string): boolean {
  const image = imageOf(pod);
  const requested = pod.metadata.annotations?.[ANNOTATION]?.split('.')[1];
  return image !== undefined && image !== launcherImage && requested !== fingerprint(launcherImage, IMAGE_LENGTH);
}

export const imageOf = ({ spec }: Pod): string | undefined =>
  spec.containers.find(({ name }) => name === COMPUTE)?.image;

const SPEC_LENGTH = 16;
const IMAGE_LENGTH = 8;

const markOf = (pod: Pod): string =>
  `${fingerprint(JSON.stringify(pod.spec), SPEC_LENGTH)}.${fingerprint(imageOf(pod) ?? '', IMAGE_LENGTH)}`;

const fingerprint = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
