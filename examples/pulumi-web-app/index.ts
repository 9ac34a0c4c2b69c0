import * as pulumi from '@pulumi/pulumi';
import * as kplus from 'cdk8s-plus-28';
import {
  CloudInit,
  CloudPartition,
  CloudUser,
  Cpu,
  Disk,
  fromChart,
  LinuxServer,
  Size,
  SnapshotSchedule,
  VmNetwork,
  VmPort,
  VmProbe,
} from 'virt8s/pulumi';

const namespace = 'shop';
const image = new pulumi.Config().get('image') ?? 'registry.example/shop:1.4.0';

// made by hand or by a secret store, with the key `password`: no password is in any manifest
const password = { name: 'database-password' };

// waits for the password's disk, and gives it to the role; runs once, at the first boot
const createRole = `#!/bin/sh -e
mount -o ro LABEL=password /mnt
cd /
su postgres -c psql <<SQL
CREATE ROLE shop LOGIN PASSWORD '$(cat /mnt/password)';
CREATE DATABASE shop OWNER shop;
SQL
umount /mnt
`;

// the operating system and the data have a disk each, and both last as long as the VM
const database = new LinuxServer(
  'shop-database',
  {
    cpu: Cpu.sockets(2),
    memory: Size.gibibytes(4),
    disks: [
      Disk.registry('quay.io/containerdisks/debian:13', Size.gibibytes(20), { name: 'system' }),
      Disk.blank(Size.gibibytes(100), { name: 'data', serial: 'data' }),
      Disk.secret(password, { name: 'password', volumeLabel: 'password' }),
    ],
    cloudInit: CloudInit.noCloud({
      users: [CloudUser.named('ops', { sshImportIds: ['gh:shop-ops'] })],
      // a file system that is there already is kept
      fsSetup: [
        {
          device: '/dev/disk/by-id/virtio-data',
          filesystem: 'ext4',
          label: 'data',
          partition: CloudPartition.AUTO,
        },
      ],
      mounts: [{ device: 'LABEL=data', path: '/var/lib/postgresql', filesystem: 'ext4' }],
      packages: ['postgresql', 'qemu-guest-agent'],
      writeFiles: [{ path: '/usr/local/sbin/create-role', content: createRole, permissions: '0755' }],
      runcmd: [
        `echo "listen_addresses = '*'" > /etc/postgresql/17/main/conf.d/shop.conf`,
        `echo 'host shop shop all scram-sha-256' >> /etc/postgresql/17/main/pg_hba.conf`,
        'systemctl restart postgresql',
        '/usr/local/sbin/create-role',
      ],
    }),
    networks: [VmNetwork.masquerade({ ports: [VmPort.POSTGRESQL, VmPort.SSH] })],
    // the Service leads to it when it answers
    readiness: VmProbe.fromTcpSocket(5432),
  },
  { namespace },
);
const sql = database.exposeViaService('sql', { ports: [VmPort.POSTGRESQL] });

// constructs of cdk8s-plus: they get values for Inputs, and constructs for components
fromChart(
  'shop',
  { image, host: sql.host, database },
  (chart, { image, host, database }) => {
    const secret = kplus.Secret.fromSecretName(chart, 'database-password', password.name);
    const labels = { app: 'web' };
    const web = new kplus.Deployment(chart, 'web', {
      replicas: 2,
      select: false,
      podMetadata: { labels },
      containers: [
        {
          image,
          portNumber: 8080,
          envVariables: {
            DATABASE_HOST: kplus.EnvValue.fromValue(host),
            DATABASE_NAME: kplus.EnvValue.fromValue('shop'),
            DATABASE_USER: kplus.EnvValue.fromValue('shop'),
            DATABASE_PASSWORD: kplus.EnvValue.fromSecretValue({ secret, key: 'password' }),
          },
          readiness: kplus.Probe.fromHttpGet('/healthz', { port: 8080 }),
          resources: {
            cpu: { request: kplus.Cpu.millis(100) },
            memory: { request: Size.mebibytes(128), limit: Size.mebibytes(256) },
          },
        },
      ],
    });
    web.select(kplus.LabelSelector.of({ labels }));
    web.exposeViaIngress('/', {
      name: 'shop-web',
      ports: [{ port: 80, targetPort: 8080 }],
      ingress: new kplus.Ingress(chart, 'ingress', { className: 'nginx' }),
    });

    // of all Pods, only those of the web reach the database
    new kplus.NetworkPolicy(chart, 'only-web', {
      selector: database,
      ingress: {
        default: kplus.NetworkPolicyTrafficDefault.DENY,
        rules: [{ peer: web, ports: [kplus.NetworkPolicyPort.tcp(5432)] }],
      },
    });
  },
  { namespace },
);

new SnapshotSchedule('shop-nightly', { source: database, schedule: '0 3 * * *', keep: 7 }, { namespace });

export const ssh = database.sshCommand('ops');
export const host = sql.host;
