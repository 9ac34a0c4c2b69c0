import { App, Chart } from 'cdk8s';
import { PlatformDefinitions, PlatformImages, VirtPlatform } from '../../src';
import { type Cluster, eventually, GUEST, NAMESPACE, ready } from './cluster';
import { boots, type Example, examples } from './examples';
import { tinyVm } from './guests';
import * as storage from './storage';

/** One case of a test run. */
export interface Case {
  readonly name: string;
  /** Returns why it is not possible in this cluster. */
  readonly run: (cluster: Cluster) => Promise<string | void>;
  /** Whether nothing works if it fails. */
  readonly isNeeded?: boolean;
  /** Whether it removes the platform. */
  readonly isLast?: boolean;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

const PLATFORM = 'kubevirt';
const PROGRAMS = ['virt-operator', 'virt-api', 'virt-controller', 'virt-handler', 'cdi-uploadproxy'];

type Run = (cluster: Cluster) => Promise<string | void>;
type Need = 'nothing' | NonNullable<Example['needs']>;
/** A case that is skipped in a cluster which lacks what it needs. */
const NEEDING: Readonly<Record<Need, (run: (cluster: Cluster) => Promise<void>) => Run>> = {
  nothing: (run) => run,
  claims: storage.withClass,
  images: storage.withImage,
  sharedImages: storage.withSharedImage,
};

/** The cases, in their order: later ones use what earlier ones created. */
export const cases: readonly Case[] = [
  { name: 'the API server and the nodes are Ready', isNeeded: true, run: nodesAreReady },
  { name: 'the platform is installed by virt-operator', isNeeded: true, run: install },
  { name: 'each node offers its devices and is schedulable', run: devices },
  { name: 'a VM boots, and answers over the network', isNeeded: true, run: boot },
  { name: 'its console answers', run: consoleAnswers },
  { name: 'ssh logs in', run: ssh },
  { name: 'a VM in a namespace with restricted Pod Security boots', run: restricted },
  { name: 'an invalid VM is rejected with a remedy', run: rejected },
  { name: 'pause and unpause', run: pause },
  { name: 'restart boots the guest again', run: restart },
  ...PROGRAMS.map((program) => ({
    name: `the guest keeps running while ${program} is replaced`,
    run: (cluster: Cluster) => replaced(cluster, program),
  })),
  { name: 'virt-operator restores what is deleted or edited', run: repaired },
  { name: 'a drained node loses the guest, which starts again', run: drained },
  { name: 'a DataVolume is filled', run: storage.blank },
  { name: 'a disk is attached to the running guest, and detached', run: storage.hotplug },
  { name: 'a VM boots from an imported image', run: storage.imported },
  { name: 'a snapshot of the running VM is restored', run: storage.snapshot },
  { name: 'a claim is exported', run: storage.exported },
  ...examples.map((example) => ({
    name: `the guests of examples/${example.name} boot`,
    run: NEEDING[example.needs ?? 'nothing']((cluster) => boots(cluster, example)),
  })),
  { name: 'the API server describes the subresources', run: openApi },
  { name: 'virt8s doctor finds no error', run: doctor },
  { name: 'no request of the platform was refused', run: nothingRefused },
  { name: 'a deleted VM leaves no Pod', run: deleted },
  { name: 'the platform is removed, and only its definitions remain', isLast: true, run: remove },
];

async function nodesAreReady(cluster: Cluster): Promise<void> {
  await cluster.kubectl('wait', 'node', '--all', '--for=condition=Ready', '--timeout=60s');
}

async function install(cluster: Cluster): Promise<void> {
  const { registry, tag, runtimeDirectories, sideContainers } = cluster.options;
  const app = new App();
  const definitions = new Chart(app, 'definitions', { disableResourceNameHashes: true });
  new PlatformDefinitions(definitions, 'definitions');
  const chart = new Chart(app, 'platform', { disableResourceNameHashes: true });
  const { items } = await cluster.get('nodes');
  new VirtPlatform(chart, 'platform', {
    definitions: false,
    nodes: items.length,
    images: PlatformImages.of({ registry, tag }),
    // a machine whose nodes are virtual machines or containers often has no working KVM
    configuration: { useEmulation: true, ...(sideContainers ? { disabledFeatureGates: ['ImageVolume'] } : {}) },
    ...(runtimeDirectories ? { runtimeDirectories: [...runtimeDirectories] } : {}),
  });
  await cluster.apply(definitions.toJson() as object[], '--server-side');
  await cluster.kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=60s');
  await cluster.apply(chart.toJson() as object[]);
  await eventually(300_000, async () => {
    const { status } = await cluster.get('kubevirt/kubevirt', '-n', PLATFORM);
    const conditions: Condition[] = status?.conditions ?? [];
    const has = (type: string, wanted: string): boolean =>
      conditions.some((each) => each.type === type && each.status === wanted);
    if (has('Available', 'True') && has('Progressing', 'False') && has('Degraded', 'False')) return;
    throw new Error(conditions.map(({ type, status: is, message }) => `${type}=${is}: ${message}`).join('\n'));
  });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await cluster.apply([namespace]);
  if (!cluster.options.insecureRegistry) return;
  const [insecure] = cluster.options.guestImage.split('/', 1);
  const config = { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig', metadata: { name: 'config' } };
  await cluster.apply([{ ...config, spec: { insecureRegistries: [insecure] } }]);
}

async function devices(cluster: Cluster): Promise<void> {
  await eventually(60_000, async () => {
    const { items } = await cluster.get('nodes', '-l', 'kubevirt.io/schedulable=true');
    if (items.length === 0) throw new Error('no node has the label kubevirt.io/schedulable=true');
    for (const { metadata, status } of items) {
      if ((status.allocatable['devices.kubevirt.io/tun'] ?? '0') !== '0') continue; // such as 1k
      throw new Error(`node ${metadata.name} offers no devices.kubevirt.io/tun`);
    }
  });
}

async function boot(cluster: Cluster): Promise<void> {
  await cluster.apply([tinyVm(GUEST, cluster.options)]);
  await ready(cluster, GUEST);
  await eventually(120_000, () => cluster.guest(GUEST));
}

async function consoleAnswers(cluster: Cluster): Promise<void> {
  await eventually(60_000, async () => {
    const text = await cluster.console(GUEST, 'expr 6 \\* 7');
    if (!/^42\r?$/m.test(text)) throw new Error(`the console does not answer: ${JSON.stringify(text.slice(-200))}`);
  });
}

async function ssh(cluster: Cluster): Promise<string | void> {
  const { sshKey } = cluster.options;
  if (!sshKey) return 'no --ssh-key';
  await eventually(60_000, async () => {
    const text = await cluster.virt8s(
      ...['ssh', `root@vm/${GUEST}`, '--identity-file', sshKey],
      ...['--local-ssh-opts=-o StrictHostKeyChecking=no', '--local-ssh-opts=-o UserKnownHostsFile=/dev/null'],
      ...['--command', 'hostname'],
    );
    if (text.trim() !== GUEST) throw new Error(`ssh answers ${JSON.stringify(text)}`);
  });
}

async function restricted(cluster: Cluster): Promise<void> {
  const name = `${NAMESPACE}-restricted`;
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }]);
  await cluster.apply([tinyVm('confined', cluster.options, name)]);
  await ready(cluster, 'confined', name);
  await cluster.kubectl('delete', 'namespace', name, '--timeout=120s');
}

