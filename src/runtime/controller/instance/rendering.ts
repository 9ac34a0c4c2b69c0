import { keys } from '../../../api/keys';
import { createHash } from 'node:crypto';
import { renderPod } from '../pod';
import type { Pod, RenderInput } from '../pod';

/** Fingerprint of the rendering from which a Pod was created. The API server adds defaults, so specs cannot be compared. */
const ANNOTATION = keys.rendering;

/** Returns the Pod with the fingerprint of its rendering. */
export function marked(pod: Pod): Pod {
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: fingerprint(pod) };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/** Whether the same VMI would get a different Pod today. */
export function isOutdated(input: RenderInput, pod: Pod): boolean {
  const before = pod.metadata.annotations?.[ANNOTATION];
  if (before === undefined) return false;
  try {
    return before !== fingerprint(renderPod(input));
  } catch {
    // an object that the new Pod needs is missing: there is no better Pod to replace this one
    return false;
  }
}

const fingerprint = ({ spec }: Pod): string =>
  createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16);
