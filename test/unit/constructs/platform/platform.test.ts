import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import {
  KubeVirt,
  Disk,
  PermittedHostDevice,
  PlatformCertificates,
  PlatformDefinitions,
  PlatformImages,
  PlatformSize,
  VirtPlatform,
  type VirtPlatformProps,
  VirtualMachine,
} from '../../../../src';
import { definitions, platformDefinitions } from '../../../../src/api/crds';
import { operatorSecrets, platformCertificates } from '../../../../src/api/install/certificates';
import { installStrategy, operatorConfigMaps } from '../../../../src/api/install/strategy';
import { definitionNames } from '../../../../src/constructs/platform/definitions';
import { compileCrdSchema } from '../../../../src/local/api-server/crd/schema/compile';
import { mistakeOf } from '../fixtures';
import { problemsOf } from './kubernetes-schema';
import { testApp } from '../../../support/app';
import { withInstalled } from '../../../support/platform';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' });

function platform(props: Partial<VirtPlatformProps> = {}, chart = new Chart(testApp(), 'virt')) {
  return new VirtPlatform(chart, 'platform', { images, definitions: false, ...props });
}
/** Everything that an installation consists of: the manifests, and what virt-operator installs from them. */
const manifests = (props?: Partial<VirtPlatformProps>): Manifest[] =>
  withInstalled(Testing.synth(Chart.of(platform(props))));
const nameOf = ({ kind, metadata }: Manifest): string => `${kind}/${metadata.name}`;
const one = (objects: Manifest[], name: string): Manifest => {
  const found = objects.filter((object) => nameOf(object) === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0];
};
const podOf = (objects: Manifest[], name: string): Manifest => one(objects, name).spec.template.spec;

/** Everything that can be asked for. */
const VARIANTS: [string, Partial<VirtPlatformProps>][] = [
  ['as it comes', {}],
  ['one node', { nodes: 1 }],
  ['a thousand nodes', { nodes: 1000 }],
  ['with cert-manager', { certificates: PlatformCertificates.certManager() }],
  [
    'with everything',
    {
      namespace: 'virtualization',
      monitoring: { labels: { release: 'prometheus' } },
      infra: { tolerations: [{ key: 'control-plane', operator: 'Exists' }], nodeSelector: { role: 'infra' } },
      workloads: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } },
      images: PlatformImages.of({ registry: 'registry.example', tag: 'v2', pullSecrets: [{ name: 'registry' }] }),
      size: PlatformSize.forNodes(10, { virtApi: { memoryLimit: Size.gibibytes(1), cpuLimit: '2' } }),
      runtimeDirectories: ['/run/k3s/containerd'],
      webhookAllowedNames: ['front-proxy-client', 'other'],
      controllerThreads: { virtualMachines: 1, instances: 1000, nodes: 2 },
    },
  ],
];

