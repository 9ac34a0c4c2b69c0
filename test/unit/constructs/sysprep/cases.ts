import { Size } from 'cdk8s';
import {
  Sysprep,
  WindowsAdmin,
  WindowsDisk,
  WindowsImage,
  WindowsPass,
  WindowsProductKey,
  WindowsRelease,
} from '../../../../src';

/** One answer file for each golden of this name. */
export const cases: Readonly<Record<string, () => Sysprep>> = {
  'windows-11': () =>
    Sysprep.install({
      release: WindowsRelease.WINDOWS_11,
      image: WindowsImage.named('Windows 11 Pro'),
      productKey: WindowsProductKey.KMS_PRO,
      admin: WindowsAdmin.local('ops', { passwordFrom: { name: 'passwords' } }),
      locale: 'cs-CZ',
      keyboard: '0405:00000405',
      timezone: 'Central Europe Standard Time',
      computerName: 'DESK-1',
      organization: 'Böhm & <Söhne>',
      remoteDesktop: true,
      openSsh: true,
      setupCommands: ['reg add HKLM\\SOFTWARE\\X /v "a & b" /d 1 /f'],
      firstLogonCommands: ['cmd /c echo 1 > C:\\one.txt', 'powershell -Command "Get-Process | Out-File C:\\two.txt"'],
    }),
  'server-2025': () =>
    Sysprep.install({
      release: WindowsRelease.SERVER_2025,
      image: WindowsImage.index(2),
      productKey: WindowsProductKey.KMS_SERVER_2025_STANDARD,
      admin: WindowsAdmin.builtIn({ passwordFrom: { name: 'passwords' } }),
      remoteDesktop: true,
      winRm: true,
    }),
  'bios-least': () =>
    Sysprep.install({
      release: WindowsRelease.WINDOWS_10,
      image: WindowsImage.index(1),
      disk: WindowsDisk.bios({ disk: 1, bootSize: Size.mebibytes(350), size: Size.gibibytes(40) }),
      admin: WindowsAdmin.builtIn(),
      firewall: false,
      guestTools: false,
      drivers: [],
    }),
  'first-boot': () =>
    Sysprep.firstBoot({
      release: WindowsRelease.SERVER_2022,
      admin: WindowsAdmin.builtIn(),
      driveLetters: ['E'],
      components: [
        {
          pass: WindowsPass.SPECIALIZE,
          name: 'Microsoft-Windows-IE-ESC',
          xml: '<IEHardenAdmin>false</IEHardenAdmin>\n<IEHardenUser>false</IEHardenUser>',
        },
        {
          pass: WindowsPass.OFFLINE_SERVICING,
          name: 'Microsoft-Windows-LUA-Settings',
          xml: '<EnableLUA>true</EnableLUA>',
        },
      ],
    }),
};
