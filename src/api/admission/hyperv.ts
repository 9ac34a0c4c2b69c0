import { hypervDependencies } from '../defaulting/features';
import { type Finding, named, text } from '../findings';
import { InstanceRule, mistake } from './rule';

/** Validates enlightenments that need another one, exclude each other, or need a CPU feature. VMIs only. */
export const hypervDependenciesHold: InstanceRule = (spec, at) => {
  const { features, cpu } = spec.domain;
  const hyperv = features?.hyperv;
  if (!hyperv) return [];
  const states = hyperv as Record<string, { enabled?: boolean } | undefined>;
  const path = at.at('domain', 'features', 'hyperv');
  // clients know these under a path that repeats itself
  const field = path.at('domain', 'features', 'hyperv');
  const errors: Finding[] = hypervDependencies.flatMap(([feature, needed]) => {
    if (!states[feature]?.enabled || states[needed]?.enabled) return [];
    const message = text`'${named(path.at(feature), `${field.at(feature)}`)}' requires '${named(path.at(needed), `${field.at(needed)}`)}', which was disabled.`;
    return mistake(
      'hyperv-dependency',
      path.at(feature),
      message,
      text`enable ${named(path.at(needed), 1)}, or disable ${named(path.at(feature), 1)}`,
      {
        field: `${field.at(feature)}`,
      },
    );
  });
  if (hyperv.evmcs && hyperv.evmcs.enabled !== false) {
    const listed = at.at('domain', 'cpu', 'features');
    if (!cpu?.features?.length) {
      const message = 'vmx cpu feature is required when evmcs is set';
      errors.push(
        ...mistake('hyperv-evmcs', listed, message, 'add {name: vmx, policy: require}', { type: 'FieldValueRequired' }),
      );
    }
    (cpu?.features ?? []).forEach(({ name, policy }, i) => {
      if (name !== 'vmx' || policy === 'require') return;
      const message = 'vmx cpu feature has to be set to require policy';
      errors.push(
        ...mistake('hyperv-evmcs', listed.at(i, 'policy'), message, 'write policy: require', { value: policy }),
      );
    });
  }
  if (features?.hypervPassthrough) {
    const message =
      'Cannot explicitly set hyperV features if HypervPassthrough is being used. Please use either HyperV or ' +
      'HypervPassthrough.';
    errors.push(...mistake('hyperv-passthrough', path, message, 'keep one'));
  }
  return errors;
};
