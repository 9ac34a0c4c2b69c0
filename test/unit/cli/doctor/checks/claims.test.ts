import { claims } from '../../../../../src/cli/doctor/checks/claims';
import { ago, type Broken, expectRow, type Row } from '../healthy';

const claim = (f: Broken, phase: string, minutes = 10, storageClassName: string | undefined = 'fast'): void => {
  const metadata = { name: 'web', namespace: 'shop', creationTimestamp: ago(minutes) };
  f.claims = [{ metadata, spec: { storageClassName }, status: { phase } }];
  f.virtualMachines = [
    {
      metadata: { name: 'vm', namespace: 'shop' },
      spec: { template: { spec: { volumes: [{ dataVolume: { name: 'web' } }] } } },
      status: { printableStatus: 'Stopped' },
    },
  ];
};
const waits = (f: Broken): void => {
  f.storageClasses[0].volumeBindingMode = 'WaitForFirstConsumer';
};

const reported = (reason: string, message: string): object => ({
  'cdi.kubevirt.io/storage.condition.running': 'false',
  'cdi.kubevirt.io/storage.condition.running.reason': reason,
  'cdi.kubevirt.io/storage.condition.running.message': message,
});

test.each<Row>([
  [
    'a claim that is not provisioned',
    (f) => claim(f, 'Pending'),
    [
      'error Claim "shop/web": it has been pending for 10 minutes, so VM "shop/vm" cannot start: no volume was provisioned by csi.example',
    ],
  ],
  [
    'a claim that cannot be filled',
    (f) => {
      claim(f, 'Pending');
      f.claims[0].metadata.annotations = reported('Error', 'the image does not exist');
    },
    [
      'error Claim "shop/web": it has been pending for 10 minutes, so VM "shop/vm" cannot start: the image does not exist',
    ],
  ],
  [
    'a claim that is filled, but not bound',
    (f) => {
      claim(f, 'Pending');
      f.claims[0].metadata.annotations = reported('Completed', 'Import Complete');
    },
    ['no volume was provisioned by csi.example'],
  ],
  [
    'a claim whose class is missing, and which can therefore not be filled',
    (f) => {
      claim(f, 'Pending', 10, 'nope');
      f.claims[0].metadata.annotations = reported('Pending', 'pod has unbound immediate PersistentVolumeClaims');
    },
    ['StorageClass "nope" does not exist'],
  ],
  ['provisioners need a moment', (f) => claim(f, 'Pending', 1), []],
  ['a claim that waits for a stopped VM', (f) => [claim(f, 'Pending'), waits(f)], []],
  [
    'a claim that waits for a VM that starts',
    (f) => [claim(f, 'Pending'), waits(f), (f.virtualMachines[0].status.printableStatus = 'WaitingForVolumeBinding')],
    ['it has been pending for 10 minutes'],
  ],
  ['a class that does not exist', (f) => claim(f, 'Pending', 10, 'gone'), ['StorageClass "gone" does not exist']],
  [
    'no class',
    (f) => [claim(f, 'Pending'), delete f.claims[0].spec.storageClassName],
    ['it has no StorageClass, and the cluster had no default'],
  ],
  ['a lost volume', (f) => claim(f, 'Lost', 0), ['error Claim "shop/web": its volume no longer exists = restore']],
  ['claims of other programs', (f) => [claim(f, 'Pending'), (f.virtualMachines = [])], []],
  [
    'many claims with one cause are one finding',
    (f) => {
      claim(f, 'Pending');
      f.claims.push({ ...f.claims[0], metadata: { ...f.claims[0].metadata, name: 'data' } });
      f.virtualMachines[0].spec.template.spec.volumes.push({ persistentVolumeClaim: { claimName: 'data' } });
    },
    ['error 2 claims (such as shop/web)'],
  ],
])('%s', (...row) => expectRow(claims, row));
