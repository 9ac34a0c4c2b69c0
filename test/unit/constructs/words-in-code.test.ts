/** The webhook's mistakes, as a construct reports them: by the names of its properties. */
import {
  type Finding,
  mutateVirtualMachine,
  mutateVirtualMachineInstance,
  Path,
  validateVirtualMachineCreate,
  validateVirtualMachineInstanceCreate,
} from '../../../src/api';
import { named, ofKubeVirt, text, wordsOf } from '../../../src/api/findings';
import { propertyOf } from '../../../src/constructs/compute/property-of';
import { propertyOfVm } from '../../../src/constructs/compute/render-vm';
import { wordsInCode } from '../../../src/constructs/remedies';
import { configs } from '../api/admission/causes';
import type { Row } from '../api/admission/causes/changes';
import { compute } from '../api/admission/causes/compute';
import { devices } from '../api/admission/causes/devices';
import { grace } from '../api/admission/causes/grace';
import { machines } from '../api/admission/causes/machines';
import { networks } from '../api/admission/causes/networks';
import { placement } from '../api/admission/causes/placement';
import { storage } from '../api/admission/causes/storage';
import { type Loose, validVm, validVmi } from '../api/fixtures';
import { manifestWords } from './manifest-words';

const items = (list: string): string[] => Array.from({ length: 20 }, (_, i) => `${list}[${i}]`);
const [disks, filesystems] = [items('disks'), items('disks')];
const origins = { disks, volumes: disks, filesystems, templates: disks };

const locate = (field: string): string | undefined => {
  const prefix = field.startsWith('spec.template.spec.') ? 'spec.template.spec' : 'spec';
  return propertyOf(field, { prefix, origins, credentials: 9, passwords: 0 }) ?? propertyOfVm(field, 'spec', disks);
};

function ofInstance([, change, name = 'gated']: Row): Finding[] {
  const vmi: Loose = validVmi();
  change(vmi.spec, vmi);
  return validateVirtualMachineInstanceCreate(mutateVirtualMachineInstance(vmi, configs[name]), configs[name]);
}

function ofMachine([, change, name = 'gated']: Row): Finding[] {
  const vm: Loose = validVm();
  change(vm.spec, vm);
  return validateVirtualMachineCreate(mutateVirtualMachine(vm, configs[name]), configs[name]);
}

/** Rules that only a manifest can break: the types and factories of the constructs exclude these mistakes. */
const OF_MANIFESTS = new Set([
  'claim-request',
  'claim-request-unique',
  'cloud-init-base64',
  'credential-method',
  'credential-one',
  'credential-source',
  'data-volume-name',
  'data-volume-used',
  'device-source',
  'gate-discontinued',
  'probe-one',
  'resource-claim',
  'resource-claim-named',
  'scheduling',
  'volume-attached',
]);
/** Words for things, as well as names of fields. */
const TERMS = /\b(hostDisk|noCloud|configDrive|propagationMethod|pciVendorSelector|ramFB|resourceClaim|nodeName)\b/g;

test('a construct reports mistakes of admission without fields that only the manifest has', () => {
  const instances = [...compute, ...devices, ...grace, ...networks, ...placement, ...storage].flatMap(ofInstance);
  const findings = [...instances, ...machines.flatMap(ofMachine)].filter(({ rule }) => !OF_MANIFESTS.has(rule));
  const properties = findings.filter(({ path }) => locate(`${path}`) !== undefined);
  expect(properties.length).toBeGreaterThan(300);
  const words = properties.flatMap((finding) => {
    const { cause, remedy } = wordsInCode(finding, locate);
    const rest = `${cause}\n${remedy}`.replaceAll(locate(`${finding.path}`)!, '').replace(TERMS, '');
    return manifestWords(rest).map((word) => `${finding.rule}: ${word}: ${cause}; ${remedy}`);
  });
  expect(words).toEqual([]);
});

const guest = Path.of('spec', 'domain');
const reported = (path: Path, cause: Finding['cause'] | ReturnType<typeof text>, remedy = text`remove it`): string => {
  const words = wordsInCode({ rule: 'disk-bus', path, ...wordsOf(cause, remedy) }, locate);
  return `${words.cause}; ${words.remedy}`;
};

test.each([
  [
    'a field by its whole path',
    () => reported(guest.at('cpu', 'cores'), text`conflicts with ${guest.at('resources', 'limits')}.cpu`),
    'conflicts with limits.cpu; remove it',
  ],
  [
    'a field by a short name',
    () => reported(guest, 'x', text`set ${named(guest.at('cpu', 'dedicatedCpuPlacement'), 2)}: true`),
    'x; set cpu.dedicated: true',
  ],
  [
    'a field of the KubeVirt object',
    () => reported(guest, 'x', text`set ${ofKubeVirt('network', 'permitBridgeInterfaceOnPodNetwork')}`),
    'x; set configuration.bridgeOnPodNetwork',
  ],
  [
    'a field that contains the one at fault',
    () => reported(guest.at('devices', 'disks', 1, 'serial'), 'spec.domain.devices.disks[1] must have one'),
    'disks[1] must have one; remove it',
  ],
  [
    'no property in a longer path',
    () => reported(guest.at('devices', 'disks', 1), 'as spec.domain.devices.disks[2].name has'),
    'as spec.domain.devices.disks[2].name has; remove it',
  ],
])('names %s', (_, words, want) => expect(words()).toBe(want));
