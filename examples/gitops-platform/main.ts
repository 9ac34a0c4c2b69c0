import { App, Chart, YamlOutputType } from 'cdk8s';
import { PlatformDefinitions, PlatformImages, VirtPlatform } from 'virt8s';
import { argoCd, flux } from './sync';

// a folder for each step: dist/0000-definitions, dist/0001-operator, dist/0002-kubevirt
const app = new App({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
const chart = (id: string): Chart => new Chart(app, id, { disableResourceNameHashes: true });

const definitions = chart('definitions');
new PlatformDefinitions(definitions, 'definitions', { syncWaves: true });

const operator = chart('operator');
operator.addDependency(definitions);
new VirtPlatform(operator, 'platform', {
  definitions: false,
  images: PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' }),
  // on its own, so that Flux can remove it before virt-operator
  kubeVirtChart: chart('kubevirt'),
  // the same order for Argo CD
  syncWaves: true,
});

// apply one of them once, by hand: it reads the other folders from the repository
const repository = { url: 'https://git.example/cluster.git', branch: 'main' };
argoCd(chart('argo-cd'), repository, ['0000-definitions', '0001-operator', '0002-kubevirt']);
flux(chart('flux'), repository, [
  // deleting a definition deletes all VMs
  { name: 'definitions', folder: '0000-definitions', prune: false },
  { name: 'operator', folder: '0001-operator', prune: true },
  { name: 'kubevirt', folder: '0002-kubevirt', prune: true },
]);

app.synth();
