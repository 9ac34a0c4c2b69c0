import { readFileSync } from 'node:fs';
import { NAMESPACE, type ClusterOptions } from './cluster';

/** VM of the guest tiny, which serves a report on itself over HTTP. */
export function tinyVm(name: string, { guestImage, sshKey }: ClusterOptions, namespace = NAMESPACE): object {
  // ssh-keygen writes the public key beside the private one
  const keys = sshKey ? [readFileSync(`${sshKey}.pub`, 'utf8').trim()] : [];
  const userData = ['#cloud-config', 'ssh_authorized_keys:', ...keys.map((key) => `  - ${key}`), ''].join('\n');
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace },
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          terminationGracePeriodSeconds: 20,
          domain: {
            memory: { guest: '128Mi' },
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                { name: 'cloudinit', disk: { bus: 'virtio' } },
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [
            { name: 'root', containerDisk: { image: guestImage } },
            { name: 'cloudinit', cloudInitNoCloud: { userData } },
          ],
        },
      },
    },
  };
}
