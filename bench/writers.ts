/** Calls `write` with each number below `count`, at most `writers` calls at the same time. */
export async function writeConcurrently(
  count: number,
  writers: number,
  write: (i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await write(i);
  };
  await Promise.all(Array.from({ length: writers }, writer));
}