test('what is installed, in its order', () => {
  expect(manifests({ monitoring: {} }).map(nameOf)).toMatchInlineSnapshot(`
    [
      "Namespace/kubevirt",
      "PriorityClass/kubevirt-cluster-critical",
      "RoleBinding/kubevirt-operator-authentication-reader",
      "ServiceAccount/kubevirt-operator",
      "ClusterRole/kubevirt-operator",
      "ClusterRoleBinding/kubevirt-operator",
      "Role/kubevirt-operator",
      "RoleBinding/kubevirt-operator",
      "Deployment/virt-operator",
      "KubeVirt/kubevirt",
      "Service/kubevirt-prometheus-metrics",
      "ServiceMonitor/kubevirt",
      "PrometheusRule/kubevirt",
      "ClusterRole/kubevirt.io:default",
      "ClusterRoleBinding/kubevirt.io:default",
      "ClusterRole/kubevirt.io:view",
      "ClusterRole/kubevirt.io:edit",
      "ClusterRole/kubevirt.io:admin",
      "ClusterRole/kubevirt.io:migrate",
      "ClusterRole/instancetype.kubevirt.io:view",
      "ClusterRoleBinding/instancetype.kubevirt.io:view",
      "ClusterRole/cdi.kubevirt.io:view",
      "ClusterRole/cdi.kubevirt.io:edit",
      "ClusterRole/cdi.kubevirt.io:admin",
      "ClusterRole/cdi.kubevirt.io:config-reader",
      "ClusterRoleBinding/cdi.kubevirt.io:config-reader",
      "ServiceAccount/kubevirt-apiserver",
      "ClusterRole/kubevirt-apiserver",
      "ClusterRoleBinding/kubevirt-apiserver",
      "Deployment/virt-api",
      "PodDisruptionBudget/virt-api",
      "ServiceAccount/kubevirt-controller",
      "ClusterRole/kubevirt-controller",
      "ClusterRoleBinding/kubevirt-controller",
      "Role/kubevirt-controller",
      "RoleBinding/kubevirt-controller",
      "Deployment/virt-controller",
      "PodDisruptionBudget/virt-controller",
      "ServiceAccount/kubevirt-handler",
      "ClusterRole/kubevirt-handler",
      "ClusterRoleBinding/kubevirt-handler",
      "Role/kubevirt-handler",
      "RoleBinding/kubevirt-handler",
      "DaemonSet/virt-handler",
      "ServiceAccount/cdi-uploadproxy",
      "ClusterRole/cdi-uploadproxy",
      "ClusterRoleBinding/cdi-uploadproxy",
      "Deployment/cdi-uploadproxy",
      "Service/cdi-uploadproxy",
      "Service/virt-exportproxy",
      "ValidatingAdmissionPolicy/kubevirt-node-restriction",
      "ValidatingAdmissionPolicyBinding/kubevirt-node-restriction",
      "ValidatingAdmissionPolicy/kubevirt-instance-restriction",
      "ValidatingAdmissionPolicyBinding/kubevirt-instance-restriction",
      "Service/virt-api",
      "APIService/v1.subresources.kubevirt.io",
      "APIService/v1alpha3.subresources.kubevirt.io",
      "APIService/v1beta1.upload.cdi.kubevirt.io",
      "APIService/v1alpha1.upload.cdi.kubevirt.io",
      "MutatingWebhookConfiguration/virt-api-mutator",
      "ValidatingWebhookConfiguration/virt-api-validator",
    ]
  `);
});

