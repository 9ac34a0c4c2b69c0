import { images } from '../../../../../src/cli/doctor/checks/images';
import { type Broken, expectRow, podOf, type Row } from '../healthy';

const pull = (f: Broken, message: string, reason = 'ErrImagePull'): void => {
  f.platformPods = [podOf('virt-api', { reason, message })];
};

test.each<Row>([
  ['Pods that start have no problem', (f) => (f.platformPods = [podOf('virt-api', { reason: 'PodInitializing' })]), []],
  [
    'a Pod of both lists is counted once',
    (f) => [pull(f, 'manifest unknown'), (f.waitingPods = f.platformPods)],
    [
      'error Image "registry.example/virt-api:v1.0.0": 1 Pod (kubevirt/virt-api) cannot pull it: manifest unknown = check name and tag',
    ],
  ],
  ['a registry with a login', (f) => pull(f, 'pull access denied'), ['= set pullSecrets of PlatformImages']],
  [
    'launchers get no Secrets of the platform',
    (f) => (f.waitingPods = [podOf('l', { reason: 'ErrImagePull', message: '401 Unauthorized' }, 'shop')]),
    [
      '(shop/l) cannot pull it: 401 Unauthorized = add an image pull Secret to the ServiceAccount of the Pod in namespace shop',
    ],
  ],
  [
    'an unknown authority',
    (f) => pull(f, 'x509: signed by unknown authority'),
    ['trust the authority of the registry'],
  ],
  ['no network', (f) => pull(f, 'dial tcp: lookup r: no such host'), ['let the nodes reach the registry']],
  ['a full disk', (f) => pull(f, 'write: no space left on device'), ['free space on the disk of the node']],
  ['an invalid name', (f) => pull(f, '', 'InvalidImageName'), ['correct the name of the image']],
  [
    'of two attempts, the message with the cause is shown',
    (f) => {
      const of = (name: string, reason: string, message: string): object => {
        const pod = podOf(name, { reason, message }) as unknown as Broken;
        pod.status.containerStatuses[0].image = 'os:1';
        return pod;
      };
      f.waitingPods = [
        of('x', 'ImagePullBackOff', 'Back-off pulling image "os:1"'),
        of('y', 'ErrImagePull', 'not found'),
      ];
    },
    ['error Image "os:1": 2 Pods (kubevirt/x, …) cannot pull it: not found'],
  ],
  [
    'an image volume is named by the message, not by the containers that it blocks',
    (f) =>
      (f.waitingPods = [podOf('l', { reason: 'ErrImagePull', message: 'failed to pull image "os:2": not found' })]),
    ['error Image "os:2"'],
  ],
])('%s', (...row) => expectRow(images, row));
