import { device, spec, disk, nic, volume, second, both, text, blocks, fs, type Row } from './changes';

export const storage: readonly Row[] = [
  // disks and volumes
  ['a disk without a volume', (s) => s.domain.devices.disks.push({ name: 'lost' })],
  ['an empty CD drive', (s) => s.domain.devices.disks.push({ name: 'cd', cdrom: {} })],
  ['an empty CD drive behind its gate', (s) => s.domain.devices.disks.push({ name: 'cd', cdrom: {} }), 'noGates'],
  ['a disk twice', (s) => s.domain.devices.disks.push({ name: 'scratch' })],
  ['a volume twice', (s) => s.volumes.push({ name: 'scratch', emptyDisk: { capacity: '1Gi' } })],
  ...[0, 1, 2].flatMap((bootOrder): Row[] => [
    [`a disk that boots as ${bootOrder}`, disk({ bootOrder })],
    [`an interface that boots as ${bootOrder}`, nic({ bootOrder })],
  ]),
  ['interfaces that boot together', both(nic({ bootOrder: 2 }), second({ bootOrder: 2 }, {}))],
  ['a LUN of no claim', disk({ disk: undefined, lun: {} })],
  ['a LUN of a DataVolume', volume({ dataVolume: { name: 'x' } }, { lun: {} })],
  ['a LUN of a claim', volume({ persistentVolumeClaim: { claimName: 'x' } }, { lun: {} })],
  ['metrics on a CD', volume({ downwardMetrics: {} }, { cdrom: {} })],
  ['metrics on SATA', volume({ downwardMetrics: {} }, { disk: { bus: 'sata' } })],
  ['metrics on virtio', volume({ downwardMetrics: {} }, { disk: { bus: 'virtio' } })],
  ['metrics as a volume behind their gate', volume({ downwardMetrics: {} }), 'default'],
  ['a disk of two kinds', volume({ dataVolume: { name: 'x' } }, { disk: {}, lun: {} })],
  [
    'a disk of all kinds',
    volume({ dataVolume: { name: 'x' } }, { disk: { bus: 'sata' }, lun: { bus: 'x' }, cdrom: { bus: 'virtio' } }),
  ],
  [
    'a disk with an invalid name',
    both(volume({ emptyDisk: { capacity: '1' } }), (s) => (s.volumes[1].name = s.domain.devices.disks[1].name = 'a.b')),
  ],
  ['a serial of two mistakes', disk({ serial: ` ${text(256)}` })],
  ['a serial of 256', disk({ serial: text(256) })],
  ['a serial of every sign', disk({ serial: 'aZ09_.+-' })],
  ...['virtio', 'scsi', 'sata', 'usb', 'ide', 'sdx'].flatMap((bus): Row[] => [
    [`a disk on ${bus}`, disk({ disk: { bus } })],
    [
      `a disk on ${bus} that is read-only, has a thread and an address`,
      disk({ disk: { bus, readonly: true, pciAddress: '0000:81:01.0' }, dedicatedIOThread: true }),
    ],
    [`a CD drive on ${bus}`, volume({ dataVolume: { name: 'x' } }, { cdrom: { bus } })],
    [`a LUN on ${bus}`, volume({ dataVolume: { name: 'x' } }, { lun: { bus, readonly: true } })],
  ]),
  ...['none', 'writethrough', 'writeback', 'on'].map((cache): Row => [`the cache ${cache}`, disk({ cache })]),
  ...['native', 'threads', 'uring'].map((io): Row => [`the I/O mode ${io}`, disk({ io })]),
  ...['stop', 'ignore', 'report', 'enospace', ''].map((errorPolicy): Row => [
    `the error policy "${errorPolicy}"`,
    disk({ errorPolicy }),
  ]),
  ['a size beside the volume’s', blocks({ logical: 512, physical: 512 }, { matchVolume: {} })],
  ['a size where the volume’s is off', blocks({ logical: 512, physical: 512 }, { matchVolume: { enabled: false } })],
  ...(
    [
      [512, 512],
      [512, 511],
      [511, 512],
      [511, 511],
      [2097152, 2097152],
      [1, 2097153],
      [513, 1024],
      [512, 1000],
    ] as const
  ).map(([logical, physical]): Row => [`blocks of ${logical} in ${physical}`, blocks({ logical, physical })]),
  ['blocks of no size', blocks({ logical: 0, physical: 0, discardGranularity: 1 })],
  ['blocks that are dropped in fours', blocks({ logical: 512, physical: 512, discardGranularity: 2048 })],
  ['blocks that are dropped in parts', blocks({ logical: 512, physical: 512, discardGranularity: 513 })],
  ...[512, 1024].map((logical): Row => [
    `SATA blocks of ${logical}`,
    disk({ disk: { bus: 'sata' }, blockSize: { custom: { logical, physical: 4096 } } }),
  ]),
  ['no source', volume({})],
  ['all sources of files', volume({ configMap: {}, secret: {}, serviceAccount: {} })],
  ['a DataVolume without a name', volume({ dataVolume: {} })],
  ...Object.entries({
    serviceAccount: { serviceAccountName: 'x' },
    downwardMetrics: {},
    memoryDump: { claimName: 'x' },
  }).map(([kind, source]): Row => [
    `three volumes of ${kind}`,
    (s) => ['a', 'b', 'c'].forEach((name) => s.volumes.push({ name, [kind]: source })),
  ]),
  ...['cloudInitNoCloud', 'cloudInitConfigDrive'].flatMap((kind): Row[] => [
    [`${kind} of nothing`, volume({ [kind]: {} })],
    [`${kind} of a Secret`, volume({ [kind]: { networkDataSecretRef: { name: 'x' } } })],
    [
      `${kind} of all`,
      volume({
        [kind]: { userData: 'x', userDataBase64: 'eA==', networkData: 'x', networkDataSecretRef: { name: 'x' } },
      }),
    ],
    [`${kind} that is not a base64`, volume({ [kind]: { userDataBase64: '!', networkDataBase64: 'eA=' } })],
    [
      `${kind} of 2048 bytes`,
      volume({ [kind]: { userData: text(2048), networkDataBase64: Buffer.from(text(2048)).toString('base64') } }),
    ],
    [
      `${kind} of 2049 bytes`,
      volume({ [kind]: { userDataBase64: Buffer.from(text(2049)).toString('base64'), networkData: text(2049) } }),
    ],
    [`${kind} of 2052 broken bytes`, volume({ [kind]: { userDataBase64: `${'A'.repeat(2736)}\n!AAAA` } })],
    [`${kind} of 2049 broken bytes`, volume({ [kind]: { userDataBase64: `${'A'.repeat(2732)}\r\nAAA!` } })],
    [`${kind} of 2046 broken bytes`, volume({ [kind]: { userDataBase64: `${'A'.repeat(2728)}AAA!` } })],
  ]),
  ['a host disk behind its gate', volume({ hostDisk: { path: '/x', type: 'Disk' } }), 'default'],
  ['a host disk of nothing', volume({ hostDisk: {} })],
  ['a host disk with a size', volume({ hostDisk: { path: '/x', type: 'Disk', capacity: '1Gi' } })],
  ['a host disk of no size', volume({ hostDisk: { path: '/x', type: 'Disk', capacity: '0' } })],
  ['a host disk to be made', volume({ hostDisk: { path: '/x', type: 'DiskOrCreate', capacity: '1Gi' } })],
  ['a host disk of a relative path', volume({ hostDisk: { path: 'x', type: 'Disk' } })],
  ['the root of an image', volume({ containerDisk: { image: 'x', path: '/' } })],
  ['a relative path of an image', volume({ containerDisk: { image: 'x', path: 'disk' } })],
  ['a container disk of no image', volume({ containerDisk: { image: '' } })],
  ['a claim of no name', volume({ persistentVolumeClaim: { claimName: '' } })],
  ['sysprep of nothing', volume({ sysprep: {} })],
  ['sysprep of a ConfigMap', volume({ sysprep: { configMap: { name: 'x' } } })],
  ['sysprep of a Secret', volume({ sysprep: { secret: { name: 'x' } } })],
  ['utility volumes', spec({ utilityVolumes: [{ name: 'u', claimName: 'c' }] })],
  ['a path of the launcher', volume({ containerPath: { path: '/var/run/kubevirt/x' } })],
  [
    'a path of libvirt',
    both(
      volume({ containerPath: { path: '/var/run/libvirt/x' } }),
      (s) => s.domain.devices.disks.splice(1, 1),
      fs('scratch'),
    ),
  ],
  [
    'a path',
    both(volume({ containerPath: { path: '/x' } }), (s) => s.domain.devices.disks.splice(1, 1), fs('scratch')),
  ],
  [
    'a path without a filesystem',
    both(
      volume({ containerPath: { path: '/x' } }),
      (s) => s.domain.devices.disks.splice(1, 1),
      device({ autoattachVolumes: false }),
    ),
  ],
];
