import { ApiObject, Chart, App, Size } from 'cdk8s';
import { DataVolumeSource, DataVolume } from 'virt8s';
const app = new App();
const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });
new ApiObject(chart, 'login', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { user: 'me' } });
new DataVolume(chart, 'os', { source: DataVolumeSource.http('https://registry.example/os.qcow2', { credentials: { name: 'login' } }), size: Size.gibibytes(20) });

export { app };
