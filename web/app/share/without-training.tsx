import type { SharedModule } from '#contract/share.ts'
import type { SharePageData } from '#contract/share-page.ts'
import { ShareNotAvailable, SharePreparing } from '#web/features/share/unready-states.tsx'
import { ClosedLink } from './closed-link.tsx'

export interface WithoutTrainingProps {
  linkId: string
  closed: SharePageData['closed']
  /** Without steps so far; null where its link does not open it. */
  module: SharedModule | null
}

/** What stands in place of a training: it has no steps yet, or its link does not open it. Few learners load this part. */
export function WithoutTraining({ linkId, closed, module }: WithoutTrainingProps) {
  if (module === null) return <ClosedLink {...{ linkId, closed }} />
  return module.status === 'FAILED' ? <ShareNotAvailable title={module.title} /> : <SharePreparing module={module} />
}
