import { Finding, Path } from '../findings';
import type { NodePlacement } from '../generated/kubevirt-v1';
import { isLabelValue, isQualifiedName } from '../names';
import { refusal, when } from './refusal';
import { mistakesOf } from '../mistakes';

const operators = ['Exists', 'Equal', 'Lt', 'Gt'];
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validates the placement of the platform's Pods, so that the API server does not reject each of them. */
export function placementRules(given: NodePlacement | undefined, at: Path): Finding[] {
  const selector = mistakesOf(Object.entries(given?.nodeSelector ?? {}), ([key, got]) =>
    when(
      !isQualifiedName(key) || !isLabelValue(got),
      refusal(
        'node-selector',
        at.at('nodeSelector', key),
        `"${key}=${got}" is not a valid label`,
        'use a label that nodes have',
        {
          value: got,
          field: '',
        },
      ),
    ),
  );
  const tolerations = mistakesOf(given?.tolerations ?? [], (toleration, i) => {
    const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
    const path = at.at('tolerations', i);
    const errors: Finding[] = [];
    const no = (field: string, message: string, remedy: string, allowed?: readonly string[]): void => {
      errors.push(refusal('toleration', path.at(field), message, remedy, { allowed, field: '' }));
    };
    if (key !== '' && !isQualifiedName(key)) no('key', `"${key}" is not a valid label name`, 'use the key of a taint');
    if (key === '' && operator !== 'Exists')
      no('operator', 'a toleration without a key must tolerate everything', 'write Exists');
    if (!operators.includes(operator))
      no('operator', `"${operator}" is not an operator`, 'use an allowed operator', operators);
    if (operator === 'Exists' && value !== '') no('value', 'Exists takes no value', 'remove value');
    if (effect !== '' && !effects.includes(effect))
      no('effect', `"${effect}" is not an effect`, 'use an allowed effect', effects);
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      no('effect', 'tolerationSeconds requires the effect NoExecute', 'write NoExecute');
    }
    return errors;
  });
  return [...selector, ...tolerations];
}
