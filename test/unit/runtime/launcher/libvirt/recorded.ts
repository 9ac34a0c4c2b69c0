/** Bytes recorded from libvirtd 11.3 (Debian trixie), by field. */

const bytes = (...fields: string[]): Buffer =>
  Buffer.from(fields.map((f) => f.split('|')[0]!.replace(/\s/g, '')).join(''), 'hex');

export const authListCall = bytes(
  '0000001c | length 28',
  '20008086 | program: remote',
  '00000001 | version',
  '00000042 | procedure 66: AUTH_LIST',
  '00000000 | type: call',
  '00000001 | serial',
  '00000000 | status: ok',
);

export const authListReply = bytes(
  '00000024 | length 36',
  '20008086 | program',
  '00000001 | version',
  '00000042 | procedure 66',
  '00000001 | type: reply',
  '00000001 | serial',
  '00000000 | status: ok',
  '00000001 | types: 1 item',
  '00000000 | none',
);

export const lookupCall = bytes(
  '00000028 | length 40',
  '20008086 | program',
  '00000001 | version',
  '00000017 | procedure 23: DOMAIN_LOOKUP_BY_NAME',
  '00000000 | type: call',
  '00000002 | serial',
  '00000000 | status',
  '00000006 | name: 6 bytes',
  '616273656e740000 | "absent" and padding',
);

export const lookupError = bytes(
  '000000cc | length 204',
  '20008086 | program',
  '00000001 | version',
  '00000017 | procedure 23',
  '00000001 | type: reply',
  '00000002 | serial',
  '00000001 | status: error',
  '0000002a | code 42: VIR_ERR_NO_DOMAIN',
  '0000000a | domain 10: VIR_FROM_QEMU',
  '00000001 | message is there',
  '00000037 | 55 bytes',
  '446f6d61696e206e6f7420666f756e643a206e6f20646f6d61696e2077697468206d61746368696e67206e616d652027616273656e742700',
  '00000002 | level: error',
  '00000000 | dom: null',
  '00000001 | str1 is there',
  '00000016 446f6d61696e206e6f7420666f756e643a20253124730000',
  '00000001 | str2 is there',
  '00000025 6e6f20646f6d61696e2077697468206d61746368696e67206e616d652027616273656e7427000000',
  '00000000 | str3: null',
  'ffffffff | int1',
  'ffffffff | int2',
  '00000000 | net: null',
);

export const startedEvent = bytes(
  '0000004c | length 76',
  '20008086 | program',
  '00000001 | version',
  '0000013e | procedure 318: DOMAIN_EVENT_CALLBACK_LIFECYCLE',
  '00000002 | type: message',
  '00000001 | serial: means nothing',
  '00000000 | status',
  '00000007 | callbackID',
  '0000000c | name: 12 bytes',
  '64656661756c745f74696e79 | "default_tiny"',
  '5d307ca9b3ef428c886106e72d69f223 | uuid',
  '00000001 | id',
  '00000002 | event 2: started',
  '00000000 | detail 0: booted',
);

export const pong = bytes(
  '0000001c | length 28',
  '6b656570 | program: keep',
  '00000001 | version',
  '00000002 | procedure 2: PONG',
  '00000002 | type: message',
  '00000000 | serial',
  '00000000 | status',
);

export const ping = bytes('0000001c 6b656570 00000001 | PING', '00000001 00000002 00000000 00000000');

export const statsReply = bytes(
  '00000078 | length 120',
  '20008086 00000001 | program, version',
  '00000158 | procedure 344: CONNECT_GET_ALL_DOMAIN_STATS',
  '00000001 00000003 00000000 | reply, serial, ok',
  '00000001 | one record',
  '0000000c 64656661756c745f74696e79 | dom: name',
  '5d307ca9b3ef428c886106e72d69f223 00000001 | uuid, id',
  '00000002 | two parameters',
  '0000000b 73746174652e737461746500 | "state.state"',
  '00000001 00000001 | int 1',
  '0000000c 73746174652e726561736f6e | "state.reason"',
  '00000001 00000001 | int 1',
);
