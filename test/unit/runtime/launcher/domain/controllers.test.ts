import { controllers } from '../../../../../src/runtime/launcher/domain/controllers';
import { type Fixture, rendered } from './fixture';

const USB = "<controller type='usb' index='0' model='qemu-xhci'/>";
const NO_USB = "<controller type='usb' index='0' model='none'/>";
const MODEL = 'virtio-non-transitional';
const SCSI = `<controller type='scsi' index='0' model='${MODEL}'/>`;
const SERIAL = `<controller type='virtio-serial' index='0' model='${MODEL}'/>`;
const driven = (type: string, driver: string): string =>
  `<controller type='${type}' index='0' model='${MODEL}'><driver ${driver}/></controller>`;

test.each<[string, Fixture, string]>([
  ['SCSI for what comes later, and no USB', {}, NO_USB + SCSI + SERIAL],
  ['no SCSI where nothing comes', { devices: { disableHotplug: true } }, NO_USB + SERIAL],
  [
    'but for a disk on it',
    { devices: { disableHotplug: true, disks: [{ name: 'a', lun: { bus: 'scsi' } }] } },
    NO_USB + SCSI + SERIAL,
  ],
  ['no serial controller without a console', { devices: { autoattachSerialConsole: false } }, NO_USB + SCSI],
  ['USB for a tablet', { devices: { inputs: [{ name: 'a', type: 'tablet' }] } }, USB + SCSI + SERIAL],
  [
    'none for one on virtio',
    { devices: { inputs: [{ name: 'a', type: 'tablet', bus: 'virtio' }] } },
    NO_USB + SCSI + SERIAL,
  ],
  ['USB for a disk', { devices: { disks: [{ name: 'a', disk: { bus: 'usb' } }] } }, USB + SCSI + SERIAL],
  ["USB for a user's devices", { devices: { clientPassthrough: {} } }, USB + SCSI + SERIAL],
  [
    "USB for the node's",
    { facts: { hostDevices: [{ list: 'hostDevices', name: 'a', kind: 'usb', address: '1:2' }] } },
    USB + SCSI + SERIAL,
  ],
  ['USB always on arm64', { architecture: 'arm64' }, USB + SCSI + SERIAL],
  [
    "s390x's own",
    { architecture: 's390x', devices: { inputs: [{ name: 'a', type: 'tablet' }] } },
    NO_USB +
      "<controller type='scsi' index='0' model='virtio-scsi'/><controller type='virtio-serial' index='0' model='virtio'/>",
  ],
  [
    'transitional ones for guests from before 2014',
    { devices: { useVirtioTransitional: true } },
    NO_USB + (SCSI + SERIAL).replaceAll(MODEL, 'virtio-transitional'),
  ],
  [
    'controllers that cannot read encrypted memory use the IOMMU',
    { domain: { launchSecurity: { sev: {} } } },
    NO_USB + driven('scsi', "iommu='on'") + driven('virtio-serial', "iommu='on'"),
  ],
  [
    "a SCSI disk's own thread",
    {
      domain: { cpu: { cores: 2 } },
      devices: { disks: [{ name: 'a', disk: { bus: 'scsi' }, dedicatedIOThread: true }] },
    },
    NO_USB + SCSI + SERIAL,
  ],
  [
    'the thread and queues of SCSI disks',
    {
      domain: { cpu: { cores: 2 }, ioThreadsPolicy: 'shared' },
      devices: {
        disks: [
          { name: 'a', disk: { bus: 'scsi' }, dedicatedIOThread: true },
          { name: 'b', disk: { bus: 'virtio' } },
        ],
      },
    },
    NO_USB + driven('scsi', "iothread='1' queues='2'") + SERIAL,
  ],
  [
    'no 64-bit window',
    { annotations: { 'kubevirt.io/disablePCIHole64': 'True' } },
    NO_USB +
      SCSI +
      "<controller type='pci' index='0' model='pcie-root'><pcihole64 unit='KiB'>0</pcihole64></controller>" +
      SERIAL,
  ],
  [
    'which arm64 has not',
    { architecture: 'arm64', annotations: { 'kubevirt.io/disablePCIHole64': 'true' } },
    USB + SCSI + SERIAL,
  ],
])('controllers: %s', (_, fixture, want) => {
  expect(rendered(controllers, fixture)).toBe(want);
});
