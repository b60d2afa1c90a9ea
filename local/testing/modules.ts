import { env } from 'cloudflare:workers'
import { openDb } from '#worker/db/db.ts'
import { insertModule, type NewModule } from '#worker/domain/module/module-store.ts'
import { readyModule } from './ready-module.ts'

/** Inserts a module as it is after `complete`, with the given fields changed. */
export async function plantModule(fields: Partial<NewModule> = {}): Promise<NewModule> {
  const module = readyModule({
    userId: 'user_owner',
    title: 'Change the filter',
    filename: 'change-the-filter.mp4',
    status: 'PROCESSING',
    progress: 10,
    message: 'Checking the video',
    createdAt: 1_000,
    receivedAt: 1_000,
    updatedAt: 1_000,
    ...fields,
  })
  await insertModule(openDb(env.DB), module)
  return module
}
