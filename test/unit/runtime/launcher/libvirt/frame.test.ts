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

test.each([0, 4, 27, MAX_FRAME + 1, 0xffffffff])('a frame that announces %d bytes ends the stream', (length) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  expect(() => new FrameReader().push(bytes)).toThrow(/announces \d+ bytes \(allowed: 28-4194304\)/);
});

test('a message larger than the limit is never sent', () => {
  expect(() => encodeFrame(header, (w) => w.bytes(Buffer.alloc(MAX_FRAME)))).toThrow(/exceeds the limit/);
});
