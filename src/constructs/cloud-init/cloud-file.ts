import { Choice } from '../choice';

/** How the content of a file is written down. */
export class CloudFileEncoding extends Choice {
  /** As it is. */
  public static readonly PLAIN = new CloudFileEncoding('text/plain');
  /** In base64: for bytes that are no text. */
  public static readonly BASE64 = new CloudFileEncoding('b64');
  /** Packed by gzip, then in base64. */
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

/** A file that cloud-init writes. */
export interface CloudFile {
  /** Absolute path in the guest. */
  readonly path: string;
  /**
   * Its content. It is part of the user data: cloud-init cannot take it from a Secret of the cluster. What is secret
   * belongs on a disk of its own (`Disk.secret`), or the whole user data into a Secret (`sensitive`).
   */
  readonly content: string;
  /**
   * How the content is written down.
   * @default CloudFileEncoding.PLAIN
   */
  readonly encoding?: CloudFileEncoding;
  /**
   * Mode, in octal digits.
   * @default '0644'
   */
  readonly permissions?: string;
  /**
   * `user` or `user:group`.
   * @default 'root:root'
   */
  readonly owner?: string;
  /**
   * Adds to the file instead of replacing it.
   * @default false
   */
  readonly append?: boolean;
  /**
   * Writes it at the end, when users and packages are there: an owner that cloud-init makes needs that.
   * @default false
   */
  readonly defer?: boolean;
}
