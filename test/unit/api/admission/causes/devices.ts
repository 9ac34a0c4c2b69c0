import { device, domain, spec, disk, volume, both, fs, type Row } from './changes';

const nested = { evmcs: {}, vapic: { enabled: false } };

export const devices: readonly Row[] = [
  // devices
  [
    'inputs',
    device({
      inputs: [
        { name: 'a', type: 'tablet', bus: 'usb' },
        { name: 'b', type: 'tablet', bus: 'ps2' },
        { name: 'c', type: 'mouse' },
        { name: 'd', type: 'tablet', bus: 'virtio' },
      ],
    }),
  ],
  ...['ich9', 'ac97', 'ich8'].map((model): Row => [
    `the sound model ${model}`,
    device({ sound: { name: 's', model } }),
  ]),
  ['sound without a name', device({ sound: {} })],
  ['a screen that is off', device({ autoattachGraphicsDevice: false, video: { type: 'vga' } })],
  ['a screen', device({ autoattachGraphicsDevice: true, video: { type: 'vga' } })],
  ...['hyperv', 'isa', 'pvpanic', 'isb'].map((model): Row => [
    `the panic device ${model}`,
    device({ panicDevices: [{}, { model }] }),
  ]),
  ['a panic device of s390x', both(device({ panicDevices: [{ model: 'isa' }] }), spec({ architecture: 's390x' }))],
  ['host devices behind their gate', device({ hostDevices: [{ name: 'a', deviceName: 'x' }] }), 'default'],
  ['VSOCK behind its gate', device({ autoattachVSOCK: true }), 'default'],
  ['metrics behind their gate', device({ downwardMetrics: {} }), 'default'],
  [
    'a reservation behind its switch',
    volume({ dataVolume: { name: 'x' } }, { lun: { bus: 'scsi', reservation: true } }),
    'default',
  ],
  ['a reservation', volume({ dataVolume: { name: 'x' } }, { lun: { bus: 'scsi', reservation: true } })],
  ['a reboot policy behind its gate', domain({ rebootPolicy: 'Terminate' }), 'noGates'],
  ['a reboot policy', domain({ rebootPolicy: 'Terminate' })],
  [
    'early screens',
    device({
      gpus: [{}, { enabled: false }, { ramFB: { enabled: false } }, { enabled: true, ramFB: { enabled: true } }].map(
        (display, i) => ({ name: `g${i}`, deviceName: 'x', virtualGPUOptions: { display } }),
      ),
    }),
  ],
  ['shared claims behind their gate', both(volume({ dataVolume: { name: 'x' } }), fs('scratch')), 'default'],
  ['shared claims', both(volume({ persistentVolumeClaim: { claimName: 'x' } }), fs('scratch'))],
  ['shared Secrets', both(volume({ secret: { secretName: 'x' } }), fs('scratch')), 'default'],
  ...['shared', 'auto', 'supplementalPool', 'many'].map((ioThreadsPolicy): Row => [
    `the I/O threads ${ioThreadsPolicy}`,
    domain({ ioThreadsPolicy }),
  ]),
  [
    'a pool of one thread',
    domain({ ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 1 } }),
  ],
  // architectures
  ...['amd64', 'arm64', 's390x', 'riscv64'].flatMap((architecture): Row[] => [
    ...['vga', 'cirrus', 'virtio', 'ramfb', 'bochs', 'qxl'].map((type): Row => [
      `the screen ${type} of ${architecture}`,
      both(spec({ architecture }), device({ video: { type } })),
    ]),
    [
      `i6300esb of ${architecture}`,
      both(spec({ architecture }), device({ watchdog: { name: 'w', i6300esb: { action: 'reset' } } })),
    ],
    [
      `diag288 of ${architecture}`,
      both(spec({ architecture }), device({ watchdog: { name: 'w', diag288: { action: 'reset' } } })),
    ],
    [
      `both watchdogs of ${architecture}`,
      both(spec({ architecture }), device({ watchdog: { name: 'w', i6300esb: {}, diag288: {} } })),
    ],
    [`sound of ${architecture}`, both(spec({ architecture }), device({ sound: { name: 's' } }))],
    [`BIOS of ${architecture}`, both(spec({ architecture }), domain({ firmware: { bootloader: { bios: {} } } }))],
    [`a CPU model of ${architecture}`, both(spec({ architecture }), domain({ cpu: { model: 'host-model' } }))],
    [`a host CPU of ${architecture}`, both(spec({ architecture }), domain({ cpu: { model: 'host-passthrough' } }))],
    [
      `SATA of ${architecture}`,
      both(spec({ architecture }), disk({ disk: { bus: 'sata' } }), (s) =>
        s.domain.devices.disks.push({ name: 'cd', cdrom: { bus: 'usb' } }),
      ),
    ],
    [
      `a LUN on SATA of ${architecture}`,
      both(spec({ architecture }), volume({ dataVolume: { name: 'x' } }, { lun: { bus: 'sata' } })),
    ],
    [`SCSI of ${architecture}`, both(spec({ architecture }), disk({ disk: { bus: 'scsi' } }))],
  ]),
  ['a machine that is not valid', domain({ machine: { type: 'pc-1' } })],
  [
    'enlightenments',
    domain({
      features: { hyperv: { synictimer: { enabled: true }, vpindex: { enabled: false }, synic: { enabled: false } } },
    }),
  ],
  ['nested enlightenments', domain({ features: { hyperv: { evmcs: {} } } })],
  ['nested enlightenments without their base', domain({ features: { hyperv: nested } })],
  [
    'nested enlightenments without their base, and CPU features of every kind',
    domain({
      cpu: {
        features: [
          { name: 'avx', policy: 'optional' },
          { name: 'vmx', policy: 'optional' },
          { name: 'vmx', policy: 'require' },
        ],
      },
      features: { hyperv: nested },
    }),
  ],
  ['nested enlightenments that are off', domain({ features: { hyperv: { evmcs: { enabled: false } } } })],
  [
    'nested enlightenments of a CPU that forbids',
    domain({
      cpu: { features: [{ name: 'a' }, { name: 'vmx', policy: 'forbid' }] },
      features: { hyperv: { evmcs: {} } },
    }),
  ],
  [
    'nested enlightenments of a CPU',
    domain({ cpu: { features: [{ name: 'vmx', policy: 'require' }] }, features: { hyperv: { evmcs: {} } } }),
  ],
  ['enlightenments of both kinds', domain({ features: { hyperv: {}, hypervPassthrough: { enabled: true } } })],
];
