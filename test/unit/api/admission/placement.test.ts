import { configured, gated, Loose, refused } from '../fixtures';

type Case = [string, (spec: Loose) => void, string[]];

const soon = 'IgnoredDuringExecution';

describe('names and lifecycle', () => {
  test.each<Case>([
    ['a host name', (s) => (s.hostname = 'Web_1'), ['Invalid spec.hostname']],
    ['a subdomain', (s) => (s.subdomain = 'a..b'), ['Invalid spec.subdomain']],
    ['a ServiceAccount that is not valid', (s) => (s.serviceAccountName = 'X_'), ['Invalid spec.serviceAccountName']],
    [
      'another ServiceAccount than the volume',
      (s) => {
        s.serviceAccountName = 'a';
        s.volumes.push({ name: 'sa', serviceAccount: { serviceAccountName: 'b' } });
      },
      ['Invalid spec.serviceAccountName'],
    ],
    ['an unknown start', (s) => (s.startStrategy = 'Later'), ['Invalid spec.startStrategy']],
    [
      'paused with a liveness probe',
      (s) => Object.assign(s, { startStrategy: 'Paused', livenessProbe: { tcpSocket: { port: 22 } } }),
      ['Invalid spec.startStrategy'],
    ],
    [
      'a negative grace period',
      (s) => (s.terminationGracePeriodSeconds = -5),
      ['Invalid spec.terminationGracePeriodSeconds'],
    ],
    ['an unknown eviction', (s) => (s.evictionStrategy = 'Never'), ['Invalid spec.evictionStrategy']],
    ['a probe that asks nothing', (s) => (s.readinessProbe = {}), ['Required spec.readinessProbe']],
    [
      'a probe that asks two things',
      (s) => (s.readinessProbe = { guestAgentPing: {}, exec: { command: ['x'] } }),
      ['Invalid spec.readinessProbe'],
    ],
    [
      'a network probe without a Pod network',
      (s) => {
        s.livenessProbe = { httpGet: { port: 80 } };
        s.networks = [{ name: 'default', multus: { networkName: 'x' } }];
        s.domain.devices.interfaces = [{ name: 'default', bridge: {} }];
      },
      ['Invalid spec.livenessProbe.httpGet'],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('DNS', () => {
  const dns = (dnsConfig: Loose, dnsPolicy?: string) => (s: Loose) => Object.assign(s, { dnsConfig, dnsPolicy });
  test.each<Case>([
    ['an unknown policy', dns(undefined, 'Cluster'), [' ']],
    ['None without a configuration', dns(undefined, 'None'), ['Required spec.dnsConfig']],
    ['None without servers', dns({}, 'None'), ['Required nameservers']],
    ['a server by name', dns({ nameservers: ['dns'] }), ['Invalid nameservers']],
    ['four servers', dns({ nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '::1'] }), ['Invalid nameservers']],
    ['a search path that is not valid', dns({ searches: ['a_b'] }), ['Invalid searchDomains']],
    ['seven search paths', dns({ searches: Array(7).fill('a') }), ['Invalid searchDomains']],
    ['an option of no name', dns({ options: [{ value: 'x' }] }), ['Invalid options']],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('affinity', () => {
  const node = (term: Loose) => (s: Loose) =>
    (s.affinity = { nodeAffinity: { [`requiredDuringScheduling${soon}`]: { nodeSelectorTerms: term ? [term] : [] } } });
  const n = `spec.nodeAffinity.requiredDuringScheduling${soon}.nodeSelectorTerms`;
  const expression = (of: Loose) => node({ matchExpressions: [of] });
  const pods = (term: Loose) => (s: Loose) =>
    (s.affinity = { podAntiAffinity: { [`requiredDuringScheduling${soon}`]: [term] } });
  const p = `spec.podAntiAffinity.requiredDuringScheduling${soon}[0]`;
  test.each<Case>([
    ['nodes with a label', expression({ key: 'a', operator: 'Exists' }), []],
    ['no terms', node(undefined), [`Invalid ${n}`]],
    ['an unknown operator', expression({ key: 'a', operator: 'Like' }), [' ']],
    ['In without values', expression({ key: 'a', operator: 'In' }), [`Invalid ${n}[0].matchExpressions[0].values`]],
    [
      'Exists with values',
      expression({ key: 'a', operator: 'Exists', values: ['b'] }),
      [`Invalid ${n}[0].matchExpressions[0].values`],
    ],
    [
      'Gt of two numbers',
      expression({ key: 'a', operator: 'Gt', values: ['1', '2'] }),
      [`Invalid ${n}[0].matchExpressions[0].values`],
    ],
    [
      'a key that is not valid',
      expression({ key: 'a b', operator: 'Exists' }),
      [`Invalid ${n}[0].matchExpressions[0].key`],
    ],
    [
      'a node by another field',
      node({ matchFields: [{ key: 'spec.x', operator: 'In', values: ['a'] }] }),
      [`Invalid ${n}[0].matchFields[0].key`],
    ],
    [
      'a weight of zero',
      (s) =>
        (s.affinity = {
          nodeAffinity: { [`preferredDuringScheduling${soon}`]: [{ weight: 0, preference: {} }] },
        }),
      [`Invalid spec.nodeAffinity.preferredDuringScheduling${soon}[0].weight`],
    ],
    ['Pods without a topology', pods({}), [`Invalid ${p}.topologyKey`]],
    [
      'Pods of a namespace that is not valid',
      pods({ topologyKey: 'a', namespaces: ['A_'] }),
      [`Invalid ${p}.namespace`],
    ],
    [
      'Pods with a label that is not valid',
      pods({ topologyKey: 'a', labelSelector: { matchLabels: { a: 'b c' } } }),
      [`Invalid ${p}.labelSelector.matchLabels`],
    ],
    [
      'Pods by a value that is not valid',
      pods({ topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } }),
      [`Invalid ${p}.labelSelector.matchExpressions[0].values[0]`],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('topology spread', () => {
  const sound = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  const spread =
    (...list: Loose[]) =>
    (s: Loose) =>
      (s.topologySpreadConstraints = list);
  const t = 'spec.topologySpreadConstraints';
  test.each<Case>([
    ['a sound one', spread(sound), []],
    ['no skew', spread({ ...sound, maxSkew: 0 }), [`Invalid ${t}[0].maxSkew`]],
    ['no topology', spread({ ...sound, topologyKey: '' }), [`Invalid ${t}[0].topologyKey`]],
    ['no action', spread({ ...sound, whenUnsatisfiable: undefined }), [' ']],
    ['one twice', spread(sound, sound), [`Invalid ${t}[0].{topologyKey, whenUnsatisfiable}`]],
    [
      'a selector that is not valid',
      spread({ ...sound, labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }),
      [`Invalid ${t}.labelSelector.matchExpressions[0].operator`],
    ],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('access credentials', () => {
  const c = 'spec.accessCredentials[0]';
  const credential = (of: Loose) => (s: Loose) => (s.accessCredentials = [of]);
  const source = { secret: { secretName: 'x' } };
  const keys = (propagationMethod: Loose) => credential({ sshPublicKey: { source, propagationMethod } });
  test.each<Case>([
    ['keys by cloud-init', keys({ noCloud: {} }), []],
    ['keys by a disk that is not there', keys({ configDrive: {} }), [`Invalid ${c}.sshPublicKey.propagationMethod`]],
    [
      'keys of nobody',
      keys({ qemuGuestAgent: { users: [] } }),
      [`Invalid ${c}.sshPublicKey.propagationMethod.qemuGuestAgent.users`],
    ],
    ['keys in no way', keys({}), [`Invalid ${c}.sshPublicKey.propagationMethod`]],
    [
      'a password from nowhere',
      credential({ userPassword: { source: {}, propagationMethod: { qemuGuestAgent: {} } } }),
      [`Invalid ${c}.userPassword.source`],
    ],
    [
      'a password in no way',
      credential({ userPassword: { source, propagationMethod: {} } }),
      [`Invalid ${c}.userPassword.propagationMethod`],
    ],
    ['nothing', credential({}), [`Invalid ${c}`]],
  ])('%s', (_, change, want) => expect(refused(change)).toEqual(want));
});

describe('metadata', () => {
  test.each<[string, Loose, string[]]>([
    ['a reserved label', { labels: { 'kubevirt.io/nodeName': 'x' } }, ['NotSupported metadata.labels']],
    ['a label that is not valid', { labels: { app: 'a b' } }, ['Invalid metadata.labels.app']],
    [
      'a sidecar behind its gate',
      { annotations: { 'hooks.kubevirt.io/hookSidecars': '[]' } },
      ['Invalid metadata.annotations'],
    ],
    [
      'Ignition behind its gate',
      { annotations: { 'kubevirt.io/ignitiondata': '{}' } },
      ['Invalid metadata.annotations'],
    ],
    ['a name that is not valid', { name: 'Web_1' }, ['Invalid metadata.name']],
    ['a long name', { name: 'a'.repeat(70) }, []],
  ])('%s', (_, metadata, want) => expect(refused((_s, vmi) => Object.assign(vmi.metadata, metadata))).toEqual(want));

  test('gates that are on', () => {
    const annotations = { 'hooks.kubevirt.io/hookSidecars': '[]', 'kubevirt.io/ignitiondata': '{}' };
    const change = (_s: Loose, vmi: Loose) => (vmi.metadata.annotations = annotations);
    expect(refused(change, gated('Sidecar', 'ExperimentalIgnitionSupport'))).toEqual([]);
  });

  test('an invalid eviction strategy of the cluster is reported for each guest', () => {
    const config = configured({ evictionStrategy: 'Never' as 'None' });
    expect(refused(() => {}, config)).toEqual(['Invalid spec.evictionStrategy']);
  });
});