describe.each(VARIANTS)('%s', (_, props) => {
  const objects = manifests(props);

  test("every object is one of Kubernetes' types, without unknown fields", () => {
    const unknown = objects.flatMap((object) => problemsOf(object)?.map((problem) => nameOf(object) + problem) ?? []);
    expect(unknown).toEqual([]);
    const others = new Set(objects.filter((object) => !problemsOf(object)).map(({ apiVersion }) => apiVersion));
    for (const apiVersion of others)
      expect(apiVersion).toMatch(/^(kubevirt.io|monitoring.coreos.com|cert-manager.io)\/v1$/);
  });

  test('the KubeVirt object is one of its definition', () => {
    const crd = platformDefinitions.find(({ metadata }) => metadata.name === 'kubevirts.kubevirt.io') as Manifest;
    const schema = compileCrdSchema(crd.spec.versions[0].schema.openAPIV3Schema);
    const kubeVirt = objects.find(({ kind }) => kind === 'KubeVirt');
    expect(schema.validate(kubeVirt)).toEqual([]);
  });

  test('no key, no certificate and no password is in any of it', () => {
    const text = JSON.stringify(objects);
    expect(text).not.toMatch(/BEGIN [A-Z ]*(KEY|CERTIFICATE)|LS0tLS1CRUdJTi|"(stringData|caBundle|password)"/);
    for (const secret of objects.filter(({ kind }) => kind === 'Secret')) expect(secret.data).toBeUndefined();
  });

  test('what a Pod mounts, runs as and is selected by is there', () => {
    const names = new Set(objects.map(nameOf));
    // virt-operator or cert-manager fills the Secrets
    const issued = [operatorSecrets.authority, ...platformCertificates('', true).map(({ secret }) => secret)].map(
      (name) => `Secret/${name}`,
    );
    const made = [installStrategy.configMap, operatorConfigMaps.requestHeader].map((name) => `ConfigMap/${name}`);
    const known = new Set([...names, ...issued, ...made]);
    for (const workload of objects.filter(({ kind }) => ['Deployment', 'DaemonSet'].includes(kind))) {
      const { metadata, spec } = workload.spec.template;
      expect(metadata.labels).toMatchObject(workload.spec.selector.matchLabels);
      expect(known).toContain(`ServiceAccount/${spec.serviceAccountName}`);
      expect(known).toContain(`PriorityClass/${spec.priorityClassName}`);
      for (const { secret, configMap } of spec.volumes) {
        if (secret) expect(known).toContain(`Secret/${secret.secretName}`);
        if (configMap) expect(known).toContain(`ConfigMap/${configMap.name}`);
      }
      for (const { name } of spec.containers[0].volumeMounts) {
        expect(spec.volumes.map((volume: Manifest) => volume.name)).toContain(name);
      }
    }
  });

  test('all components but virt-handler are confined', () => {
    const pods = objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec);
    for (const pod of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.hostPID ?? pod.hostNetwork ?? pod.hostIPC).toBeUndefined();
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        privileged: false,
        readOnlyRootFilesystem: true,
      });
      expect(pod.volumes.filter((volume: Manifest) => volume.hostPath)).toEqual([]);
    }
    const handler = podOf(objects, 'DaemonSet/virt-handler');
    expect(handler).toMatchObject({
      hostPID: true,
      containers: [{ securityContext: { readOnlyRootFilesystem: true } }],
    });
    expect(handler.hostNetwork).toBeUndefined();
  });

  test.each<[string, object, object]>([
    ['Deployment/virt-api', { httpGet: { path: '/healthz' } }, { httpGet: { path: '/readyz' } }],
    // of its Pods, only the one that leads answers /readyz
    ['Deployment/virt-controller', { httpGet: { path: '/healthz' } }, { httpGet: { path: '/healthz' } }],
    ['Deployment/virt-operator', { httpGet: { path: '/healthz' } }, { httpGet: { path: '/healthz' } }],
    ['Deployment/cdi-uploadproxy', { httpGet: { path: '/healthz' } }, { httpGet: { path: '/healthz' } }],
    ['DaemonSet/virt-handler', { tcpSocket: { port: 8186 } }, { tcpSocket: { port: 8186 } }],
  ])('%s is asked whether it lives and whether it is ready', (name, livenessProbe, readinessProbe) => {
    expect(podOf(objects, name).containers[0]).toMatchObject({ livenessProbe, readinessProbe });
  });

  test('every binding binds what is there, or what Kubernetes has', () => {
    const names = new Set(objects.map(nameOf));
    for (const { kind, roleRef, subjects } of objects.filter((object) => object.roleRef)) {
      const role = `${roleRef.kind}/${roleRef.name}`;
      if (role !== 'Role/extension-apiserver-authentication-reader')
        expect([kind, [...names]]).toEqual([kind, expect.arrayContaining([role])]);
      for (const subject of subjects.filter((each: Manifest) => each.kind === 'ServiceAccount')) {
        expect(names).toContain(`ServiceAccount/${subject.name}`);
      }
    }
  });

  test('creates the KubeVirt object before the webhooks that validate it', () => {
    const kinds = objects.map(({ kind }) => kind);
    expect(kinds.indexOf('KubeVirt')).toBeLessThan(kinds.indexOf('ValidatingWebhookConfiguration'));
    expect(kinds.indexOf('Namespace')).toBe(0);
  });
});

test.each<[string, Partial<VirtPlatformProps>, string[]]>([
  ['Deployment/virt-api', {}, []],
  ['Deployment/virt-api', { webhookAllowedNames: ['a', 'b'] }, ['--webhook-allowed-names=a,b']],
  ['Deployment/virt-controller', {}, []],
  ['Deployment/virt-controller', { controllerThreads: {} }, []],
  ['Deployment/virt-controller', { controllerThreads: { instances: 20 } }, ['--vmi-controller-threads=20']],
  [
    'Deployment/virt-controller',
    { controllerThreads: { virtualMachines: 1, instances: 1000, nodes: 2 } },
    ['--vm-controller-threads=1', '--vmi-controller-threads=1000', '--node-controller-threads=2'],
  ],
])('%s gets the flags of %j', (name, props, want) => {
  const { args } = podOf(manifests(props), name).containers[0];
  expect(args.filter((arg: string) => /threads|webhook/.test(arg))).toEqual(want);
});

