/** Unary gRPC messages: one flag byte, four bytes of length. */

/** Framed for the wire; never compressed. */
export function frameMessage(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The one message in what a peer sent. */
export function readMessage(parts: readonly Buffer[]): Buffer {
  const all = Buffer.concat(parts);
  if (all.length < 5 || all[0] !== 0 || all.readUInt32BE(1) !== all.length - 5) {
    throw new Error('not one uncompressed gRPC message');
  }
  return all.subarray(5);
}
