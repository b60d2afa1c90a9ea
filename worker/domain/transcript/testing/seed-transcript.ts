import type { Context } from '#worker/core/context.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { storeCaptions } from '#worker/domain/transcript/transcript-store.ts'

/** Makes captions the transcript of a module at once, also of one that is READY. */
export async function seedTranscript(
  context: Pick<Context, 'd1' | 'bucket'>,
  moduleId: string,
  segments: FormedSegment[],
): Promise<boolean> {
  const set = (status: string | undefined) =>
    context.d1.prepare('UPDATE modules SET status = coalesce(?2, status) WHERE id = ?1').bind(moduleId, status ?? null)
  const select = context.d1.prepare('SELECT status FROM modules WHERE id = ?1').bind(moduleId)
  const before = await select.first<{ status: string }>()
  await set('PROCESSING').run()
  const isStored = await storeCaptions(context, moduleId, segments)
  await set(before?.status).run()
  return isStored
}
