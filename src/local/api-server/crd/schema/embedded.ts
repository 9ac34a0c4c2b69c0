import { Cause, invalid, required } from '../../schema/cause';
import { JsonSchema } from '../../schema/json-schema';
import { isMap } from '../../json/values';

const KIND = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Validates apiVersion and kind of a value with `x-kubernetes-embedded-resource`. */
export function validateEmbedded(value: unknown, schema: JsonSchema | undefined, path = ''): Cause[] {
  if (!schema) return [];
  if (Array.isArray(value)) return value.flatMap((v, i) => validateEmbedded(v, schema.items, `${path}[${i}]`));
  if (!isMap(value)) return [];
  const { properties = {}, additionalProperties } = schema;
  const below = Object.entries(value).flatMap(([key, v]) => {
    if (Object.hasOwn(properties, key))
      return validateEmbedded(v, properties[key], path === '' ? key : `${path}.${key}`);
    return typeof additionalProperties === 'object' ? validateEmbedded(v, additionalProperties, `${path}[${key}]`) : [];
  });
  return schema['x-kubernetes-embedded-resource'] ? [...validateResource(value, path), ...below] : below;
}

function validateResource({ apiVersion, kind }: Record<string, unknown>, path: string): Cause[] {
  const causes: Cause[] = [];
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  if (apiVersion === undefined) causes.push(required(at('apiVersion')));
  if (kind === undefined) causes.push(required(at('kind')));
  for (const [field, value] of Object.entries({ apiVersion, kind })) {
    if (value === undefined) continue;
    if (typeof value !== 'string') causes.push(invalid(at(field), value, 'must be a string'));
    else if (value === '') causes.push(invalid(at(field), value, 'must not be empty'));
    else if (field === 'apiVersion' && value.split('/').length > 2)
      causes.push(invalid(at(field), value, `unexpected GroupVersion string: ${value}`));
    else if (field === 'kind' && (!KIND.test(value.toLowerCase()) || value.length > 63))
      causes.push(
        invalid(
          at(field),
          value,
          `may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        ),
      );
  }
  return causes;
}