describe('flags are those of the programs', () => {
  const objects = manifests({
    webhookAllowedNames: ['a'],
    controllerThreads: { virtualMachines: 1, instances: 1, nodes: 1 },
  });
  test.each([
    ['Deployment/virt-api', 'api-server/main.ts'],
    ['Deployment/virt-controller', 'controller/settings.ts'],
    ['DaemonSet/virt-handler', 'handler/main.ts'],
    ['Deployment/cdi-uploadproxy', 'upload-proxy/main.ts'],
    ['Deployment/virt-operator', 'operator/settings.ts'],
  ])('%s', (name, path) => {
    const source = readFileSync(join(__dirname, `../../../../src/runtime/${path}`), 'utf8');
    const known = [...source.matchAll(/^\s+'?([a-z-]+)'?: \{ type: 'string'/gm)].map(([, flag]) => flag);
    const given: string[] = podOf(objects, name).containers[0].args.map(
      (arg: string) => /^--([a-z-]+)=/.exec(arg)?.[1],
    );
    expect(known.length).toBeGreaterThan(3);
    expect(given.filter((flag) => !known.includes(flag))).toEqual([]);
    // what they cannot start without
    const required = [...source.matchAll(/(?:pem|need|file|required)\((?:flags, )?'([a-z-]+)'\)/g)].map(
      ([, flag]) => flag!,
    );
    expect(required.filter((flag) => !given.includes(flag))).toEqual([]);
  });
});

test('objects of the cluster have no namespace, even if the chart has one', () => {
  const chart = new Chart(testApp(), 'virt', { namespace: 'somewhere' });
  platform({ definitions: true, monitoring: {} }, chart);
  const inside = Testing.synth(chart).filter(({ metadata }) => metadata.namespace === 'somewhere');
  expect(inside.map(nameOf)).toEqual([]);
});

test('synthesizing twice gives the same', () => {
  const chart = Chart.of(platform({ configuration: { featureGates: ['HostDisk'] }, monitoring: {} }));
  expect(Testing.synth(chart)).toEqual(Testing.synth(chart));
});

describe('definitions', () => {
  test('can be alone in a chart that is applied first', () => {
    const app = new App();
    const first = new Chart(app, 'definitions');
    const made = new PlatformDefinitions(first, 'definitions');
    expect(Testing.synth(first)).toHaveLength(definitions.length);
    expect(made.kinds).toEqual(expect.arrayContaining(['VirtualMachine', 'KubeVirt', 'DataVolume']));
  });

  test('not those of CDI, where it is installed', () => {
    const { kinds } = new PlatformDefinitions(new Chart(testApp(), 'own'), 'own', { importer: false });
    expect(kinds).toHaveLength(platformDefinitions.length);
    expect(kinds).not.toContain('DataVolume');
    const made = platform({ definitions: true, importer: false });
    expect(made.definitions?.kinds).not.toContain('DataVolume');
    expect(made.uploadProxy).toBeUndefined();
    const objects = Testing.synth(Chart.of(made)) as { kind: string }[];
    // virt-operator may remove what it has installed with an importer
    const others = objects.filter(({ kind }) => !/Role$/.test(kind));
    expect(JSON.stringify(others)).not.toMatch(/--importer-image|uploadproxy|uploadserver/);
  });

  test('each is small enough for an apply that keeps the last state in an annotation', () => {
    const chart = new Chart(testApp(), 'virt');
    new PlatformDefinitions(chart, 'definitions');
    const largest = Math.max(...Testing.synth(chart).map((crd) => JSON.stringify(crd).length));
    expect(largest).toBeLessThan(262_144);
  });

  test('importing the library does not load them', () => {
    jest.isolateModules(() => {
      jest.doMock('../../../../src/api/crds', () => {
        throw new Error('loaded');
      });
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const library = require('../../../../src') as typeof import('../../../../src');
      const chart = new Chart(testApp(), 'virt');
      expect(() => new library.PlatformDefinitions(chart, 'definitions')).toThrow('loaded');
    });
  });
});

describe('size', () => {
  test.each([
    [1, { api: 1, controller: 1, memory: 130, budgets: 0 }],
    [3, { api: 2, controller: 2, memory: 133, budgets: 2 }],
    [100, { api: 2, controller: 2, memory: 285, budgets: 2 }],
    [1000, { api: 10, controller: 2, memory: 1691, budgets: 2 }],
  ])('%d nodes', (nodes, { api, controller, memory, budgets }) => {
    const objects = manifests({ nodes });
    const virtController = one(objects, 'Deployment/virt-controller').spec;
    expect([one(objects, 'Deployment/virt-api').spec.replicas, virtController.replicas]).toEqual([api, controller]);
    expect(virtController.template.spec.containers[0].resources.requests.memory).toBe(`${memory}Mi`);
    expect(objects.filter(({ kind }) => kind === 'PodDisruptionBudget')).toHaveLength(budgets);
  });

  test('one figure is replaced, the others stay', () => {
    const size = PlatformSize.forNodes(10, { virtApi: { replicas: 5 } });
    const { virtApi } = platform({ size });
    expect(virtApi.apiObject.toJson().spec).toMatchObject({
      replicas: 5,
      template: { spec: { containers: [{ resources: { requests: { memory: '160Mi' } } }] } },
    });
  });
});

test('virt-operator may repair exactly the definitions that there are', () => {
  const names = (all: typeof definitions): string[] => all.map(({ metadata }) => metadata.name ?? '').sort();
  expect(definitionNames(true).sort()).toEqual(names(definitions));
  expect(definitionNames(false).sort()).toEqual(names(platformDefinitions));
});

describe('certificates', () => {
  test('virt-operator makes them: no manifest has a Secret, and it may change just these', () => {
    const objects = manifests();
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const rules = one(objects, 'Role/kubevirt-operator').rules.filter((rule: Manifest) =>
      rule.resources.includes('secrets'),
    );
    const named = rules.filter(({ resourceNames }: Manifest) => resourceNames);
    expect(named.map(({ resourceNames, verbs }: Manifest) => [resourceNames, verbs])).toEqual([
      [
        [operatorSecrets.authority, ...platformCertificates('', true).map(({ secret }) => secret)],
        ['delete', 'patch'],
      ],
    ]);
    // nothing else reads a secret; virt-controller creates those of exports
    const touches = (rule: Manifest): boolean => rule.resources.includes('secrets');
    const near = objects.filter(({ rules: all }) => all?.some(touches));
    expect(near.map(nameOf).sort()).toEqual([
      'ClusterRole/kubevirt-controller',
      'ClusterRole/kubevirt-operator',
      'Role/kubevirt-operator',
    ]);
    for (const name of ['ClusterRole/kubevirt-controller', 'ClusterRole/kubevirt-operator']) {
      const verbs = one(objects, name)
        .rules.filter(touches)
        .map((rule: Manifest) => rule.verbs);
      expect([name, verbs]).toEqual([name, [['create']]]);
    }
  });

  test('virt-operator has every permission that it gives, which Kubernetes requires of it', () => {
    const objects = manifests();
    const covers = (own: Manifest[], { apiGroups, resources, verbs, resourceNames = [undefined] }: Manifest): boolean =>
      apiGroups.every((group: string) =>
        resources.every((resource: string) =>
          verbs.every((verb: string) =>
            resourceNames.every((name: string | undefined) =>
              own.some(
                (rule) =>
                  rule.apiGroups.includes(group) &&
                  rule.resources.includes(resource) &&
                  rule.verbs.includes(verb) &&
                  (!rule.resourceNames || (name !== undefined && rule.resourceNames.includes(name))),
              ),
            ),
          ),
        ),
      );
    const cluster = one(objects, 'ClusterRole/kubevirt-operator').rules;
    const near = [...cluster, ...one(objects, 'Role/kubevirt-operator').rules];
    for (const { kind, metadata, rules } of objects.filter(({ kind: k }) => ['Role', 'ClusterRole'].includes(k))) {
      const missing = rules.filter((rule: Manifest) => !covers(kind === 'Role' ? near : cluster, rule));
      expect([metadata.name, missing]).toEqual([metadata.name, []]);
    }
  });

  test('cert-manager signs them with an authority of the platform and configures the API server', () => {
    const objects = manifests({
      certificates: PlatformCertificates.certManager({ duration: Duration.days(90), renewBefore: Duration.days(15) }),
    });
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const issuers = objects
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ spec }) => [spec.secretName, spec.issuerRef.name, spec.duration]);
    expect(issuers).toEqual([
      ['kubevirt-ca', 'kubevirt-self-signed', '87600h'],
      ['kubevirt-virt-api-certs', 'kubevirt-ca', '2160h'],
      ['kubevirt-virt-handler-certs', 'kubevirt-ca', '2160h'],
      ['kubevirt-virt-handler-server-certs', 'kubevirt-ca', '2160h'],
      ['cdi-uploadproxy-server-cert', 'kubevirt-ca', '2160h'],
      ['cdi-uploadserver-client-cert', 'kubevirt-ca', '2160h'],
    ]);
    const injected = objects.filter(({ kind }) => /Webhook|APIService/.test(kind));
    expect(injected).toHaveLength(6);
    for (const { metadata } of injected) {
      expect(metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from': 'kubevirt/kubevirt-virt-api-certs' });
    }
    expect(podOf(objects, 'Deployment/virt-operator').containers[0].args).toContain('--issue-certificates=false');
  });
});

