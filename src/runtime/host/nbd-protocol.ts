/**
 * Numbers of the NBD protocol: https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md (fixed newstyle handshake).
 */

export const MAGIC = 0x4e42444d41474943n; // NBDMAGIC
export const OPTION_MAGIC = 0x49484156454f5054n; // IHAVEOPT
export const OPTION_REPLY_MAGIC = 0x3e889045565a9n;
export const REQUEST_MAGIC = 0x25609513;
/** Of simple replies. */
export const REPLY_MAGIC = 0x67446698;
/** Of the chunks of structured replies. */
export const CHUNK_MAGIC = 0x668e33ef;
export const FIXED_NEWSTYLE = 1;
export const NO_ZEROES = 2;
export const Option = { ABORT: 2, INFO: 6, GO: 7, STRUCTURED_REPLY: 8, SET_META_CONTEXT: 10 } as const;
export const OptionReply = { ACK: 1, INFO: 3, META_CONTEXT: 4, UNSUPPORTED: 0x80000001 } as const;
/** Bit of the option replies that report errors. */
export const OPTION_ERROR = 0x80000000;
export const INFO_EXPORT = 0;
export const Command = { READ: 0, DISCONNECT: 2, BLOCK_STATUS: 7 } as const;
export const Chunk = { NONE: 0, BLOCK_STATUS: 5 } as const;
/** Bit of the chunks that report errors. */
export const CHUNK_ERROR = 0x8000;
/** Flag of the last chunk of a reply. */
export const CHUNK_DONE = 1;
