import type { FieldError } from '../field-error';
import { duplicates, gateOff, InstanceRule, mistake, notOneOf } from './rule';

export const inputDevices: InstanceRule = (spec, at) =>
  (spec.domain.devices.inputs ?? []).flatMap(({ type, bus }, i) => {
    const path = at.at('domain', 'devices', 'inputs', i);
    return [
      ...notOneOf(
        'input-bus',
        path.at('bus'),
        bus,
        ['virtio', 'usb'],
        'Input device can have only virtio or usb bus.',
        { type: 'FieldValueInvalid' },
      ),
      ...notOneOf(
        'input-type',
        path.at('type'),
        type,
        ['tablet', 'keyboard'],
        'Input device can have only tablet or keyboard type.',
        { type: 'FieldValueInvalid' },
      ),
    ];
  });

/** Sound, video, watchdog, panic: models and actions that exist. */
export const deviceModels: InstanceRule = (spec, at) => {
  const { sound, video, watchdog, panicDevices, autoattachGraphicsDevice } = spec.domain.devices;
  const path = at.at('domain', 'devices');
  const errors: FieldError[] = [];
  if (sound) {
    if (!sound.name)
      errors.push(
        ...mistake('sound-name', path.at('sound', 'name'), 'Sound device requires a name field.', 'name it', {
          type: 'FieldValueRequired',
        }),
      );
    errors.push(
      ...notOneOf(
        'sound-model',
        path.at('sound'),
        sound.model,
        ['ich9', 'ac97'],
        "Sound device type is not supported. Options: 'ich9' or 'ac97'",
        { type: 'FieldValueInvalid' },
      ),
    );
  }
  if (video) {
    if (autoattachGraphicsDevice === false) {
      errors.push(
        ...mistake(
          'video-graphics',
          path.at('video'),
          'Video device cannot be set when autoattachGraphicsDevice is false',
          'remove one of them',
        ),
      );
    }
    errors.push(
      ...notOneOf(
        'video-type',
        path.at('video', 'type'),
        video.type,
        ['virtio', 'vga', 'bochs', 'ramfb', 'cirrus'],
        `Video type ${video.type} is not supported`,
      ),
    );
  }
  for (const model of ['i6300esb', 'diag288'] as const) {
    const action = watchdog?.[model]?.action;
    errors.push(
      ...notOneOf(
        'watchdog-action',
        path.at('watchdog', model, 'action'),
        action,
        ['poweroff', 'reset', 'shutdown'],
        `Watchdog action ${action} is not supported`,
      ),
    );
  }
  if (watchdog && !watchdog.i6300esb && !watchdog.diag288) {
    errors.push(
      ...mistake(
        'watchdog-type',
        path.at('watchdog'),
        `${path.at('watchdog')} must have at least one watchdog type set`,
        'add i6300esb: {}',
        { type: 'FieldValueRequired' },
      ),
    );
  }
  (panicDevices ?? []).forEach(({ model }, i) => {
    errors.push(
      ...notOneOf(
        'panic-model',
        path.at('panicDevices', i, 'model'),
        model,
        ['isa', 'hyperv', 'pvpanic'],
        `Panic device model ${model} is not supported`,
      ),
    );
  });
  return errors;
};

/** Devices behind a feature gate. */
export const gatedDevices: InstanceRule = (spec, at, config) => {
  const { hostDevices, autoattachVSOCK, downwardMetrics } = spec.domain.devices;
  const errors: FieldError[] = [];
  if (hostDevices?.length && !config.hasGate('HostDevices') && hostDevices.some(({ deviceName }) => deviceName)) {
    errors.push(
      ...gateOff(
        'gate-host-devices',
        at.at('HostDevices'),
        'Host Devices feature gate is not enabled in kubevirt-config',
        'HostDevices',
      ),
    );
  }
  if (autoattachVSOCK && !config.hasGate('VSOCK')) {
    errors.push(
      ...gateOff(
        'gate-vsock',
        at.at('domain', 'devices', 'autoattachVSOCK'),
        'VSOCK feature gate is not enabled in kubevirt-config',
        'VSOCK',
      ),
    );
  }
  if (downwardMetrics && !config.hasGate('DownwardMetrics')) {
    errors.push(
      ...gateOff(
        'gate-downward-metrics',
        at.at('domain', 'devices', 'downwardMetrics'),
        'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled',
        'DownwardMetrics',
      ),
    );
  }
  return errors;
};

/** Assigned devices: named, once, from somewhere. */
export const assignedDevices: InstanceRule = (spec, at) => {
  const { gpus = [], hostDevices = [] } = spec.domain.devices;
  return (
    [
      ['gpus', gpus],
      ['hostDevices', hostDevices],
    ] as const
  ).flatMap(([field, devices]) => {
    const path = at.at('domain', 'devices', field);
    return [
      ...duplicates(devices, ({ name }) => name).flatMap(({ key, index }) =>
        mistake(
          'device-name-unique',
          path.at(index, 'name'),
          `${path.at(index, 'name')} '${key}' is used twice`,
          'rename one of them',
          { got: key, type: 'FieldValueDuplicate' },
        ),
      ),
      ...devices.flatMap(({ deviceName, claimName, requestName }, i) => {
        if (deviceName && (claimName || requestName))
          return mistake(
            'device-source',
            path.at(i),
            `${path.at(i)} must have either deviceName or claimName with requestName`,
            'keep one',
          );
        if (deviceName || (claimName && requestName)) return [];
        return mistake(
          'device-source',
          path.at(i),
          `${path.at(i)} must have deviceName, or claimName with requestName`,
          'set deviceName to a resource that spec.configuration.permittedHostDevices lists',
          { type: 'FieldValueRequired' },
        );
      }),
    ];
  });
};

/** Shared folders attach volumes, as disks do. */
export const filesystemsHaveVolumes: InstanceRule = (spec, at, config) => {
  const path = at.at('domain', 'devices', 'filesystems');
  const volumes = spec.volumes ?? [];
  const filesystems = spec.domain.devices.filesystems ?? [];
  return [
    ...duplicates(filesystems, ({ name }) => name).flatMap(({ key, index }) =>
      mistake(
        'filesystem-name-unique',
        path.at(index, 'name'),
        `${path.at(index)} must not have the same Name.`,
        'rename one of them',
        { got: key },
      ),
    ),
    ...filesystems.flatMap(({ name }, i) => {
      const volume = volumes.find((each) => each.name === name);
      if (!volume) {
        return mistake(
          'filesystem-has-volume',
          path.at(i, 'name'),
          `${path.at(i, 'name')} '${name}' not found.`,
          'add a volume of this name',
          { got: name, allowed: volumes.map((v) => v.name) },
        );
      }
      const storage = volume.persistentVolumeClaim ?? volume.dataVolume;
      if (storage && !config.hasGate('EnableVirtioFsStorageVolumes')) {
        return gateOff(
          'gate-virtiofs',
          path.at(i),
          'virtiofs is not allowed: virtiofs feature gate is not enabled for PVC',
          'EnableVirtioFsStorageVolumes',
        );
      }
      return [];
    }),
  ];
};
