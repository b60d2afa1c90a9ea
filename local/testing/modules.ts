import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { openDb } from '#worker/db/db.ts'
import { insertModule, type NewModule } from '#worker/domain/module/module-store.ts'

/** A module as it stands after `complete`, unless told otherwise. */
export async function plantModule(fields: Partial<NewModule> = {}): Promise<NewModule> {
  const id = fields.id ?? nanoid(22)
  const module: NewModule = {
    id,
    userId: 'user_owner',
    title: 'Change the filter',
    filename: 'change-the-filter.mp4',
    status: 'PROCESSING',
    progress: 10,
    message: 'Checking the video',
    sourceKey: `src/${id}/source`,
    declaredType: 'video/mp4',
    sourceEtag: 'etag',
    sourceSizeBytes: 1,
    sourceType: 'video/mp4',
    run: 1,
    createdAt: 1_000,
    receivedAt: 1_000,
    updatedAt: 1_000,
    ...fields,
  }
  await insertModule(openDb(env.DB), module)
  return module
}