describe('monitoring', () => {
  const rule = one(manifests({ monitoring: {} }), 'PrometheusRule/kubevirt');
  const alerts = (of: Manifest): Manifest[] => of.spec.groups[0].rules.filter(({ alert }: Manifest) => alert);

  test('has alerts about the namespace of the platform', () => {
    const elsewhere = one(manifests({ monitoring: {}, namespace: 'virtualization' }), 'PrometheusRule/kubevirt');
    expect(alerts(rule).length).toBeGreaterThan(38);
    expect(JSON.stringify(rule)).not.toContain('virtualization');
    expect(JSON.stringify(elsewhere)).not.toContain('namespace=\\"kubevirt\\"');
  });

  test('every Pod with the label of the ServiceMonitor has a port for its Service', () => {
    const objects = manifests({ monitoring: {} });
    const service = one(objects, 'Service/kubevirt-prometheus-metrics');
    const templates = objects.flatMap(({ spec }) => (spec?.template ? [spec.template] : []));
    const scraped = templates.filter(({ metadata }) => metadata.labels['prometheus.kubevirt.io'] === 'true');
    expect(scraped.map(({ metadata }) => metadata.labels['kubevirt.io']).sort()).toEqual([
      ...['virt-api', 'virt-controller', 'virt-handler', 'virt-operator'],
    ]);
    for (const { spec } of scraped) {
      const [{ args, ports }] = spec.containers;
      const { targetPort } = service.spec.ports[0];
      const port = ports.find(({ name }: { name: string }) => name === targetPort)?.containerPort;
      expect(args.some((arg: string) => [`--metrics-port=${port}`, `--port=${port}`].includes(arg))).toBe(true);
    }
  });

  test('a platform that emulates needs no node with KVM', () => {
    const emulated = manifests({ monitoring: {}, configuration: { useEmulation: true } });
    const exprs = alerts(one(emulated, 'PrometheusRule/kubevirt')).map(({ expr }) => expr);
    expect(exprs.filter((expr) => expr.includes('kvm'))).toEqual([]);
  });
});

