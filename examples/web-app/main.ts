import { App, Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  AccessCredential,
  CloudInit,
  CloudPartition,
  Cpu,
  Disk,
  LinuxServer,
  SnapshotSchedule,
  VmNetwork,
  VmPort,
  VmProbe,
} from 'virt8s';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

// no manifest contains a password or a key: you or a secret store create these Secrets
const password = kplus.Secret.fromSecretName(chart, 'password', 'database-password');
const certificate = kplus.Secret.fromSecretName(chart, 'certificate', 'shop-tls');

// --- the database: a VM with a system disk and a data disk, which are deleted with the VM

// the guest reads the password from a disk
const createRole = `#!/bin/sh -e
mount -o ro LABEL=password /mnt
cd /
runuser -u postgres -- psql -v ON_ERROR_STOP=1 -v password="$(cat /mnt/password)" <<'SQL'
CREATE ROLE shop LOGIN PASSWORD :'password';
CREATE DATABASE shop OWNER shop;
SQL
umount /mnt
`;

const database = new LinuxServer(chart, 'database', {
  cpu: Cpu.sockets(2),
  memory: Size.gibibytes(4),
  disks: [
    Disk.registry('quay.io/containerdisks/debian:13', Size.gibibytes(20), { name: 'system' }),
    Disk.blank(Size.gibibytes(100), { name: 'data', serial: 'data' }),
    Disk.secret(password, { name: 'password', volumeLabel: 'password' }),
  ],
  // cloud-init formats the data disk if it has no file system, and mounts it before it installs PostgreSQL
  cloudInit: CloudInit.noCloud({
    fsSetup: [
      { device: '/dev/disk/by-id/virtio-data', filesystem: 'ext4', label: 'data', partition: CloudPartition.AUTO },
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
  // public keys for the image's user `debian`, for `virt8s ssh`
  accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'admin-keys' })],
  networks: [VmNetwork.masquerade({ ports: [VmPort.POSTGRESQL, VmPort.SSH] })],
  // the Service forwards connections after the database answers
  readiness: VmProbe.fromTcpSocket(5432),
});
const sql = database.exposeViaService('sql', { ports: [VmPort.POSTGRESQL] });

// a snapshot each night; the last seven are kept
new SnapshotSchedule(chart, 'nightly', {
  source: database,
  schedule: '0 3 * * *',
  keep: 7,
  image: process.env.JOB_IMAGE,
});

// --- the web server: Pods

const web = new kplus.Deployment(chart, 'web', {
  replicas: 2,
  containers: [
    {
      image: 'registry.example/shop:1.4.0',
      portNumber: 8080,
      envVariables: {
        DATABASE_HOST: kplus.EnvValue.fromValue(sql.host),
        DATABASE_NAME: kplus.EnvValue.fromValue('shop'),
        DATABASE_USER: kplus.EnvValue.fromValue('shop'),
        DATABASE_PASSWORD: kplus.EnvValue.fromSecretValue({ secret: password, key: 'password' }),
      },
      readiness: kplus.Probe.fromHttpGet('/healthz', { port: 8080 }),
      resources: {
        cpu: { request: kplus.Cpu.millis(100) },
        memory: { request: Size.mebibytes(128), limit: Size.mebibytes(256) },
      },
    },
  ],
});
const ingress = new kplus.Ingress(chart, 'ingress');
const http = web.exposeViaService({ ports: [{ port: 80, targetPort: 8080 }] });
ingress.addHostRule('shop.example', '/', kplus.IngressBackend.fromService(http));
ingress.addTls([{ hosts: ['shop.example'], secret: certificate }]);

// --- only the Pods of the web server can connect to the database

new kplus.NetworkPolicy(chart, 'only-web', {
  selector: database,
  ingress: {
    default: kplus.NetworkPolicyTrafficDefault.DENY,
    rules: [{ peer: web, ports: [kplus.NetworkPolicyPort.tcp(5432)] }],
  },
});

app.synth();
