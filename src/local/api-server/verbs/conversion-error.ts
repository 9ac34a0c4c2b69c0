/** Go's kinds of JSON values, as its converter names them. */
const KINDS: Readonly<Record<string, string>> = {
  array: 'slice',
  bool: 'bool',
  number: 'int64',
  object: 'map',
  string: 'string',
};

/**
 * The message of Go's converter, which reads the result of a strategic merge patch, for a message of its JSON decoder
 * about a value of the wrong type. Other messages are the same.
 */
export function conversionError(message: string): string {
  if (message.startsWith('illegal base64 data')) return `error decoding from json: ${message}`;
  const [, got = '', value = '', type = ''] =
    /^json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field \S+ of type (.+)$/.exec(message) ?? [];
  if (!type || type === 'v1.Time') return message;
  if (type === 'intstr.IntOrString') return `json: cannot unmarshal ${got} into Go value of type int32`;
  const kind = value.includes('.') ? 'float64' : KINDS[got];
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`;
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`;
  if (type.includes('.')) return `cannot restore struct from: ${kind}`;
  // Go converts between numbers, and from integers to text, but only in one direction
  const convertible = got === 'number' && (type === 'string' ? kind === 'int64' : type !== 'bool');
  return convertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}
