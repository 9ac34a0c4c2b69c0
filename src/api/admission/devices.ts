import { type Finding, named, ofKubeVirt, text } from '../findings';
import { enableGate, gateOff, InstanceRule, mistake, nearest, notOneOf } from './rule';
import { mistakesOf } from '../mistakes';

const invalid = { type: 'FieldValueInvalid' } as const;

export const inputDevices: InstanceRule = (spec, at) =>
  mistakesOf(spec.domain.devices.inputs ?? [], ({ type, bus }, i) => {
    const path = at.at('domain', 'devices', 'inputs', i);
    const busMessage = 'Input device can have only virtio or usb bus.';
    const typeMessage = 'Input device can have only tablet type.';
    return [
      ...notOneOf('input-bus', path.at('bus'), bus, ['virtio', 'usb'], busMessage, invalid),
      ...(type === 'tablet'
        ? []
        : mistake('input-type', path.at('type'), typeMessage, 'write type: tablet', { value: type })),
    ];
  });

export const soundDevice: InstanceRule = (spec, at) => {
  const { sound } = spec.domain.devices;
  if (!sound) return [];
  const path = at.at('domain', 'devices', 'sound');
  const field = `${at.at('Sound')}`;
  const models = ['ich9', 'ac97'];
  const message = "Sound device type is not supported. Options: 'ich9' or 'ac97'";
  return [
    ...notOneOf('sound-model', path.at('model'), sound.model, models, message, { ...invalid, field }),
    ...(sound.name
      ? []
      : mistake('sound-name', path.at('name'), 'Sound device requires a name field.', 'name it', { field })),
  ];
};

export const videoDevice: InstanceRule = (spec, at) => {
  const { video, autoattachGraphicsDevice } = spec.domain.devices;
  if (!video || autoattachGraphicsDevice !== false) return [];
  const graphics = named(at.at('domain', 'devices', 'autoattachGraphicsDevice'), 1);
  const message = text`Video configuration is not allowed when ${graphics} is set to false`;
  return mistake('video-graphics', at.at('domain', 'devices', 'video'), message, 'remove one of them', {
    field: `${at.at('video')}`,
  });
};

export const panicDevices: InstanceRule = (spec, at, config) => {
  const devices = spec.domain.devices.panicDevices ?? [];
  if (devices.length === 0) return [];
  const path = at.at('domain', 'devices', 'panicDevices');
  const errors = mistakesOf(devices, ({ model }, i) => {
    const allowed = ['hyperv', 'isa', 'pvpanic'];
    if (model === undefined || allowed.includes(model)) return [];
    const message = `invalid PanicDeviceModel(${model})`;
    return mistake('panic-model', path.at(i, 'model'), message, nearest(model, allowed), { value: model, allowed });
  });
  if ((spec.architecture || config.defaultArchitecture) !== 's390x') return errors;
  const message = 'custom panic devices are not supported on s390x architecture';
  return [...mistake('panic-architecture', path, message, 'remove them'), ...errors];
};

export const hostDevices: InstanceRule = (spec, at, config) => {
  if (!spec.domain.devices.hostDevices?.length || config.hasGate('HostDevices')) return [];
  const message = 'Host Devices feature gate is not enabled in kubevirt-config';
  const path = at.at('domain', 'devices', 'hostDevices');
  return gateOff('gate-host-devices', path, message, 'HostDevices', { field: `${at.at('HostDevices')}` });
};

