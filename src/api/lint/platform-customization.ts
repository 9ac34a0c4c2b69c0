/** Changes to the objects of the platform that the webhook accepts, and that virt-operator cannot make. */
import { mistake, nearest } from '../admission/rule';
import { type Finding, root } from '../findings';
import type { CustomizeComponents, KubeVirt } from '../generated/kubevirt-v1';
import { patchableKinds } from '../install/kinds';

const at = root.at('spec', 'customizeComponents');

/** Returns the mistakes in `spec.customizeComponents`. */
export function customizationRules({ spec }: KubeVirt): Finding[] {
  const given = spec?.customizeComponents;
  return given ? [...targets(given), ...flags(given)] : [];
}

/** virt-operator ignores the case of a kind, as KubeVirt's does. */
function targets({ patches = [] }: CustomizeComponents): Finding[] {
  return patches.flatMap(({ resourceType: got }, i) => {
    if (patchableKinds.some((kind) => kind.toLowerCase() === got.toLowerCase())) return [];
    const cause = `the platform installs no object of kind ${JSON.stringify(got)}`;
    return mistake('component-target', at.at('patches', i, 'resourceType'), cause, nearest(got, patchableKinds), {
      value: got,
      allowed: patchableKinds,
    });
  });
}

/** The name of a flag is written after two dashes. */
function flags({ flags: given = {} }: CustomizeComponents): Finding[] {
  return (['api', 'controller', 'handler'] as const).flatMap((program) =>
    Object.keys(given[program] ?? {}).flatMap((name) => {
      if (/^[a-z0-9][a-z0-9-]*$/i.test(name)) return [];
      const cause = `${JSON.stringify(name)} is not the name of a flag`;
      const remedy = 'write the name without dashes and without a value';
      return mistake('component-flag', at.at('flags', program), cause, remedy, { value: name });
    }),
  );
}