describe('escape hatches', () => {
  test('every part is at hand, and can be changed', () => {
    const made = platform();
    made.virtHandler.apiObject.addJsonPatch(JsonPatch.add('/spec/template/spec/hostNetwork', true));
    made.registration.validatingWebhooks.addJsonPatch(JsonPatch.replace('/webhooks/0/timeoutSeconds', 3));
    made.virtApi.identity.clusterRole?.metadata.addLabel('team', 'virt');
    const objects = withInstalled(Testing.synth(Chart.of(made)));
    expect(podOf(objects, 'DaemonSet/virt-handler').hostNetwork).toBe(true);
    expect(one(objects, 'ValidatingWebhookConfiguration/virt-api-validator').webhooks[0].timeoutSeconds).toBe(3);
    expect(one(objects, 'ClusterRole/kubevirt-apiserver').metadata.labels.team).toBe('virt');
  });

  test('each image can be another one', () => {
    const own = PlatformImages.of({
      registry: 'registry.example/a',
      tag: 'v1',
      virtLauncher: 'registry.example/b/launcher@sha256:' + 'a'.repeat(64),
    });
    const objects = manifests({ images: own });
    expect(podOf(objects, 'Deployment/virt-controller').containers[0]).toMatchObject({
      image: 'registry.example/a/virt-controller:v1',
      args: expect.arrayContaining([`--launcher-image=registry.example/b/launcher@sha256:${'a'.repeat(64)}`]),
    });
  });
});

