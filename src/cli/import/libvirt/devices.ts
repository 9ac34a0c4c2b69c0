/** Maps devices of a domain, without disks and networks, to `domain.devices`. Pure. */
import type { Remarks } from './notes';
import { some } from './units';
import type { Xml } from './xml';

export function devicesOf(devices: Xml | undefined, { remark }: Remarks): Record<string, unknown> {
  if (!devices) return {};
  for (const name of ['serial', 'console', 'parallel', 'channel']) {
    for (const port of devices.children(name)) remarkPort(name, port, remark);
  }
  const video = videoOf(devices, remark);
  return {
    ...some({
      autoattachGraphicsDevice: graphicsOf(devices, remark),
      autoattachSerialConsole:
        devices.children('serial').length + devices.children('console').length > 0 ? undefined : false,
      autoattachMemBalloon: devices.child('memballoon')?.attribute('model') === 'none' ? false : undefined,
      autoattachVSOCK: devices.child('vsock')?.settled() ? true : undefined,
      inputs: inputsOf(devices),
      panicDevices: panicOf(devices),
      rng: devices.child('rng')?.settled() ? {} : undefined,
      sound: soundOf(devices, remark),
      tpm: tpmOf(devices, remark),
      video: video === undefined ? undefined : { type: video },
      watchdog: watchdogOf(devices, remark),
    }),
  };
}

type Remark = Remarks['remark'];

function remarkPort(name: string, port: Xml, remark: Remark): void {
  const type = port.attribute('type') ?? 'pty';
  const target = port.child('target')?.attribute('name');
  port.settled();
  if (name === 'channel' && target !== 'org.qemu.guest_agent.0' && !/spice/.test(`${type}${target ?? ''}`)) {
    remark(`the channel ${target ?? type} is omitted: only the guest agent's channel is supported`);
  } else if (name !== 'channel' && type !== 'pty') {
    remark(`the ${name} port to a ${type} is omitted: use the serial console (virt8s console)`);
  }
}

function graphicsOf(devices: Xml, remark: Remark): false | undefined {
  const graphics = devices.children('graphics');
  const types = graphics.map((each) => each.settled().attribute('type'));
  if (types.includes('spice')) remark('graphics use VNC (virt8s vnc), not SPICE');
  return graphics.length === 0 ? false : undefined;
}

function videoOf(devices: Xml, remark: Remark): string | undefined {
  const model = devices.child('video')?.child('model');
  const type = model?.attribute('type');
  devices.child('video')?.settled();
  if (type === undefined || type === 'none' || type === 'virtio' || type === 'vga') return undefined;
  if (/^(bochs|cirrus|ramfb)$/.test(type)) return type;
  remark(`the video device ${type} has no counterpart: the guest gets the platform's default`);
  return undefined;
}

function inputsOf(devices: Xml): Record<string, unknown>[] | undefined {
  const tablets = devices.children('input').flatMap((input) => {
    const type = input.attribute('type');
    const bus = input.attribute('bus') ?? 'usb';
    input.settled();
    return type === 'tablet' && (bus === 'usb' || bus === 'virtio') ? [{ type, bus }] : [];
  });
  return tablets.length > 0 ? tablets.map((tablet, i) => ({ name: `input${i}`, ...tablet })) : undefined;
}

function panicOf(devices: Xml): Record<string, unknown>[] | undefined {
  const found = devices.children('panic').map((panic) => ({ model: panic.attribute('model') ?? 'isa' }));
  const known = found.filter(({ model }) => /^(isa|hyperv|pvpanic)$/.test(model));
  return known.length > 0 ? known : undefined;
}

function soundOf(devices: Xml, remark: Remark): Record<string, unknown> | undefined {
  const sound = devices.child('sound');
  const model = sound?.attribute('model');
  sound?.settled();
  if (model === undefined) return undefined;
  if (model !== 'ich9' && model !== 'ac97') remark(`the sound card ${model} becomes an ich9`);
  return { name: 'sound', model: model === 'ac97' ? 'ac97' : 'ich9' };
}

function tpmOf(devices: Xml, remark: Remark): Record<string, unknown> | undefined {
  const tpm = devices.child('tpm');
  if (!tpm) return undefined;
  const type = tpm.child('backend')?.attribute('type');
  tpm.settled();
  if (type !== 'emulator') {
    remark(`a TPM of the host (${type ?? 'no type'}) cannot be passed to the guest`);
    return undefined;
  }
  remark(
    'the TPM starts empty; Tpm.PERSISTENT keeps its state over restarts if the platform has a storage class for it',
  );
  return {};
}

function watchdogOf(devices: Xml, remark: Remark): Record<string, unknown> | undefined {
  const watchdog = devices.child('watchdog');
  if (!watchdog) return undefined;
  const model = watchdog.attribute('model') ?? '';
  const action = watchdog.attribute('action') ?? 'reset';
  watchdog.settled();
  if (model !== 'i6300esb' && model !== 'diag288') {
    if (model !== 'itco') remark(`the watchdog ${model} has no counterpart`);
    return undefined;
  }
  if (/^(reset|poweroff|shutdown)$/.test(action)) return { name: 'watchdog', [model]: { action } };
  remark(`the action ${action} of the watchdog has no counterpart: the watchdog resets the guest`);
  return { name: 'watchdog', [model]: { action: 'reset' } };
}
