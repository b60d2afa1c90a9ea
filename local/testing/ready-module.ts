import { makeModuleId } from '#worker/domain/module/module-id.ts'
import type { NewModule } from '#worker/domain/module/module-store.ts'

/** The row of a module as it stands once its video has been processed. Needs no running worker to be made. */
export function readyModule(fields: Partial<NewModule> & Pick<NewModule, 'userId'>): NewModule {
  const id = fields.id ?? makeModuleId()
  const nowMs = Date.now()
  return {
    id,
    title: 'Change a tyre',
    filename: 'tyre.mp4',
    status: 'READY',
    runStatus: fields.status ?? 'READY',
    progress: 100,
    message: 'Ready',
    sourceKey: `src/${id}/source`,
    declaredType: 'video/mp4',
    sourceEtag: 'etag',
    sourceSizeBytes: 1,
    sourceType: 'video/mp4',
    run: 1,
    createdAt: nowMs,
    receivedAt: nowMs,
    updatedAt: nowMs,
    ...fields,
  }
}
