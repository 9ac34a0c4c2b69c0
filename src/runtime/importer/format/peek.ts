/** First bytes of a stream, up to `length`, and the whole stream, which has to be read or closed. */
export async function peek(
  bytes: AsyncIterable<Buffer>,
  length: number,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer>; close: () => Promise<void> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let ended = false;
  while (size < length) {
    const { done, value } = await iterator.next();
    if (done) {
      ended = true;
      break;
    }
    first.push(value);
    size += value.length;
  }
  return {
    head: Buffer.concat(first).subarray(0, length),
    all: continued(first, iterator, ended),
    close: async () => void (await iterator.return?.()),
  };
}

async function* continued(first: Buffer[], iterator: AsyncIterator<Buffer>, ended: boolean): AsyncGenerator<Buffer> {
  try {
    yield* first.splice(0);
    while (!ended) {
      const { done, value } = await iterator.next();
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
