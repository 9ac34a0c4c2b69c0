import { Testing, Chart } from 'cdk8s';
import * as kplus28 from 'cdk8s-plus-28';
import * as kplus33 from 'cdk8s-plus-33';
import { Construct } from 'constructs';
import { IPodTarget, PodPeer, PodSelection, selectionOf } from '../../../../src/constructs/network/pod-target';
import { testApp } from '../../../support/app';

/** As VMs, pools and replica sets answer. */
class Target extends Construct implements IPodTarget {
  public constructor(
    scope: Construct,
    private readonly namespace?: string,
  ) {
    super(scope, 'target');
  }

  public toPodSelectorConfig(): PodSelection {
    return selectionOf({ 'vm.kubevirt.io/name': 'db' }, this.namespace);
  }

  public toNetworkPolicyPeerConfig(): PodPeer {
    return { podSelector: this.toPodSelectorConfig() };
  }

  public toPodSelector(): IPodTarget {
    return this;
  }
}

const matchLabels = { 'vm.kubevirt.io/name': 'db' };
const testChart = (): Chart => new Chart(testApp(), 'web');

// each version brings its own classes, and none of ours extends them
describe.each<[string, typeof kplus28]>([
  ['cdk8s-plus-28', kplus28],
  ['cdk8s-plus-33', kplus33 as unknown as typeof kplus28],
])('a guest is a target of %s:', (_, kplus) => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
  const synthesized = (chart: Chart, kind: string): any[] => Testing.synth(chart).filter((each) => each.kind === kind);

  test('its Service', () => {
    const chart = testChart();
    new kplus.Service(chart, 'svc', { selector: new Target(chart), ports: [{ port: 22 }] });
    expect(synthesized(chart, 'Service')[0].spec).toMatchObject({ selector: matchLabels, ports: [{ port: 22 }] });
  });

  test('its NetworkPolicy, as what is protected and as peer', () => {
    const chart = testChart();
    const target = new Target(chart, 'prod');
    const policy = new kplus.NetworkPolicy(chart, 'policy', { selector: target });
    policy.addIngressRule(target, [kplus.NetworkPolicyPort.tcp(5432)]);
    policy.addEgressRule(target);
    const peer = {
      podSelector: { matchLabels },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'prod' } },
    };
    const [{ metadata, spec }] = synthesized(chart, 'NetworkPolicy');
    expect(metadata.namespace).toBe('prod');
    expect(spec).toMatchObject({
      podSelector: { matchLabels },
      ingress: [{ from: [peer], ports: [{ port: 5432 }] }],
      egress: [{ to: [peer] }],
    });
  });

  test('its connections and affinity', () => {
    const chart = testChart();
    const target = new Target(chart);
    const client = new kplus.Deployment(chart, 'client', { containers: [{ image: 'client', portNumber: 80 }] });
    client.connections.allowTo(target);
    client.scheduling.separate(target);
    const policies = synthesized(chart, 'NetworkPolicy').map(({ spec }) => spec);
    expect(policies).toContainEqual(expect.objectContaining({ podSelector: { matchLabels } }));
    expect(policies).toContainEqual(
      expect.objectContaining({ egress: [expect.objectContaining({ to: [{ podSelector: { matchLabels } }] })] }),
    );
    const [{ spec }] = synthesized(chart, 'Deployment');
    expect(spec.template.spec.affinity.podAntiAffinity).toMatchObject({
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels } }],
    });
  });
});

test('no labels select every Pod, as a selector of cdk8s-plus would', () => {
  const { labelSelector } = selectionOf({});
  expect([labelSelector.isEmpty(), labelSelector._toKube()]).toEqual([true, {}]);
});
