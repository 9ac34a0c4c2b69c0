import { App, Chart, Size } from 'cdk8s';
import {
  DataVolume,
  DataVolumeSource,
  Disk,
  DiskDevice,
  Sysprep,
  VmPort,
  WindowsAdmin,
  WindowsImage,
  WindowsProductKey,
  WindowsRelease,
  Windows11,
} from 'virt8s';

const app = new App();
const chart = new Chart(app, 'desktop', { namespace: 'desktops', disableResourceNameHashes: true });

// you download the ISO from Microsoft's website and upload it to this volume
const iso = new DataVolume(chart, 'iso', { source: DataVolumeSource.upload(), size: Size.gibibytes(8) });

const desktop = new Windows11(chart, 'desktop', {
  disks: [Disk.blank(Size.gibibytes(64), { name: 'system' })],
  installer: Disk.dataVolume(iso, { name: 'installer', device: DiskDevice.CDROM }),
  drivers: Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', {
    name: 'drivers',
    device: DiskDevice.CDROM,
  }),
  timezone: 'Europe/Prague',
  sysprep: Sysprep.install({
    release: WindowsRelease.WINDOWS_11,
    image: WindowsImage.named('Windows 11 Pro'),
    productKey: WindowsProductKey.KMS_PRO, // selects the edition; does not activate Windows
    language: 'en-US',
    locale: 'cs-CZ',
    timezone: 'Central Europe Standard Time',
    computerName: 'DESKTOP',
    // the key `ops` of this Secret is the password, which the guest agent sets
    admin: WindowsAdmin.local('ops', { passwordFrom: { name: 'desktop-passwords' } }),
    remoteDesktop: true,
    setupCommands: ['powershell.exe -NoProfile -Command "Set-ExecutionPolicy RemoteSigned -Force"'],
  }),
});

desktop.exposeViaService('rdp', { ports: [VmPort.RDP] });

app.synth();
