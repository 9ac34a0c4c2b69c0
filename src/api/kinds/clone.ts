import { Finding, Path, root } from '../findings';
import type { VirtualMachineClone, VirtualMachineCloneSpec } from '../generated/clone-v1beta1';
import type { KindAdmission } from './kind';
import { first, refusal, when } from './refusal';
import { shaped } from './shape';
import { snapshotGate } from './snapshot';
import { mistakesOf } from '../mistakes';

const spec = root.at('spec');
const VM = 'VirtualMachine';
const SNAPSHOT = 'VirtualMachineSnapshot';

export const cloneAdmission: KindAdmission<VirtualMachineClone> = shaped(
  {
    /** Names a target that has no name. */
    mutate(clone, { suffix = 'xxxxx' }) {
      const { source, target } = clone.spec;
      if (target?.name || !source) return clone;
      const name = `clone-${source.name}-${suffix}`;
      return {
        ...clone,
        spec: { ...clone.spec, target: { ...(target ?? { apiGroup: 'kubevirt.io', kind: VM }), name } },
      };
    },
    create: (clone, { config }) =>
      first(
        () => snapshotGate(config, 'snapshot feature gate is not enabled'),
        () => cloneRules(clone.spec),
      ),
    update: (clone) => cloneRules(clone.spec),
  },
  'lenient',
);

function cloneRules(clone: VirtualMachineCloneSpec): Finding[] {
  if (!clone.source) {
    const message = 'Source cannot be nil';
    return [
      refusal('clone-source', spec.at('source'), message, 'add a VM or a snapshot as source', { field: 'spec.Source' }),
    ];
  }
  return [
    ...filters(clone.annotationFilters, spec.at('annotationFilters'), 'spec.annotations'),
    ...filters(clone.labelFilters, spec.at('labelFilters'), 'spec.labels'),
    ...filters(
      clone.template?.annotationFilters,
      spec.at('template', 'annotationFilters'),
      'spec.template.annotations',
    ),
    ...filters(clone.template?.labelFilters, spec.at('template', 'labelFilters'), 'spec.template.labels'),
    ...kinds(clone),
    ...source(clone),
    ...targetDiffers(clone),
    ...macAddresses(clone),
    ...patches(clone),
  ];
}

/** Filters may have `!` only at the start, and `*` only at the end. */
function filters(list: readonly string[] = [], at: Path, field: string): Finding[] {
  return mistakesOf(list, (filter, i) => {
    const problems: string[] = [];
    if (filter === '!') problems.push('a negation character is not a valid filter');
    if (filter.includes('!', 1)) {
      const rule = 'NegationChar can be only used at the beginning of the filter';
      problems.push(misplaced(field, filter, 'negation', '!', rule));
    }
    if (filter.slice(0, -1).includes('*')) {
      const rule = 'WildcardChar can be only at the end of the filter';
      problems.push(misplaced(field, filter, 'wildcard', '*', rule));
    }
    return problems.map((message) =>
      refusal('clone-filter', at.at(i), message, 'write key*, or !key to leave it out', { value: filter, field }),
    );
  });
}

const misplaced = (field: string, filter: string, what: string, character: string, rule: string): string =>
  `${field} filter ${filter} is invalid: cannot contain a ${what} character (${character}); FilterRules: ${rule}`;

function kinds({ source: { kind }, target }: VirtualMachineCloneSpec): Finding[] {
  return [
    ...when(
      kind !== VM && kind !== SNAPSHOT,
      refusal(
        'clone-source-kind',
        spec.at('source', 'kind'),
        'Source kind is not supported',
        'clone a VM or a snapshot',
        {
          value: kind,
          allowed: [VM, SNAPSHOT],
          field: 'spec.Source.Kind',
        },
      ),
    ),
    ...when(
      target && target.kind !== VM,
      refusal('clone-target-kind', spec.at('target', 'kind'), 'Target kind is not supported', `write ${VM}`, {
        value: target?.kind,
        allowed: [VM],
        field: 'spec.Target.Kind',
      }),
    ),
  ];
}

function source({ source: { apiGroup, kind, name } }: VirtualMachineCloneSpec): Finding[] {
  const at = spec.at('source');
  return [
    ...when(
      !apiGroup,
      refusal(
        'clone-source-group',
        at.at('apiGroup'),
        "Source's APIGroup cannot be empty",
        'write kubevirt.io for a VM, snapshot.kubevirt.io for a snapshot',
        { field: 'spec.Source.APIGroup' },
      ),
    ),
    ...when(
      !kind,
      refusal('clone-source-kind', at.at('kind'), "Source's Kind cannot be empty", `write ${VM} or ${SNAPSHOT}`, {
        field: 'spec.Source',
      }),
    ),
    ...when(
      !name,
      refusal('clone-source-name', at.at('name'), "Source's name cannot be empty", 'write the name of the source', {
        field: 'spec.Source.Name',
      }),
    ),
  ];
}

function targetDiffers({ source: from, target: to }: VirtualMachineCloneSpec): Finding[] {
  return when(
    from.kind === VM && to?.kind === VM && to.name === from.name,
    refusal(
      'clone-target-name',
      spec.at('target', 'name'),
      'Target name cannot be equal to source name when both are VirtualMachines',
      'choose another name',
      { value: to?.name },
    ),
  );
}

/** Matches six bytes, as Go parses them. */
const mac = /^([\da-f]{2}(:[\da-f]{2}){5}|[\da-f]{2}(-[\da-f]{2}){5}|[\da-f]{4}(\.[\da-f]{4}){2})$/i;

function macAddresses({ newMacAddresses = {} }: VirtualMachineCloneSpec): Finding[] {
  return mistakesOf(Object.entries(newMacAddresses), ([name, got]) =>
    when(
      got !== '' && !mac.test(got),
      refusal(
        'clone-mac',
        spec.at('newMacAddresses', name),
        `interface ${name} has malformed MAC address (${got}).`,
        'write six bytes like 02:00:00:00:00:01',
        { value: got },
      ),
    ),
  );
}

function patches({ patches: list = [] }: VirtualMachineCloneSpec): Finding[] {
  return mistakesOf(list, (got, i) =>
    isJson(got)
      ? []
      : [
          refusal(
            'clone-patch',
            spec.at('patches', i),
            `patch is not valid JSON (${got})`,
            'write a JSON patch operation',
            { value: got },
          ),
        ],
  );
}

/** Whether the text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
