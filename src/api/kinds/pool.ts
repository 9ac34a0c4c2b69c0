import { dataVolumeTemplates } from '../admission/data-volumes';
import { graceAnnotations } from '../admission/grace';
import { featuresOfNamedGates, validateInstanceSpec } from '../admission/instance';
import { validateInstanceMetadata } from '../admission/metadata';
import { liveUpdate, runStrategy } from '../admission/virtual-machine';
import { canonicalForm } from '../defaulting/canonical';
import { Finding, Path, root } from '../findings';
import type { VirtualMachineInstanceSpec, VirtualMachineSpec } from '../generated/kubevirt-v1';
import type { VirtualMachinePool, VirtualMachinePoolSpec } from '../generated/pool-v1beta1';
import type { ObjectMeta } from '../meta';
import type { AdmissionContext, KindAdmission } from './kind';
import { selectsTemplate } from './label-selector';
import { refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const spec = root.at('spec');

/** Rules of pools. The template of a pool follows the rules of VMs. */
export const poolAdmission: KindAdmission<VirtualMachinePool> = shaped(
  {
    create: (pool, context) => [...poolRules(pool.spec, context), ...namedGates(pool.spec, context)],
    update: (pool, old, context) => [
      ...poolRules(pool.spec, context),
      ...when(
        !semanticDeepEqual(pool.spec.selector, old.spec?.selector),
        refusal(
          'selector-immutable',
          spec.at('selector'),
          'selector is immutable after creation.',
          'create another pool instead',
        ),
      ),
    ],
  },
  'lenient',
);

function poolRules(pool: VirtualMachinePoolSpec, context: AdmissionContext): Finding[] {
  const { virtualMachineTemplate: template, selector, updateStrategy, scaleInStrategy } = pool;
  if (!template) return [noTemplate(spec.at('virtualMachineTemplate'), 'spec.template')];
  return [
    ...machineRules(template.spec, spec.at('virtualMachineTemplate', 'spec'), context),
    ...selectsTemplate(selector, template.metadata?.labels, spec.at('selector')),
    ...maxUnavailable(pool.maxUnavailable, spec.at('maxUnavailable')),
    ...oneStrategy(updateStrategy, spec.at('updateStrategy')),
    ...oneStrategy(scaleInStrategy, spec.at('scaleInStrategy')),
  ];
}

const noTemplate = (at: Path, field: string): Finding =>
  refusal('template', at, 'missing virtual machine template.', 'add a template', { type: 'FieldValueRequired', field });

function machineRules(vm: VirtualMachineSpec | undefined, at: Path, { config, by }: AdmissionContext): Finding[] {
  const place = at.at('template');
  if (!vm?.template) return [noTemplate(place, `${place}`)];
  const metadata = (vm.template.metadata ?? {}) as ObjectMeta;
  const instance = canonicalForm(withDomain(vm.template.spec));
  return [
    ...validateInstanceMetadata(metadata, place.at('metadata'), config, by.trusted),
    ...graceAnnotations(metadata.annotations ?? {}, place.at('metadata'), instance, config),
    ...validateInstanceSpec(instance, place.at('spec'), config),
    ...dataVolumeTemplates(vm, instance, at),
    ...runStrategy(vm, at, config),
    ...liveUpdate(instance, place.at('spec'), config),
  ];
}

/** Fills missing required fields with empty values. */
function withDomain(given: Partial<VirtualMachineInstanceSpec> | undefined): VirtualMachineInstanceSpec {
  const domain = given?.domain;
  return { ...given, domain: { ...domain, devices: domain?.devices ?? {} } };
}

function namedGates({ virtualMachineTemplate }: VirtualMachinePoolSpec, { config }: AdmissionContext): Finding[] {
  const instance = virtualMachineTemplate?.spec?.template?.spec;
  const at = spec.at('virtualMachineTemplate', 'spec', 'template', 'spec');
  return instance ? featuresOfNamedGates(canonicalForm(withDomain(instance)), at, config) : [];
}

/** Validates the VMs that may be unavailable while the pool changes: a number or a percentage. */
function maxUnavailable(got: number | string | undefined, at: Path): Finding[] {
  if (got === undefined) return [];
  const no = (message: string): Finding[] => [
    refusal('max-unavailable', at, message, 'write a number above 0, or a percentage from "1%" to "100%"', {
      value: got,
    }),
  ];
  if (typeof got === 'number') return got > 0 ? [] : no('maxUnavailable must be greater than 0');
  if (!got.endsWith('%')) return no('maxUnavailable percentage must end with %');
  const text = got.slice(0, -1);
  if (!/^[+-]?\d+$/.test(text)) return no(`maxUnavailable percentage value ${JSON.stringify(text)} is invalid`);
  const share = Number(text);
  return share > 0 && share <= 100 ? [] : no(`maxUnavailable percentage value ${share} must be between 1 and 100`);
}

function oneStrategy(strategies: object | undefined, at: Path): Finding[] {
  const configured = Object.keys(strategies ?? {}).filter((name) =>
    ['unmanaged', 'opportunistic', 'proactive'].includes(name),
  );
  return when(
    configured.length > 1,
    refusal(
      'one-strategy',
      at,
      `only one strategy can be configured at a time: but found ${configured.join(', ')} strategies`,
      'keep one',
      { value: configured },
    ),
  );
}
