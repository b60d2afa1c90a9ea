import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'

/** One of several tracks of AAC. */
export interface MadeTrack {
  language?: string
  name?: string
  isDefault?: boolean
  /** How much of it is written; all of it by default. */
  durationMs?: number
}

const FORMATS = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  mkv: () => new MkvOutputFormat({ minimumClusterDuration: 1 }),
}
/** 16 kHz mono AAC-LC. */
const DESCRIPTION = new Uint8Array([0x14, 0x08])
const FRAME_MS = 64

/** Writes a file with several tracks of audio that never is silent. Each packet ends with what {@link findTrack} reads. */
export async function makeTracks(
  container: keyof typeof FORMATS,
  made: readonly MadeTrack[],
  durationMs = 2_560,
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget()
  const output = new Output({ format: FORMATS[container](), target })
  const tracks = made.map(({ language, name, isDefault = false, durationMs: ownMs = durationMs }) => {
    const source = new EncodedAudioPacketSource('aac')
    output.addAudioTrack(source, {
      ...(language && { languageCode: language }),
      ...(name && { name }),
      disposition: { default: isDefault },
    })
    return { source, ownMs }
  })
  await output.start()
  const decoderConfig = { codec: 'mp4a.40.2', sampleRate: 16_000, numberOfChannels: 1, description: DESCRIPTION }
  for (let frame = 0; frame * FRAME_MS < durationMs; frame++) {
    for (const [at, { source, ownMs }] of tracks.entries()) {
      if (frame * FRAME_MS >= ownMs) continue
      const bytes = makePacket(frame, at + 1)
      const packet = new EncodedPacket(bytes, 'key', (frame * FRAME_MS) / 1_000, FRAME_MS / 1_000)
      await source.add(packet, { decoderConfig })
    }
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

function makePacket(frame: number, track: number): Uint8Array {
  const content = Uint8Array.from({ length: 60 + ((frame * 7919) % 90) }, (_, at) => (at * frame) % 251)
  return Uint8Array.from([...content, ...new TextEncoder().encode(`track ${track}`)])
}

/** Which track a chunk was cut out of, counted from 1; null for audio of another file. */
export function findTrack(bytes: Uint8Array): number | null {
  const [, number] = /track (\d)/.exec(new TextDecoder('latin1').decode(bytes)) ?? []
  return number === undefined ? null : Number(number)
}
