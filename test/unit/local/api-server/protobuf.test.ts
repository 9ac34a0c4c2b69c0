import { decodeProtobuf, isProtobuf } from '../../../../src/local/api-server/protobuf/decode';
import { emptyGoForm, toGoForm } from '../../../../src/local/api-server/kinds/go-form';

/** Length-delimited field: tag, length, bytes. */
const field = (number: number, value: string | Buffer) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};
const varint = (number: number, value: number) => Buffer.from([number << 3, value]);
const body = (apiVersion: string, kind: string, raw: Buffer) =>
  Buffer.concat([
    Buffer.from([0x6b, 0x38, 0x73, 0]),
    field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])),
    field(2, raw),
  ]);

test('a ConfigMap: strings, maps, and no zero values of fields that are not pointers', () => {
  const metadata = Buffer.concat([
    field(1, 'settings'),
    field(2, ''),
    field(11, Buffer.concat([field(1, 'app'), field(2, 'x')])),
  ]);
  const entry = Buffer.concat([field(1, 'key'), field(2, 'value')]);
  const bytes = body('v1', 'ConfigMap', Buffer.concat([field(1, metadata), field(2, entry)]));
  expect(isProtobuf(bytes)).toBe(true);
  expect(decodeProtobuf(bytes)).toEqual({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'settings', labels: { app: 'x' } },
    data: { key: 'value' },
  });
});

test('a Service port: numbers, int-or-string, inlined messages', () => {
  const target = Buffer.concat([varint(1, 1), varint(2, 0), field(3, 'http')]);
  const port = Buffer.concat([field(1, ''), field(2, 'TCP'), varint(3, 80), field(4, target), varint(5, 0)]);
  const decoded = decodeProtobuf(body('v1', 'Service', field(2, field(1, port))));
  expect(decoded.spec).toEqual({ ports: [{ protocol: 'TCP', port: 80, targetPort: 'http' }] });
});

test('broken bytes and unknown kinds are rejected', () => {
  expect(() => decodeProtobuf(body('v1', 'ConfigMap', Buffer.from([0x0a, 0x7f, 0x00])))).toThrow(
    'proto: unexpected EOF',
  );
  expect(() => decodeProtobuf(body('x.io/v1', 'Thing', Buffer.alloc(0)))).toThrow('no kind "Thing" is registered');
});

test('objects are brought into the form in which Go prints them', () => {
  const pod = { spec: { hostNetwork: false, containers: [{ name: 'c', stdin: false, workingDir: '' }], replicas: 0 } };
  toGoForm(pod, 'core.v1.Pod');
  expect(pod).toEqual({
    metadata: {},
    spec: { containers: [{ name: 'c', resources: {} }], replicas: 0 },
    status: {},
  });
  const deployment = { spec: { replicas: 0, paused: false } };
  toGoForm(deployment, 'apps.v1.Deployment');
  expect(deployment.spec).toMatchObject({ replicas: 0, strategy: {} });
  expect(deployment.spec).not.toHaveProperty('paused');
  expect(emptyGoForm('core.v1.Pod')).toEqual({ metadata: {}, spec: { containers: null }, status: {} });
});
