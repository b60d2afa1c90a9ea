import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { makeModuleId } from '#worker/domain/module/module-id.ts'
import type { NewModule } from '#worker/domain/module/module-store.ts'

const LINE_MS = 10_000

/** A training of a video in the bucket, in which each of these lines is said for ten seconds. */
export async function seedVideo(
  fields: Partial<NewModule>,
  lines: readonly string[],
  bytes: string,
): Promise<NewModule> {
  const ready = { status: 'READY', runStatus: 'READY', durationMs: lines.length * LINE_MS, language: 'en' } as const
  const id = makeModuleId()
  const sourceKey = `src/${id}/${nanoid(22)}`
  const { etag, size } = (await env.MEDIA.put(sourceKey, bytes)) as R2Object
  const source = { id, sourceKey, sourceEtag: etag, sourceSizeBytes: size, declaredSizeBytes: size }
  const module = await seedModule({ ...ready, ...source, createdAt: Date.now(), updatedAt: Date.now(), ...fields })
  const segments = lines.map((text, index) => {
    const startMs = index * LINE_MS
    return { startMs, endMs: startMs + 8_000, text, confidence: null }
  })
  await seedCaptions(module.id, segments)
  return module
}