describe('VMs of the same app are validated against its configuration', () => {
  const withVm = (props: Partial<VirtPlatformProps>): string => {
    const app = testApp();
    platform(props, new Chart(app, 'virt'));
    const web = new Chart(app, 'web');
    new VirtualMachine(web, 'vm', {
      memory: Size.gibibytes(1),
      disks: [Disk.containerDisk('registry.example/os:1')],
      instanceSpec: {
        domain: {
          devices: {
            gpus: [{ name: 'gpu', deviceName: 'nvidia.com/T4' }],
            hostDevices: [{ name: 'nic', deviceName: 'intel.com/qat' }],
          },
        },
      },
    });
    return mistakeOf(() => app.synth());
  };

  test('a gate that is off', () => expect(withVm({})).toContain('HostDevices'));
  test('a gate that is on', () =>
    expect(withVm({ configuration: { featureGates: ['HostDevices'] } })).not.toContain('HostDevices'));
});

describe('mistakes', () => {
  test.each<[string, () => unknown, string]>([
    [
      'an image without tag',
      () => PlatformImages.of({ registry: 'registry.example', tag: 'v1', virtApi: 'registry.example:5000/api' }),
      'PlatformImages.of: virtApi: "registry.example:5000/api" has no tag and no digest',
    ],
    [
      'a registry that is a URL',
      () => PlatformImages.of({ registry: 'https://registry.example', tag: 'v1' }),
      'registry: "https://registry.example" is not a registry',
    ],
    ['an invalid tag', () => PlatformImages.of({ registry: 'registry.example', tag: '' }), 'tag: "" is not a tag'],
    ['no nodes', () => platform({ nodes: 0 }), 'PlatformSize.forNodes: nodes: 0 is not a positive whole number'],
    ['half a node', () => platform({ nodes: 1.5 }), 'nodes: 1.5 is not a positive whole number'],
    ['no replicas', () => PlatformSize.forNodes(3, { virtApi: { replicas: 0 } }), 'virtApi.replicas: 0'],
    [
      'a certificate that is renewed before it is made',
      () => PlatformCertificates.certManager({ duration: Duration.days(1), renewBefore: Duration.days(2) }),
      'renewBefore',
    ],
    [
      'a gate that nobody knows',
      () => Chart.of(platform({ configuration: { featureGates: ['HostDevice'] } })).node.root,
      'configuration.featureGates[0] (spec.configuration.developerConfiguration.featureGates[0]): no feature gate is called "HostDevice"\n  did you mean "HostDevices"? [gate-known]',
    ],
    [
      'a ratio that would take memory away',
      () => platform({ configuration: { memoryOverheadRatio: 0.5 } }),
      'configuration.memoryOverheadRatio',
    ],
    [
      'a downtime without its gate',
      () => platform({ configuration: { migrations: { maxDowntime: Duration.seconds(2) } } }),
      'configuration.migrations.maxDowntime (spec.configuration.migrations.maxDowntimeMs)',
    ],
    [
      'a gate that is on and off',
      () => platform({ configuration: { featureGates: ['Snapshot'], disabledFeatureGates: ['Snapshot'] } }),
      'configuration.featureGates[0]',
    ],
    [
      'a limit below what many nodes need',
      () => PlatformSize.forNodes(1000, { virtController: { memoryLimit: Size.gibibytes(1) } }),
      'virtController.memoryLimit: 1Gi is less than the 1691Mi that are requested\n  raise the limit or lower memoryRequest',
    ],
    [
      'an invalid CPU quantity',
      () => PlatformSize.forNodes(3, { virtApi: { cpuRequest: 'much' } }),
      'virtApi.cpuRequest: "much" is not an amount',
    ],
    [
      'a directory that depends on where one is',
      () => platform({ kubeletDirectory: 'var/lib/kubelet' }),
      'VirtPlatform: kubeletDirectory: "var/lib/kubelet" is not an absolute path',
    ],
    [
      'a directory that leaves its place',
      () => platform({ runtimeDirectories: ['/run/../etc'] }),
      'runtimeDirectories[0]: "/run/../etc" is not an absolute path\n  write it like /var/lib/kubelet [node-path]',
    ],
    [
      'no callers',
      () => platform({ webhookAllowedNames: [] }),
      'VirtPlatform: webhookAllowedNames: is an empty list\n  list the common names of certificates, such as ' +
        'front-proxy-client, or omit the property [webhook-callers]',
    ],
    ...['', ' a', 'a,b'].map((name): [string, () => unknown, string] => [
      `the caller "${name}"`,
      () => platform({ webhookAllowedNames: ['a', name] }),
      `webhookAllowedNames[1]: "${name}" is empty, or has a comma`,
    ]),
    ...[0, 1001, 1.5].map((nodes): [string, () => unknown, string] => [
      `${nodes} threads`,
      () => platform({ controllerThreads: { nodes } }),
      `controllerThreads.nodes: ${nodes} is not from 1 to 1000\n  write a whole number from 1 to 1000 [controller-threads]`,
    ]),
    [
      'an invalid namespace',
      () => platform({ namespace: 'Virt_1' }),
      'metadata.namespace: "Virt_1" is not a DNS label (RFC 1123), as the name of a namespace must be',
    ],
    [
      'a PCI device without its product',
      () => platform({ configuration: { permittedHostDevices: [PermittedHostDevice.pci('example.com/gpu', '10DE')] } }),
      'configuration.permittedHostDevices.pciHostDevices[0].pciVendorSelector',
    ],
    [
      'a USB device by its name',
      () =>
        platform({ configuration: { permittedHostDevices: [PermittedHostDevice.usb('example.com/key', ['stick'])] } }),
      '"stick" does not identify a device\n  write it like 46f4, in hexadecimal [device-selector]',
    ],
    [
      'a device without a resource',
      () => platform({ configuration: { permittedHostDevices: [PermittedHostDevice.mediated('gpu', 'GRID T4-1Q')] } }),
      '"gpu" is not a resource name',
    ],
    [
      'a raw field that the API does not have',
      () => platform({ configuration: { raw: { smbioses: {} } } }),
      'spec.configuration.smbioses',
    ],
    [
      'a raw field of the wrong shape',
      () => platform({ configuration: { raw: { developerConfiguration: { featureGates: 'HostDisk' } } } }),
      'configuration.featureGates (spec.configuration.developerConfiguration.featureGates)',
    ],
    [
      'a second KubeVirt object',
      () => {
        const made = platform();
        new KubeVirt(Chart.of(made), 'second', { metadata: { name: 'second' } });
        return made;
      },
      'KubeVirt objects are declared by virt/platform/KubeVirt and virt/second\n  keep one [one-kubevirt]',
    ],
  ])('%s', (_, make, expected) => {
    const text = mistakeOf(() => {
      const made = make();
      if (made instanceof VirtPlatform) (made.node.root as App).synth();
      else if (made instanceof App) made.synth();
    });
    expect(text).toContain(expected);
  });
});
