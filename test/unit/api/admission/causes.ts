import { join } from 'node:path';
import { clusterConfig, type Finding } from '../../../../src/api';
import { featureGates } from '../../../../src/api/feature-gates';
import { expectGolden } from '../../../support/golden';
import { configured, gated } from '../fixtures';

const permitted = (pciVendorSelector: string, ...gates: string[]) =>
  configured({
    developerConfiguration: { featureGates: gates, disabledFeatureGates: gates.length > 0 ? [] : [...featureGates] },
    permittedHostDevices: {
      pciHostDevices: [
        { pciVendorSelector, resourceName: 'nvidia.com/GB' },
        { pciVendorSelector: '10de:1eb8', resourceName: 'nvidia.com/T4' },
      ],
    },
  });

/** The configurations of the rows. */
export const configs = {
  default: clusterConfig(),
  gated: gated(...featureGates),
  staged: configured({ vmRolloutStrategy: 'Stage', developerConfiguration: { featureGates: [...featureGates] } }),
  slirp: configured({ network: { permitSlirpInterface: true } }),
  noBridge: configured({ network: { permitBridgeInterfaceOnPodNetwork: false } }),
  noGates: configured({ developerConfiguration: { disabledFeatureGates: [...featureGates] } }),
  noEviction: configured({ evictionStrategy: 'Never' as never }),
  bound: configured({ network: { binding: { known: {} } } }),
  arm64: configured({ architectureConfiguration: { defaultArchitecture: 'arm64' } } as never),
  oldBindings: gated('Passt', 'Macvtap'),
  grace: permitted('0x10DE:2342', 'HostDevices', ...featureGates),
  graceAlone: permitted('10de:2348', 'HostDevices', 'GraceIOVirtualization'),
  graceAny: permitted('10de : *', 'HostDevices', 'GraceIOVirtualization'),
  graceOther: permitted('8086:2342', 'HostDevices', 'GraceIOVirtualization'),
  graceOff: permitted('10de:2941'),
  graceBroken: permitted('10de:2342:1', 'HostDevices', 'GraceIOVirtualization'),
};
export type ConfigName = keyof typeof configs;

/** Change of a valid object, as a sentence, with the findings of admission. */
export type Case = readonly [sentence: string, errors: readonly Finding[], warnings?: readonly string[]];

const short = (text: string): string => text.replace(/(.)\1{15,}/g, '$1*');

/** All that a client, a log, or an author of code may be shown of one mistake. */
function lines({ rule, type, field, path, cause: message, remedy, value: got, allowed }: Finding): string[] {
  const known = type === 'FieldValueInvalid' ? '' : ` ${type}`;
  return [
    `  ${path}  ${rule}${known}${field === undefined ? '' : ` field=${field}`}`,
    `    ${short(message)}`,
    short(
      `    -> ${remedy}${got === undefined ? '' : `; got ${JSON.stringify(got)}`}` +
        (allowed ? `; allowed ${JSON.stringify(allowed)}` : ''),
    ),
  ];
}

/** Compares all findings in full with the reviewed file. */
export function expectCauses(name: string, findings: readonly Case[], folder = join(__dirname, 'causes')): void {
  const text = findings.flatMap(([sentence, errors, warnings = []]) => [
    `${sentence}${errors.length + warnings.length === 0 ? ': passes' : ''}`,
    ...errors.flatMap(lines),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]);
  expectGolden(join(folder, `${name}.txt`), `${text.join('\n')}\n`);
}
