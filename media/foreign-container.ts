const codesOf = (text: string) => Array.from(text, (char) => char.charCodeAt(0))

/** Signatures of containers that Adapt cannot open, and their offsets. @see the file signatures of each format */
const FOREIGN: readonly { name: string; offset: number; bytes: readonly number[] }[] = [
  { name: 'AVI', offset: 8, bytes: codesOf('AVI ') },
  { name: 'WAV', offset: 8, bytes: codesOf('WAVE') },
  // MPEG-1 and MPEG-2 program streams, and the bare picture of one.
  { name: 'MPEG', offset: 0, bytes: [0, 0, 1, 0xba] },
  { name: 'MPEG', offset: 0, bytes: [0, 0, 1, 0xb3] },
  { name: 'Windows Media (WMV)', offset: 0, bytes: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11] },
  { name: 'Flash video (FLV)', offset: 0, bytes: codesOf('FLV\u0001') },
  { name: 'Ogg', offset: 0, bytes: codesOf('OggS') },
  { name: 'RealMedia', offset: 0, bytes: codesOf('.RMF') },
  { name: 'MXF', offset: 0, bytes: [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01] },
  { name: 'MP3', offset: 0, bytes: codesOf('ID3') },
]

/** An MPEG transport stream has this byte at the beginning of each packet; those of cameras have four bytes before it. */
const TRANSPORT_SYNC = 0x47
const TRANSPORT_PACKETS = [
  { first: 0, length: 188 },
  { first: 4, length: 192 },
] as const

/** Names the container of a file that `sniffContainer` rejects, by its first bytes. Null: an unknown container. */
export function nameForeignContainer(first: Uint8Array): string | null {
  const container = FOREIGN.find(({ offset, bytes }) => bytes.every((byte, i) => first[offset + i] === byte))
  if (container !== undefined) return container.name
  const isTransport = TRANSPORT_PACKETS.some(({ first: start, length }) =>
    [start, start + length, start + 2 * length].every((offset) => first[offset] === TRANSPORT_SYNC),
  )
  return isTransport ? 'MPEG-TS' : null
}
