import { FieldError, Path } from '../field-error';
import type { NodePlacement } from '../generated/kubevirt-v1';
import { isLabelValue, isQualifiedName } from '../names';
import { refusal, when } from './refusal';

const operators = ['Exists', 'Equal', 'Lt', 'Gt'];
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Where Pods of ours may run: what the API server would refuse in each of them is told once, and here. */
export function placementRules(given: NodePlacement | undefined, at: Path): FieldError[] {
  const selector = Object.entries(given?.nodeSelector ?? {}).flatMap(([key, got]) =>
    when(
      !isQualifiedName(key) || !isLabelValue(got),
      refusal(
        'node-selector',
        at.at('nodeSelector', key),
        `"${key}=${got}" is no label`,
        'use a label that nodes have',
        {
          got,
          field: '',
        },
      ),
    ),
  );
  const tolerations = (given?.tolerations ?? []).flatMap((toleration, i) => {
    const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
    const path = at.at('tolerations', i);
    const no = (field: string, message: string, remedy: string, allowed?: readonly string[]): FieldError =>
      refusal('toleration', path.at(field), message, remedy, { allowed, field: '' });
    return [
      ...when(key !== '' && !isQualifiedName(key), no('key', `"${key}" is no label name`, 'use the key of a taint')),
      ...when(key === '' && operator !== 'Exists', no('operator', 'without a key it tolerates all', 'write Exists')),
      ...when(!operators.includes(operator), no('operator', `"${operator}" is no operator`, 'use one', operators)),
      ...when(operator === 'Exists' && value !== '', no('value', 'Exists takes no value', 'remove value')),
      ...when(effect !== '' && !effects.includes(effect), no('effect', `"${effect}" is no effect`, 'use one', effects)),
      ...when(
        toleration.tolerationSeconds !== undefined && effect !== 'NoExecute',
        no('effect', 'tolerationSeconds is for NoExecute alone', 'write NoExecute'),
      ),
    ];
  });
  return [...selector, ...tolerations];
}
