import type { Pod } from '../../../local/core-v1';
import { remedyOf } from '../../../api/last-words';
import { error, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { pullProblems } from '../pods';
import { counted, fullNameOf, grouped } from '../words';

/** Images that nodes cannot pull, for programs of the platform, VMs and imports. */
export const images: Check = { name: 'images', reads: ['platformPods', 'waitingPods'], find };

/** States of the same failure, between two attempts. */
const BACK_OFF = 'ImagePullBackOff';

function find({ platformPods = [], waitingPods = [], namespace }: Facts): Finding[] {
  const pods = new Map([...platformPods, ...waitingPods].map((pod) => [fullNameOf(pod), pod]));
  const problems = [...pods.values()].flatMap((pod) =>
    [...new Map(pullProblems(pod).map((each) => [each.image, each])).values()].map((each) => ({ pod, ...each })),
  );
  return [...grouped(problems, ({ image }) => image)].map(([image, of]) => {
    // the message of a back-off does not have the cause
    const { reason, message } = of.find((each) => each.reason !== BACK_OFF) ?? of[0]!;
    const [first] = of;
    const where = `${counted(of.length, 'Pod')} (${fullNameOf(first!.pod)}${of.length > 1 ? ', …' : ''})`;
    return error(
      `Image "${image}"`,
      `${where} cannot pull it: ${message || reason}`,
      remedyFor(`${reason} ${message}`, first!.pod, namespace),
    );
  });
}

function remedyFor(text: string, { metadata }: Pod, namespace: string): string {
  if (/InvalidImageName/.test(text)) return 'correct the name of the image';
  if (/ErrImageNeverPull/.test(text)) return 'load the image on the node, or change the pull policy';
  if (/unauthorized|denied|forbidden|authentication|\b40[13]\b/i.test(text)) {
    return metadata.namespace === namespace
      ? 'set pullSecrets of PlatformImages, and create the Secret in the namespace of the platform'
      : `add an image pull Secret to the ServiceAccount of the Pod in namespace ${metadata.namespace}, or give the nodes access to the registry`;
  }
  if (/x509|certificate/i.test(text))
    return 'let the container runtime of the nodes trust the authority of the registry';
  if (/not found|manifest unknown|\b404\b/i.test(text)) {
    return 'check name and tag; images of the platform are pushed by: virt8s images build --push REGISTRY --tag TAG';
  }
  if (/no such host|timeout|refused|unreachable|dial/i.test(text)) {
    return 'let the nodes reach the registry: check DNS, proxy and firewall';
  }
  return remedyOf(text) ?? `read the Events of the Pod: kubectl -n ${metadata.namespace} describe pod ${metadata.name}`;
}
