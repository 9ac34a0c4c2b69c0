/** Virtual machines and their instances. Pure. */
import { type Expression, object, value } from '../expression';
import { guestOf, type Template } from './guest';
import type { Mapping, Surroundings } from './kind';
import { choice, fieldsOf, text } from './values';

export const virtualMachine: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const { runStrategy, instancetype, preference, updateVolumesStrategy, dataVolumeTemplates, template } = fields;
  const guest = guestOf(fieldsOf(template) as Template, dataVolumeTemplates, around);
  return {
    construct: 'VirtualMachine',
    props: {
      runStrategy: runStrategy === 'Always' ? undefined : choice(around, 'RunStrategy', runStrategy),
      instancetype: sizing(instancetype, around),
      inferInstancetype: inferred(instancetype),
      preference: sizing(preference, around),
      inferPreference: inferred(preference),
      updateVolumesStrategy: choice(around, 'UpdateVolumesStrategy', updateVolumesStrategy),
      ...guest,
    },
    rest: { property: 'instanceSpec', path: ['spec', 'template', 'spec'] },
  };
};

export const virtualMachineInstance: Mapping = ({ spec }, around) => {
  const { instanceMetadata: _, ...props } = guestOf({ spec }, undefined, around);
  return { construct: 'VirtualMachineInstance', props, rest: { property: 'instanceSpec', path: ['spec'] } };
};

function sizing(given: unknown, around: Surroundings): Expression | undefined {
  const { name, kind } = fieldsOf(given);
  if (typeof name !== 'string') return undefined;
  if (typeof kind !== 'string') return object({ name: value(name) });
  const isCluster = kind.includes('Cluster');
  const reference = around.reference(kind, name, isCluster ? '' : undefined);
  return reference.type === 'variable' ? reference : object({ name: value(name) });
}

function inferred(given: unknown): Expression | undefined {
  const { inferFromVolume, inferFromVolumeFailurePolicy } = fieldsOf(given);
  if (typeof inferFromVolume !== 'string') return undefined;
  return object({
    volume: text(inferFromVolume),
    optional: inferFromVolumeFailurePolicy === 'Ignore' ? value(true) : undefined,
  });
}
