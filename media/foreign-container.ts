const codesOf = (text: string) => Array.from(text, (char) => char.charCodeAt(0))

/** How containers begin that Adapt cannot open, and where. @see the file signatures of each format */
const FOREIGN: readonly { name: string; at: number; bytes: readonly number[] }[] = [
  { name: 'AVI', at: 8, bytes: codesOf('AVI ') },
  { name: 'WAV', at: 8, bytes: codesOf('WAVE') },
  // MPEG-1 and MPEG-2 program streams, and the bare picture of one.
  { name: 'MPEG', at: 0, bytes: [0, 0, 1, 0xba] },
  { name: 'MPEG', at: 0, bytes: [0, 0, 1, 0xb3] },
  { name: 'Windows Media (WMV)', at: 0, bytes: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11] },
  { name: 'Flash video (FLV)', at: 0, bytes: codesOf('FLV\u0001') },
  { name: 'Ogg', at: 0, bytes: codesOf('OggS') },
  { name: 'RealMedia', at: 0, bytes: codesOf('.RMF') },
  { name: 'MXF', at: 0, bytes: [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01] },
  { name: 'MP3', at: 0, bytes: codesOf('ID3') },
]

/** An MPEG transport stream has this byte at the beginning of each packet; those of cameras have four bytes before it. */
const TRANSPORT_SYNC = 0x47
const TRANSPORT_PACKETS = [
  { first: 0, length: 188 },
  { first: 4, length: 192 },
] as const

/**
 * Names the container of a file that `sniffContainer` does not take, by its first bytes. Null: not one that is known by
 * name.
 */
export function nameForeignContainer(first: Uint8Array): string | null {
  const known = FOREIGN.find(({ at, bytes }) => bytes.every((byte, i) => first[at + i] === byte))
  if (known !== undefined) return known.name
  const isTransport = TRANSPORT_PACKETS.some(({ first: at, length }) =>
    [at, at + length, at + 2 * length].every((place) => first[place] === TRANSPORT_SYNC),
  )
  return isTransport ? 'MPEG-TS' : null
}
