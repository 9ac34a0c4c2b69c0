import type { KubeVirtSpec } from '../../../../../src/api/generated/kubevirt-v1';
import type { PlatformObject } from '../../../../../src/api/platform';
import { customizedWorkload } from '../../../../../src/runtime/operator/customize/workload';

const workload = (name: string, pod: object = {}): PlatformObject => ({
  apiVersion: 'apps/v1',
  kind: name === 'virt-handler' ? 'DaemonSet' : 'Deployment',
  metadata: { name },
  spec: {
    ...(name === 'virt-handler' ? {} : { replicas: 2 }),
    template: {
      spec: {
        nodeSelector: { os: 'linux' },
        tolerations: [{ key: 'a' }],
        affinity: { podAntiAffinity: {} },
        initContainers: [{ name: 'init', args: ['--v=1'] }],
        containers: [
          { name, args: ['--port=1', '--v=2'] },
          { name: 'side', args: ['--v=3'] },
        ],
        ...pod,
      },
    },
  },
});

interface Spec {
  readonly replicas?: number;
  readonly template: { readonly spec: Record<string, unknown> & { containers: { args?: string[] }[] } };
}
const specOf = (name: string, spec: KubeVirtSpec): Spec => customizedWorkload(workload(name), spec).spec as Spec;
const podOf = (name: string, spec: KubeVirtSpec): Spec['template']['spec'] => specOf(name, spec).template.spec;

test('nothing changes without settings', () => {
  for (const name of ['virt-api', 'virt-handler'])
    expect(customizedWorkload(workload(name), {})).toEqual(workload(name));
});

describe('replicas', () => {
  test.each([
    ['virt-api', 5],
    ['virt-controller', 5],
    ['cdi-uploadproxy', 2],
    ['virt-handler', undefined],
  ])('of %s', (name, want) => expect(specOf(name, { infra: { replicas: 5 } }).replicas).toBe(want));

  test('may be none', () => expect(specOf('virt-api', { infra: { replicas: 0 } }).replicas).toBe(0));
});

describe('placement', () => {
  const infra = { nodePlacement: { nodeSelector: { role: 'infra' } } };
  const workloads = { nodePlacement: { nodeSelector: { role: 'guests' } } };

  test.each([
    ['virt-api', 'infra'],
    ['virt-controller', 'infra'],
    ['cdi-uploadproxy', 'infra'],
    ['virt-handler', 'guests'],
  ])('of %s is that of %s', (name, role) =>
    expect(podOf(name, { infra, workloads }).nodeSelector).toEqual({ os: 'linux', role }),
  );

  test('of others changes nothing', () => {
    expect(podOf('virt-handler', { infra })).toEqual(podOf('virt-handler', {}));
    expect(podOf('virt-api', { workloads })).toEqual(podOf('virt-api', {}));
  });

  test('adds tolerations, replaces selectors of the same name, and replaces an affinity', () => {
    const nodePlacement = {
      ...{ nodeSelector: { os: 'other' }, tolerations: [{ key: 'b' }], affinity: { nodeAffinity: {} } },
    };
    expect(podOf('virt-api', { infra: { nodePlacement } })).toMatchObject({
      nodeSelector: { os: 'other' },
      tolerations: [{ key: 'a' }, { key: 'b' }],
    });
    expect(podOf('virt-api', { infra: { nodePlacement } }).affinity).toEqual({ nodeAffinity: {} });
  });

  test('begins without defaults', () => {
    const bare = customizedWorkload(workload('virt-api', { nodeSelector: undefined, tolerations: undefined }), {
      infra: { nodePlacement: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'c' }] } },
    });
    expect((bare.spec as Spec).template.spec).toMatchObject({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'c' }] });
  });
});

test('the pull policy is that of every container, and pull Secrets replace the default', () => {
  const pod = podOf('virt-handler', { imagePullPolicy: 'Always', imagePullSecrets: [{ name: 's' }] });
  expect(pod).toMatchObject({
    imagePullSecrets: [{ name: 's' }],
    initContainers: [{ imagePullPolicy: 'Always' }],
    containers: [{ imagePullPolicy: 'Always' }, { imagePullPolicy: 'Always' }],
  });
});

describe('flags', () => {
  const argsOf = (name: string, flags: object): (string[] | undefined)[] =>
    podOf(name, { customizeComponents: { flags } }).containers.map(({ args }) => args);

  test.each([
    ['virt-api', 'api'],
    ['virt-controller', 'controller'],
    ['virt-handler', 'handler'],
  ])('of %s replace the same ones, and are added, in its first container', (name, key) => {
    expect(argsOf(name, { [key]: { v: '5', more: 'x' } })).toEqual([['--port=1', '--v=5', '--more=x'], ['--v=3']]);
  });

  test('of others change nothing', () => {
    expect(argsOf('virt-api', { controller: { v: '5' }, handler: { v: '6' } })).toEqual([
      ['--port=1', '--v=2'],
      ['--v=3'],
    ]);
    expect(argsOf('cdi-uploadproxy', { api: { v: '5' } })[0]).toEqual(['--port=1', '--v=2']);
  });

  test('with a name that begins with another name are kept apart', () => {
    expect(argsOf('virt-api', { api: { p: '5', 'port-range': '6' } })[0]).toEqual([
      '--port=1',
      '--v=2',
      '--p=5',
      '--port-range=6',
    ]);
  });

  test('replace one without a value', () => {
    const object = workload('virt-api', { containers: [{ name: 'virt-api', args: ['--v', '--w'] }] });
    const { spec } = customizedWorkload(object, { customizeComponents: { flags: { api: { v: 'true' } } } });
    expect((spec as Spec).template.spec.containers[0]!.args).toEqual(['--w', '--v=true']);
  });
});
