import { conversionError } from '../../../../../src/local/api-server/verbs/conversion-error';

const decoding = (got: string, type: string): string =>
  `json: cannot unmarshal ${got} into Go struct field Deployment.spec.field of type ${type}`;

test.each([
  ['text for a number', decoding('string', 'int32'), 'unrecognized type: int32'],
  ['a fraction for an integer', decoding('number 1.5', 'int32'), 'cannot convert float64 to int32'],
  ['a number for text', decoding('number', 'string'), 'cannot convert int64 to string'],
  ['a number for a boolean', decoding('number', 'bool'), 'unrecognized type: bool'],
  ['a boolean for text', decoding('bool', 'string'), 'unrecognized type: string'],
  ['an object for text', decoding('object', 'string'), 'unrecognized type: string'],
  ['text for a list', decoding('string', '[]v1.Container'), 'cannot restore slice from string'],
  ['a number for bytes', decoding('number', '[]uint8'), 'cannot restore slice from int64'],
  ['a list for a map', decoding('array', 'map[string]string'), 'cannot restore map from slice'],
  ['a list for an object', decoding('array', 'v1.PodSpec'), 'cannot restore struct from: slice'],
  [
    'a boolean for a percentage',
    decoding('bool', 'intstr.IntOrString'),
    'json: cannot unmarshal bool into Go value of type int32',
  ],
  ['a boolean for a time', decoding('bool', 'v1.Time'), decoding('bool', 'v1.Time')],
  [
    'wrong base64',
    'illegal base64 data at input byte 0',
    'error decoding from json: illegal base64 data at input byte 0',
  ],
  ['another message', 'parsing time "x"', 'parsing time "x"'],
])("has the converter's message for %s", (_, message, expected) => {
  expect(conversionError(message)).toBe(expected);
});
