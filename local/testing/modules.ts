import { env } from 'cloudflare:workers'
import { openDb } from '#worker/db/db.ts'
import type { FormedSegment } from '#worker/db/schema.ts'
import { softDeleteModule } from '#worker/domain/module/deleted-store.ts'
import { insertModule, type NewModule } from '#worker/domain/module/module-store.ts'
import { seedTranscript } from '#worker/domain/transcript/testing/seed-transcript.ts'
import { readyModule } from './ready-module.ts'

/** Inserts a module as it is after `complete`, with the given fields changed. With `deletedAt` it was deleted then. */
export async function seedModule({
  deletedAt,
  ...fields
}: Partial<NewModule> & { deletedAt?: number } = {}): Promise<NewModule> {
  const module = readyModule({
    userId: 'user_owner',
    title: 'Change the filter',
    filename: 'change-the-filter.mp4',
    status: 'PROCESSING',
    progress: 10,
    message: 'Preparing the audio',
    createdAt: 1_000,
    receivedAt: 1_000,
    updatedAt: 1_000,
    ...fields,
  })
  await insertModule(openDb(env.DB), module)
  if (deletedAt !== undefined) await seedDeletion(module.id, deletedAt)
  return module
}

/** Makes captions the transcript of a module. */
export function seedCaptions(moduleId: string, segments: FormedSegment[]): Promise<boolean> {
  return seedTranscript({ d1: env.DB, bucket: env.MEDIA }, moduleId, segments)
}

/** Deletes a module as its owner does, but for its watchers. */
export async function seedDeletion(moduleId: string, nowMs: number): Promise<void> {
  await softDeleteModule(openDb(env.DB), moduleId, { nowMs, kind: 'restorable' })
}
