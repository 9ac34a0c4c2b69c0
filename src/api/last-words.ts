import { plainText } from './plain-text';

const MAX_LINES = 3;
const MAX_LENGTH = 512;

/** Returns the last lines of a program's output on one line, because `kubectl get events` cuts off further lines. */
export function lastWords(text: string | undefined): string {
  const lines = (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const distinct = lines.filter((line, index) => line !== lines[index - 1]).slice(-MAX_LINES);
  return plainText(distinct.join(' | '), MAX_LENGTH).replace(/\.$/, '');
}

/** Returns the remedy of a cause that is known only by its text. */
export function remedyOf(text: string | undefined): string | undefined {
  if (/no space left on device|ENOSPC|disk quota exceeded/i.test(text ?? '')) {
    return 'free space on the disk of the node (it is retried automatically)';
  }
  // an API server silently drops image volumes while its own gate is off
  if (/\/container-disk-binary\/.*no such file or directory/is.test(text ?? '')) {
    return (
      'the cluster did not mount the image volumes of this Pod: remove ImageVolume from featureGates in the ' +
      "KubeVirt object's developerConfiguration, or enable the feature gate ImageVolume of Kubernetes"
    );
  }
  return undefined;
}
