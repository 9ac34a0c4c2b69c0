import { FrameReader, MAX_FRAME, encodeFrame } from '../../../../../src/runtime/launcher/libvirt/frame';
import { calls } from '../../../../../src/runtime/launcher/libvirt/generated/protocol';
import fc from '../../../../support/fast-check';
import { authListCall, authListReply, lookupCall, startedEvent } from './recorded';

const header = { program: 0x20008086, version: 1, procedure: 66, type: 0, serial: 1, status: 0 };

test('a call is written as libvirt reads it', () => {
  expect(encodeFrame(header, () => {})).toEqual(authListCall);
  const lookup = encodeFrame({ ...header, procedure: 23, serial: 2 }, (w) => {
    calls.domainLookupByName.args.write(w, { name: 'absent' });
  });
  expect(lookup).toEqual(lookupCall);
});

test('frames are found however the stream is cut', () => {
  const stream = Buffer.concat([authListReply, startedEvent, authListReply]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 })), (cuts) => {
      const reader = new FrameReader();
      const edges = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const frames = edges.slice(1).flatMap((end, i) => reader.push(stream.subarray(edges[i], end)));
      expect(frames.map(({ header: { procedure } }) => procedure)).toEqual([66, 318, 66]);
    }),
  );
});

test.each([0, 4, 27, 33_554_437, 0xffffffff])('a frame that announces %d bytes ends the stream', (length) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  expect(() => new FrameReader().push(bytes)).toThrow(/announces \d+ bytes \(allowed: 28-33554436\)/);
});

test.each([28, 33_554_436])('a frame that announces %d bytes is waited for', (length) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  expect(new FrameReader().push(bytes)).toEqual([]);
});

test('a large frame is put together once, however small its pieces are', () => {
  const large = encodeFrame(header, (w) => w.bytes(Buffer.alloc(1 << 20, 7)));
  const concat = jest.spyOn(Buffer, 'concat');
  const reader = new FrameReader();
  const frames = [];
  for (let at = 0; at < large.length; at += 4_096) frames.push(...reader.push(large.subarray(at, at + 4_096)));
  expect(frames).toHaveLength(1);
  expect(frames[0]!.payload.bytes(1 << 20)).toEqual(Buffer.alloc(1 << 20, 7));
  // for its length, and for the whole
  expect(concat).toHaveBeenCalledTimes(2);
  concat.mockRestore();
});

test('a message of the limit is sent, a larger one never', () => {
  expect(encodeFrame(header, (w) => w.bytes(Buffer.alloc(MAX_FRAME - 28)))).toHaveLength(MAX_FRAME);
});

test('a message larger than the limit is never sent', () => {
  expect(() => encodeFrame(header, (w) => w.bytes(Buffer.alloc(MAX_FRAME - 27)))).toThrow(/exceeds the limit/);
});