async function rejected(cluster: Cluster): Promise<void> {
  const vm = tinyVm('invalid', cluster.options) as { spec: { template: { spec: { volumes: object[] } } } };
  vm.spec.template.spec.volumes = [];
  const { code, stderr } = await cluster.run('kubectl', ['apply', '-f', '-'], JSON.stringify(vm));
  if (code === 0) throw new Error('it was accepted');
  if (!/denied the request|is invalid/.test(stderr)) throw new Error(stderr);
}

async function pause(cluster: Cluster): Promise<void> {
  await cluster.virt8s('pause', 'vm', GUEST);
  await cluster.kubectl('wait', `vmi/${GUEST}`, '-n', NAMESPACE, '--for=condition=Paused', '--timeout=30s');
  await cluster.virt8s('unpause', 'vm', GUEST);
  await eventually(60_000, () => cluster.guest(GUEST));
}

async function restart(cluster: Cluster): Promise<void> {
  const before = await cluster.guest(GUEST);
  await cluster.virt8s('restart', GUEST);
  await eventually(180_000, async () => {
    const { bootId } = await cluster.guest(GUEST);
    if (bootId === before.bootId) throw new Error('the guest has not booted again');
  });
  await ready(cluster, GUEST);
}

async function replaced(cluster: Cluster, program: string): Promise<void> {
  const before = await cluster.guest(GUEST);
  const selector = `kubevirt.io=${program}`;
  await cluster.kubectl(
    'delete',
    'pod',
    '-n',
    PLATFORM,
    '-l',
    selector,
    '--grace-period=0',
    '--force',
    '--timeout=60s',
  );
  const kind = program === 'virt-handler' ? 'daemonset' : 'deployment';
  await cluster.kubectl('rollout', 'status', `${kind}/${program}`, '-n', PLATFORM, '--timeout=120s');
  const after = await eventually(60_000, () => cluster.guest(GUEST));
  if (after.bootId !== before.bootId) throw new Error('the guest has booted again');
  await consoleAnswers(cluster);
}

