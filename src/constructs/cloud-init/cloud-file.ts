import { Choice } from '../choice';

/** Encoding of a file's content. */
export class CloudFileEncoding extends Choice {
  /** Plain text. */
  public static readonly PLAIN = new CloudFileEncoding('text/plain');
  /** Base64, for binary data. */
  public static readonly BASE64 = new CloudFileEncoding('b64');
  /** Gzip, then base64. */
  public static readonly GZIP_BASE64 = new CloudFileEncoding('gz+b64');

  /**
   * Any other encoding, as cloud-init writes it.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): CloudFileEncoding {
    return new CloudFileEncoding(value);
  }
}

/** File that cloud-init writes. */
export interface CloudFile {
  /** Absolute path in the guest. */
  readonly path: string;
  /**
   * Content of the file. It is part of the user data: cloud-init cannot read it from a Secret of the cluster. Put a
   * secret on a disk of its own (`Disk.secret`), or the whole user data into a Secret (`sensitive`).
   */
  readonly content: string;
  /**
   * Encoding of `content`.
   * @default CloudFileEncoding.PLAIN
   */
  readonly encoding?: CloudFileEncoding;
  /**
   * Mode of the file, in octal digits.
   * @default '0644'
   */
  readonly permissions?: string;
  /**
   * Owner as `user` or `user:group`.
   * @default 'root:root'
   */
  readonly owner?: string;
  /**
   * Whether the content is appended to an existing file instead of replacing it.
   * @default false
   */
  readonly append?: boolean;
  /**
   * Whether the file is written last, when users and packages exist. Required if cloud-init itself creates the owner.
   * @default false
   */
  readonly defer?: boolean;
}
