import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CloudInit, CloudUser, Cpu, Disk, Size, VirtualMachine, VmPort } from 'virt8s/pulumi';

// your ssh key can log in; SSH_PUBLIC_KEY_FILE selects another one
const keyFile = process.env.SSH_PUBLIC_KEY_FILE ?? join(homedir(), '.ssh', 'id_ed25519.pub');
const sshKeys = existsSync(keyFile) ? [readFileSync(keyFile, 'utf8')] : [];

const vm = new VirtualMachine('hello', {
  cpu: Cpu.cores(1),
  memory: Size.mebibytes(256),
  disks: [Disk.containerDisk('localhost/virt8s/tiny:latest')],
  cloudInit: CloudInit.noCloud({
    users: [CloudUser.named('root', { sshKeys })],
    writeFiles: [
      { path: '/var/www/index.html', content: 'hello from a virtual machine\n' },
      { path: '/etc/motd', content: 'configured by cloud-init, declared in TypeScript\n' },
    ],
    runcmd: ['echo "booted $(uname -r)" >> /var/www/index.html'],
  }),
}); // without networks: the Pod network with masquerade

const service = vm.exposeViaService('hello', { ports: [VmPort.HTTP, VmPort.SSH] });

export const host = service.host;
export const ssh = vm.sshCommand('root');
