import { Finding, root } from '../findings';
import type { VirtualMachineTemplate, VirtualMachineTemplateSpec } from '../generated/template-v1beta1';
import { processTemplate, referencedParameters } from '../template';
import type { KindAdmission } from './kind';
import { first, refusal } from './refusal';
import { shaped } from './shape';

const spec = root.at('spec');

export const templateAdmission: KindAdmission<VirtualMachineTemplate> = shaped<VirtualMachineTemplate>({
  create: (template) => templateRules(template.spec),
  update: (template) => templateRules(template.spec),
  warnings: ({ spec: template }) => {
    const used = referencedParameters(template);
    const unused = (template.parameters ?? []).flatMap(({ name }, i) =>
      used.has(name) ? [] : [`${spec.at('parameters', i, 'name')}: ${name} is defined but never referenced`],
    );
    const untried = valueless(template).map(
      (name) => `processing validation skipped: required parameter "${name}" has neither value nor generator`,
    );
    return [...unused, ...untried];
  },
});

/** Returns the parameters that get a value only when the template is used. */
function valueless({ parameters = [] }: VirtualMachineTemplateSpec): string[] {
  return parameters.filter(({ required, value, generate }) => required && !value && !generate).map(({ name }) => name);
}

function templateRules(template: VirtualMachineTemplateSpec): Finding[] {
  return first(
    () => {
      const defined = new Set((template.parameters ?? []).map(({ name }) => name));
      return [...referencedParameters(template)]
        .filter((name) => !defined.has(name))
        .map((name) =>
          refusal(
            'template-parameter',
            spec.at('virtualMachine'),
            `references undefined parameter ${name}`,
            'add the parameter to parameters',
            { value: name, allowed: [...defined] },
          ),
        );
    },
    // the first letter of each alphabet stands for all generated values
    () => (valueless(template).length > 0 ? [] : (processTemplate(template, () => 0).errors ?? [])),
  );
}
