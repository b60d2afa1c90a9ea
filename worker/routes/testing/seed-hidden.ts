import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { seedModule } from '#local/testing/modules.ts'
import type { NewModule } from '#worker/domain/module/module-store.ts'

/** The organization of these modules. */
export const ORG = 'org_hidden'

/** A module with a video that only its owners may see. */
export async function seedHidden(fields: Partial<NewModule> = {}): Promise<NewModule> {
  const id = nanoid(22)
  const sourceKey = `src/${id}/source`
  const object = await env.MEDIA.put(sourceKey, 'a video')
  await env.MEDIA.put(`images/${id}/poster`, 'a poster')
  return seedModule({
    id,
    sourceKey,
    status: 'READY',
    sourceEtag: object?.etag ?? null,
    sourceSizeBytes: 7,
    sourceType: 'video/mp4',
    hasPoster: true,
    shared: false,
    orgId: ORG,
    ...fields,
  })
}
