/** The part of protobuf's wire format that a document needs: varints, doubles, strings and messages. */
export class ProtobufWriter {
  private readonly chunks: Uint8Array[] = [];

  /** Absent and empty strings are not written. */
  public string(field: number, value: unknown): this {
    if (typeof value === 'string' && value !== '') this.bytes(field, Buffer.from(value, 'utf8'));
    return this;
  }

  public strings(field: number, values: unknown): this {
    if (Array.isArray(values)) for (const value of values) this.bytes(field, Buffer.from(String(value), 'utf8'));
    return this;
  }

  public bool(field: number, value: unknown): this {
    if (value === true) this.varint(field << 3).varint(1);
    return this;
  }

  public int(field: number, value: unknown): this {
    if (typeof value === 'number' && value !== 0) this.varint(field << 3).varint(value);
    return this;
  }

  public double(field: number, value: unknown): this {
    if (typeof value !== 'number' || value === 0) return this;
    const chunk = Buffer.alloc(8);
    chunk.writeDoubleLE(value);
    this.varint((field << 3) | 1);
    this.chunks.push(chunk);
    return this;
  }

  public message(field: number, write: (writer: ProtobufWriter) => void): this {
    const inner = new ProtobufWriter();
    write(inner);
    return this.bytes(field, inner.finish());
  }

  public finish(): Uint8Array {
    return Buffer.concat(this.chunks);
  }

  private bytes(field: number, value: Uint8Array): this {
    this.varint((field << 3) | 2).varint(value.length);
    this.chunks.push(value);
    return this;
  }

  private varint(value: number): this {
    const out: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
    for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
    out.push(Number(rest));
    this.chunks.push(Uint8Array.from(out));
    return this;
  }
}