async function repaired(cluster: Cluster): Promise<void> {
  await cluster.kubectl('delete', 'validatingwebhookconfiguration', 'virt-api-validator');
  const grant = [{ op: 'add', path: '/rules/-', value: { apiGroups: [''], resources: ['secrets'], verbs: ['get'] } }];
  await cluster.kubectl('patch', 'clusterrole', 'kubevirt.io:view', '--type=json', '-p', JSON.stringify(grant));
  await cluster.kubectl('delete', 'secret', 'kubevirt-virt-api-certs', '-n', PLATFORM);
  await eventually(60_000, async () => {
    await cluster.get('validatingwebhookconfiguration/virt-api-validator');
    await cluster.get('secret/kubevirt-virt-api-certs', '-n', PLATFORM);
    const role = await cluster.get('clusterrole/kubevirt.io:view');
    if (JSON.stringify(role.rules).includes('"secrets"')) throw new Error('the edited role was not restored');
  });
}

async function drained(cluster: Cluster): Promise<void> {
  const { spec, metadata } = (await cluster.get('pods', '-n', NAMESPACE, '-l', `vm.kubevirt.io/name=${GUEST}`))
    .items[0];
  const pod = `pod/${metadata.name}`;
  await cluster.kubectl('cordon', spec.nodeName);
  try {
    const drain = ['drain', spec.nodeName, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=120s'];
    await cluster.kubectl(...drain, '--pod-selector', 'kubevirt.io=virt-launcher');
    await eventually(60_000, async () => {
      const { code } = await cluster.run('kubectl', ['get', pod, '-n', NAMESPACE]);
      if (code === 0) throw new Error('the launcher of the drained node still exists');
    });
  } finally {
    await cluster.kubectl('uncordon', spec.nodeName);
  }
  await ready(cluster, GUEST);
  await eventually(120_000, () => cluster.guest(GUEST));
}

async function openApi(cluster: Cluster): Promise<void> {
  const path = '/openapi/v3/apis/subresources.kubevirt.io/v1';
  const { paths } = JSON.parse(await cluster.kubectl('get', '--raw', path)) as { paths: object };
  const restart = Object.keys(paths).find((each) => each.endsWith('/virtualmachines/{name}/restart'));
  if (!restart) throw new Error(`${path} does not describe restart`);
}

async function doctor(cluster: Cluster): Promise<void> {
  await cluster.virt8s('doctor');
}

/** A program that lacks a permission reports it in its log. */
async function nothingRefused(cluster: Cluster): Promise<void> {
  for (const program of PROGRAMS) {
    const log = await cluster.kubectl('logs', '-n', PLATFORM, '-l', `kubevirt.io=${program}`, '--tail=-1', '--prefix');
    const refused = log
      .split('\n')
      // a namespace that is being deleted takes no events
      .filter((line) => !line.includes('because it is being terminated'))
      .find((line) => /is forbidden|cannot (list|get|patch|watch|create) resource/.test(line));
    if (refused) throw new Error(refused);
  }
}

async function deleted(cluster: Cluster): Promise<void> {
  await cluster.kubectl('delete', 'vm', GUEST, '-n', NAMESPACE, '--timeout=120s');
  await eventually(60_000, async () => {
    const { items } = await cluster.get('pods', '-n', NAMESPACE);
    if (items.length > 0)
      throw new Error(
        `Pods are left: ${items.map(({ metadata }: { metadata: { name: string } }) => metadata.name).join(', ')}`,
      );
  });
}

async function remove(cluster: Cluster): Promise<void> {
  await cluster.kubectl('delete', 'namespace', NAMESPACE, '--timeout=120s', '--ignore-not-found');
  await cluster.kubectl('delete', 'kubevirt/kubevirt', '-n', PLATFORM, '--timeout=180s');
  const kinds = 'validatingwebhookconfiguration,mutatingwebhookconfiguration,clusterrole,validatingadmissionpolicy';
  const left = (await cluster.kubectl('get', kinds, '-o', 'name'))
    .split('\n')
    .filter((name) => /virt-api|kubevirt/.test(name) && !name.endsWith('/kubevirt-operator'));
  if (left.length > 0) throw new Error(`left: ${left.join(', ')}`);
  await cluster.kubectl('delete', 'namespace', PLATFORM, '--timeout=120s');
  const operator = ['clusterrole/kubevirt-operator', 'clusterrolebinding/kubevirt-operator'];
  await cluster.kubectl('delete', ...operator, '--ignore-not-found');
  await cluster.kubectl('delete', 'crd', '-l', 'kubevirt.io', '--timeout=120s');
}