/** Rejects devices and fields whose feature gate is off. */
export const gatedDevices: InstanceRule = (spec, at, config) => {
  const { autoattachVSOCK, downwardMetrics, disks } = spec.domain.devices;
  const path = at.at('domain', 'devices');
  const errors: Finding[] = [];
  if (autoattachVSOCK && !config.hasGate('VSOCK')) {
    const message = 'VSOCK feature gate is not enabled in kubevirt-config';
    errors.push(...gateOff('gate-vsock', path.at('autoattachVSOCK'), message, 'VSOCK'));
  }
  const reserved = (disks ?? []).findIndex(({ lun }) => lun?.reservation);
  if (reserved >= 0 && !config.persistentReservation) {
    const message = 'persistent reservation is not enabled in kubevirt config';
    const reservation = path.at('disks', reserved, 'lun', 'reservation');
    const enabled = ofKubeVirt('persistentReservationConfiguration', 'enabled');
    const remedy = text`set ${enabled}: true in the KubeVirt object, or ${enableGate('PersistentReservation', reservation)}`;
    errors.push(
      ...mistake('gate-reservation', reservation, message, remedy, {
        field: `${path.at('disks', 'luns', 'reservation')}`,
        gates: ['PersistentReservation'],
      }),
    );
  }
  if (downwardMetrics && !config.hasGate('DownwardMetrics')) {
    const message = 'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled';
    errors.push(...gateOff('gate-downward-metrics', path.at('downwardMetrics'), message, 'DownwardMetrics'));
  }
  return errors;
};

export const rebootPolicy: InstanceRule = (spec, at, config) => {
  if (spec.domain.rebootPolicy === undefined || config.hasGate('RebootPolicy')) return [];
  const message = 'RebootPolicy is specified but the RebootPolicy feature gate is not enabled';
  return gateOff('gate-reboot-policy', at.at('domain', 'rebootPolicy'), message, 'RebootPolicy');
};

/** Only one virtual GPU can display the guest's early boot. */
export const oneRamFramebuffer: InstanceRule = (spec, at) => {
  const shown = (spec.domain.devices.gpus ?? []).flatMap(({ virtualGPUOptions }, i) => {
    const display = virtualGPUOptions?.display;
    return display && display.enabled !== false && display.ramFB?.enabled !== false ? [i] : [];
  });
  if (shown.length < 2) return [];
  const path = at.at('domain', 'devices', 'gpus', shown[1], 'virtualGPUOptions', 'display', 'ramFB');
  const message = 'configuring multiple displays with ramfb is not valid ';
  return mistake('one-ramfb', path, message, 'set ramFB: {enabled: false} on all but one', {
    field: `${at.at('GPUs')}`,
  });
};

/** Shared folders of claims require a feature gate. */
export const filesystemsAreServed: InstanceRule = (spec, at, config) => {
  const filesystems = spec.domain.devices.filesystems ?? [];
  if (filesystems.length === 0 || config.hasGate('EnableVirtioFsStorageVolumes')) return [];
  const path = at.at('domain', 'devices', 'filesystems');
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const i = filesystems.findIndex(({ name }) => {
    const volume = volumes.get(name);
    return volume?.persistentVolumeClaim ?? volume?.dataVolume;
  });
  if (i < 0) return [];
  const message = 'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC';
  return gateOff('gate-virtiofs', path.at(i), message, 'EnableVirtioFsStorageVolumes', { field: `${path}` });
};

export const ioThreads: InstanceRule = (spec, at) => {
  const { ioThreadsPolicy: got, ioThreads: threads } = spec.domain;
  if (got === undefined) return [];
  const allowed = ['shared', 'auto', 'supplementalPool'];
  const path = at.at('domain', 'ioThreadsPolicy');
  const errors: Finding[] = allowed.includes(got)
    ? []
    : mistake('io-threads-policy', path, `Invalid IOThreadsPolicy (${got})`, nearest(got, allowed), {
        value: got,
        allowed,
      });
  const count = threads?.supplementalPoolThreadCount ?? 0;
  if (got === 'supplementalPool' && count < 1) {
    const message = 'the number of iothreads needs to be set and positive for the dedicated policy';
    errors.push(
      ...mistake(
        'io-threads-count',
        at.at('domain', 'ioThreads', 'supplementalPoolThreadCount'),
        message,
        'set it to 1 or more',
        { value: count, field: `${at.at('domain', 'ioThreads', 'count')}` },
      ),
    );
  }
  return errors;
};
