import { defaultPodSpec } from '../../../../../src/local/api-server/kinds/pod-defaults';
import { validatePodSpec } from '../../../../../src/local/api-server/kinds/pod-validation';
import { Fields } from '../../../../../src/local/api-server/validation/fields';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests break specs in ways that types forbid
type Spec = any;

/** Fields that are reported for a valid Pod after this change, with its defaults. */
function reported(change: (spec: Spec) => void): string[] {
  const spec: Spec = { containers: [{ name: 'main', image: 'a' }] };
  change(spec);
  defaultPodSpec(spec);
  const fields = Fields.root('spec');
  validatePodSpec(spec, fields);
  return fields.causes.map(({ reason, field }) => `${reason!.replace('FieldValue', '')} ${field}`);
}

const init = (more: object) => (spec: Spec) => (spec.initContainers = [{ name: 'first', image: 'a', ...more }]);
const probe = { tcpSocket: { port: 80 } };

test.each<[string, (spec: Spec) => void, string[]]>([
  ['the valid Pod', () => undefined, []],
  ['no container', (s) => (s.containers = []), ['Required spec.containers']],
  ['a container without a name', (s) => delete s.containers[0].name, ['Required spec.containers[0].name']],
  ['a name twice', (s) => s.containers.push(s.containers[0]), ['Duplicate spec.containers[1].name']],
  ['a name that is not a label', (s) => (s.containers[0].name = 'A.b'), ['Invalid spec.containers[0].name']],
  ['an init container', init({}), []],
  ['a restart policy of a container', (s) => (s.containers[0].restartPolicy = 'Never'), []],
  [
    'an unknown restart policy of a container',
    (s) => (s.containers[0].restartPolicy = 'Sometimes'),
    ['NotSupported spec.containers[0].restartPolicy'],
  ],
  ['a probe of a sidecar', init({ restartPolicy: 'Always', readinessProbe: probe }), []],
  [
    'a probe of an init container',
    init({ readinessProbe: probe }),
    ['Forbidden spec.initContainers[0].readinessProbe'],
  ],
  [
    'lifecycle hooks of an init container',
    init({ lifecycle: { preStop: { exec: { command: ['a'] } } } }),
    ['Forbidden spec.initContainers[0].lifecycle'],
  ],
  ['an unknown DNS policy', (s) => (s.dnsPolicy = 'Other'), ['NotSupported spec.dnsPolicy']],
  ['no DNS and no server', (s) => (s.dnsPolicy = 'None'), ['Required spec.dnsConfig']],
  ['no DNS but a server', (s) => Object.assign(s, { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } }), []],
  ['no time', (s) => (s.activeDeadlineSeconds = 0), ['Invalid spec.activeDeadlineSeconds']],
  ['one second', (s) => (s.activeDeadlineSeconds = 1), []],
  ['the longest time', (s) => (s.activeDeadlineSeconds = 2147483647), []],
  ['a second more', (s) => (s.activeDeadlineSeconds = 2147483648), ['Invalid spec.activeDeadlineSeconds']],
  ['a host name with a dot', (s) => (s.hostname = 'a.b'), ['Invalid spec.hostname']],
  ['a subdomain with a dot', (s) => (s.subdomain = 'a.b'), ['Invalid spec.subdomain']],
  ['a node selector that is no label', (s) => (s.nodeSelector = { '-': 'a' }), ['Invalid spec.nodeSelector']],
])('%s', (_, change, want) => expect(reported(change)).toEqual(want));
