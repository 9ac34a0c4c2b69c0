import { ApiObject, Chart, App, Size } from 'cdk8s';
import { VirtualMachine, Disk } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new ApiObject(chart, 'data', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } });
new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.dataVolume({ name: 'data' })] });

export { app };
