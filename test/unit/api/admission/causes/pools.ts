import type { Loose } from '../../fixtures';
import {
  both,
  bound,
  claim,
  device,
  domain,
  fs,
  key,
  nodes,
  pinned,
  pods,
  ranges,
  type Row,
  spec,
  term,
} from './changes';

const bare = both(
  device({ disks: undefined, interfaces: undefined }),
  spec({ volumes: undefined, networks: undefined }),
);
const templates =
  (...list: Loose[]) =>
  (_: Loose, vm: Loose) =>
    Object.assign(vm.spec, { dataVolumeTemplates: list });
const amounts = (resources: Loose, more: Loose = {}) => pinned({}, { memory: undefined, resources, ...more });

/** Changes of the guest of a pool, which gets no defaults before it is validated. */
export const pools: readonly Row[] = [
  ['the valid guest', () => undefined],
  ['a guest of nothing', bare],
  // CPUs
  ['pinned CPUs of no count', pinned({})],
  ['pinned CPUs without memory', pinned({ cores: 2 }, { memory: undefined })],
  ['pinned CPUs and a request of memory', amounts({ requests: { memory: '1Gi', cpu: '2' } })],
  ['pinned CPUs and a limit of memory', amounts({ limits: { memory: '1Gi', cpu: '2' } })],
  ['pinned CPUs of a request and its limit', amounts({ requests: { memory: '1Gi', cpu: '2' }, limits: { cpu: '2' } })],
  ['pinned CPUs and pages', pinned({ cores: 2 }, { memory: { hugepages: { pageSize: '2Mi' } } })],
  ['pinned CPUs and limits of nothing', pinned({ cores: 2 }, { resources: { limits: { memory: '0', cpu: '0' } } })],
  [
    'pinned CPUs and a request beside a limit of nothing',
    amounts({ requests: { memory: '1Gi', cpu: '2' }, limits: { memory: '0' } }),
  ],
  ['threads of pinned CPUs that are not named', pinned({ cores: 2 })],
  // memory
  [
    'pages of which the limit has one and a half',
    domain({ memory: { hugepages: { pageSize: '2Mi' } }, resources: { limits: { memory: '3Mi' } } }),
  ],
  [
    'a negative limit where no guest is named',
    domain({ memory: undefined, resources: { limits: { memory: '-1' } } }),
    'staged',
  ],
  // lists that are not there
  ['a kernel table of no volume', both(bare, domain({ firmware: { acpi: { slicNameRef: 'a' } } }))],
  ['a ServiceAccount without volumes', both(bare, spec({ serviceAccountName: 'a' }))],
  ['a shared folder without volumes', both(bare, fs('a')), 'noGates'],
  ['a volume that no disk names', (s) => (s.domain.devices.disks = [])],
  ['arm64 without disks', both(bare, spec({ architecture: 'arm64' }))],
  [
    'SEV without interfaces',
    both(
      bare,
      spec({ architecture: 'amd64' }),
      domain({ launchSecurity: { sev: {} }, firmware: { bootloader: { efi: { secureBoot: false } } } }),
    ),
  ],
  ['SEV of no architecture', domain({ launchSecurity: { sev: {} } })],
  ['a display of no kind', both(spec({ architecture: 'amd64' }), device({ video: {} }))],
  ['a key of no method', key(undefined)],
  // words
  ['a policy of no kind', spec({ dnsPolicy: 'Some' })],
  [
    'a spread of no kind',
    spec({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'Some' }] }),
  ],
  ['a spread of nothing', spec({ topologySpreadConstraints: [{}] })],
  ['node terms without operators', nodes({ matchExpressions: [{ key: 'a' }, {}], matchFields: [{}] })],
  ['a node term of an unknown operator', nodes(term({ operator: 'Like' }))],
  [
    'Pods selected without operators',
    pods('podAffinity', { topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a' }, {}] } }),
  ],
  [
    'a preference of nothing',
    spec({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } }),
  ],
  [
    'a preferred Pod of nothing',
    spec({ affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } }),
  ],
  // networks
  [
    'a network of a claim beside that of Pods',
    both(
      bound({ sriov: {} }, { resourceClaim: { claimName: 'c', requestName: 'r' } }),
      spec({ resourceClaims: [claim('c')] }),
      (s) => s.networks.push({ name: 'pod', pod: {} }),
    ),
  ],
  [
    'a network of a claim without an interface',
    both(
      bare,
      spec({
        resourceClaims: [claim('c')],
        networks: [{ name: 'a', resourceClaim: { claimName: 'c', requestName: 'r' } }],
      }),
    ),
  ],
  ['ranges of no protocol', ranges([1, 2, ''], [2, 3, ''])],
  ['ranges that overlap', ranges([1, 5], [5, 6], [1, 5, 'UDP'], [4, 6, 'UDP'])],
  ['ranges of which one is from zero', ranges([0, 5], [3, 4])],
  // disks
  ['a template of null', templates(null)],
  ['a template of nothing', templates({})],
  ['a template without a spec', templates({ metadata: { name: 'a' } })],
];
