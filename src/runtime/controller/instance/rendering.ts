import { keys } from '../../../api/keys';
import { createHash } from 'node:crypto';
import { renderPod } from '../pod';
import type { Pod, RenderInput } from '../pod';

/** Says from which rendering a Pod was made. The API server adds defaults, so the specs themselves cannot be compared. */
const ANNOTATION = keys.rendering;

/** The Pod with the mark of its rendering. */
export function marked(pod: Pod): Pod {
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: fingerprint(pod) };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/** The same VMI would get another Pod today. */
export function isOutdated(input: RenderInput, pod: Pod): boolean {
  const before = pod.metadata.annotations?.[ANNOTATION];
  if (before === undefined) return false;
  try {
    return before !== fingerprint(renderPod(input));
  } catch {
    // what it would need is missing by now: there is no better Pod to make room for
    return false;
  }
}

const fingerprint = ({ spec }: Pod): string =>
  createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 16);
