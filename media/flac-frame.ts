/** What the head of a frame of FLAC says. */
interface FlacFrame {
  samples: number
  /** Length of its own number, which grows through a file. */
  numberBytes: number
  /** Length of its count of samples, which only a frame of an unusual length has. */
  countBytes: number
}

/** Before the number: the mark of a frame, the code of its length, its rate and its channels. */
const NUMBER_AT = 4
/** Codes of a length that stands behind the number, less one. */
const IN_ONE_BYTE = 6
const IN_TWO_BYTES = 7

/**
 * Reads the head of a frame of FLAC.
 * @returns null for bytes that are none
 * @see RFC 9639, 9.1 Frame Header
 */
export function readFlacFrame(packet: Uint8Array): FlacFrame | null {
  const [mark, rest = 0, codes = 0] = packet
  if (mark !== 0xff || rest >> 1 !== 0x7c) return null
  const first = packet[NUMBER_AT] ?? 0
  // As in UTF-8, which it is coded like, the ones that it begins with count its bytes.
  const numberBytes = Math.max(1, Math.clz32(~(first << 24)))
  const code = codes >> 4
  const behind = NUMBER_AT + numberBytes
  const [high = 0, low = 0] = packet.subarray(behind, behind + 2)
  if (code === IN_ONE_BYTE) return { samples: high + 1, numberBytes, countBytes: 1 }
  if (code === IN_TWO_BYTES) return { samples: high * 256 + low + 1, numberBytes, countBytes: 2 }
  return { samples: samplesOf(code), numberBytes, countBytes: 0 }
}

/** 0 for the one code that is reserved. */
function samplesOf(code: number): number {
  if (code >= 8) return 256 << (code - 8)
  if (code >= 2) return 576 << (code - 2)
  return code === 1 ? 192 : 0
}
